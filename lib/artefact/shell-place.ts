import { isAbsolute, resolvePath } from "./paths";
import type { ShellWord } from "./shell-variables";

/** Folders in which a shell may stand; with more it is not told at all. */
const MAX_PLACES = 8;

/** The folder in which the shell of a line stands. Behind a `cd` that may not have worked it is one of several. */
export class ShellPlace {
  /** Null when it is not told. */
  directory: string | null;
  /** The other folders in which it may stand. */
  elsewhere: readonly string[] = [];
  moved = false;
  #left: (string | null)[] = [];
  #previous: string | null = null;

  constructor(
    directory: string | null,
    /** What the line printed, in which the shell says of folders that it could not go there. */
    readonly answer: string,
  ) {
    this.directory = directory;
  }

  /** Keeps the place as it is now. Returns how to come back to it, as at the end of a subshell. */
  save(): () => void {
    const { directory, elsewhere, moved } = this;
    const left = [...this.#left];
    const previous = this.#previous;
    return () => {
      Object.assign(this, { directory, elsewhere, moved });
      this.#left = left;
      this.#previous = previous;
    };
  }

  /** Puts the shell into one folder. */
  stand(folder: string | null): void {
    this.directory = folder;
    this.elsewhere = [];
  }

  /** Follows `cd`, `pushd` or `popd`. When it is not sure that it ran, the shell may also stand where it stood. */
  move(name: string, words: readonly ShellWord[], isSure: boolean): void {
    if (name === "popd" && this.#left.length === 0 && /popd: directory stack empty/.test(this.answer)) return;
    const before = this.directory;
    const places = [before, ...this.elsewhere];
    const target = words.find((word) => word.text !== "--");
    const back = name === "popd" ? (this.#left.pop() ?? null) : this.#previous;
    const fresh = places.map((place) => (name === "popd" ? back : wentTo(target, place, name, back)));
    const stays = !isSure || (target !== undefined && this.#isRefused(target.text));
    const all = [...new Set([...(stays ? places : []), ...fresh])];
    const told = all.filter((place) => place !== null);
    this.moved = true;
    this.directory = told.length < all.length || all.length > MAX_PLACES ? null : (all[0] ?? null);
    this.elsewhere = this.directory === null ? [] : told.slice(1);
    const left = places.length === 1 && !stays ? before : null;
    if (name === "pushd") this.#left.push(left);
    this.#previous = left;
  }

  #isRefused(target: string): boolean {
    return this.answer.includes(`: ${target}: `) && FAILED.test(this.answer);
  }
}

const FAILED = /(?:^|: )(?:cd|pushd): .*(?:[Nn]o such file|[Nn]ot a directory|[Pp]ermission denied)/m;

function wentTo(
  target: ShellWord | undefined,
  from: string | null,
  name: string,
  previous: string | null,
): string | null {
  if (target === undefined) return name === "cd" ? "~" : null;
  if (target.text === "-") return previous;
  if (!target.literal || target.glob) return null;
  const { shown } = resolvePath(target.text, from);
  // A folder that is relative to one that is not told could be anywhere.
  return isAbsolute(shown) || from !== null ? shown : null;
}
