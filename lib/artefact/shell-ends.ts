import type { PlacedWrite } from "./shell-surroundings";
import type { ShellCommand, SimpleCommand } from "./shell-syntax";

/** Commands whose failure the answer shows, so that a line which stops at errors did not stop there silently. */
const HARMLESS = /^(?:|set|export|echo|printf|true|:)$/;

/** Whether a line has ended before a command: by `exit`, or because it stops at errors. */
export class LineEnd {
  /** Nothing behind runs. */
  isSure = false;
  /** A command that perhaps ran ends the line, and the exit code would not show it. */
  isSilent = false;
  /** The line stops at the first error, and commands that may fail stand before this place. */
  stops: "no" | "at errors" | "perhaps" = "no";

  /** @param answer what the line printed */
  constructor(readonly answer: string) {}

  /** Keeps whether the line ended, as a subshell ends alone. Returns how to come back to it. */
  save(): () => void {
    const { isSure, isSilent } = this;
    return () => {
      Object.assign(this, { isSure, isSilent });
    };
  }

  /** A command of a function that the line calls. */
  call(name: string): void {
    if (name === "exit") this.isSilent = true;
    else if (name === "set") this.stops = "perhaps";
  }

  /**
   * Whether the line may end with a command.
   * @param place what is known of whether it runs
   * @param before the command in front of it, undefined when what that says does not reach the answer
   */
  follow(
    command: ShellCommand,
    place: Pick<PlacedWrite, "conditional" | "afterSuccess">,
    before: ShellCommand | undefined,
  ): void {
    if (command.kind === "group") {
      if (this.stops === "at errors") this.stops = "perhaps";
      return;
    }
    const [name = "", ...rest] = command.words.map((word) => word.text);
    if (name === "exit" || name === "return") {
      if (!place.conditional && !place.afterSuccess) this.isSure = true;
      else if (rest[0] === "0") this.isSilent = true;
      // What it says before it ends is not in the answer: then it did not.
      else if (before?.kind !== "simple" || !this.#isUnsaid(before)) this.stops = "perhaps";
    } else if (name === "set" && rest.some((text) => /^-[a-z]*e/.test(text) || text === "errexit")) {
      if (this.stops === "no") this.stops = "at errors";
    } else if (this.stops === "at errors" && !HARMLESS.test(name) && (name !== "cat" || rest.length > 0))
      this.stops = "perhaps";
  }

  /** Whether a command that prints a text did not run, as the answer shows. */
  #isUnsaid({ words, redirections }: SimpleCommand): boolean {
    const [name, ...rest] = words;
    const isPrinted = redirections.every(({ operator, target }) => operator === ">&" && target.text === "2");
    if (name?.text !== "echo" || !isPrinted || !rest.every((word) => word.literal)) return false;
    const said = rest.map((word) => word.text).join(" ");
    return said.length > 2 && !this.answer.includes(said);
  }
}
