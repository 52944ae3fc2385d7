import { describe, expect, it } from "vitest";
import { maskTrajectory } from "@/lib/judge/masked";
import { keyLike } from "@/lib/redact/test-support";
import { SampleRun } from "../test-support/sample-run";
import { ANSWER_MAX_CHARS, LOOK_UP_TOOLS, type LookedUp, lookUp } from "./tools";
import { TraceView } from "./trace-view";

const why = "to know";

function ask(run: SampleRun, tool: string, given: Record<string, unknown>): LookedUp {
  const trajectory = run.trajectory();
  const masked = maskTrajectory(trajectory);
  const sources = { view: new TraceView(trajectory, masked, []), history: run.history(), masked };
  return lookUp(sources, tool, { why, ...given });
}
const stepOf = ({ step }: LookedUp) => (step.kind === "tool" ? step : null);

const LOG = Array.from({ length: 900 }, (_, n) => `module ${n} was checked for its style`).join("\n");

describe("look-ups", () => {
  const run = new SampleRun()
    .baseline("/repo/a.py", "one\ntwo\nthree\n")
    .turn("I read.")
    .read("/repo/a.py", "one\ntwo\nthree\n")
    .turn("I write.")
    .write("/repo/a.py", "TWO", { before: "two", startLine: 2 })
    .turn("I test.")
    .run("pytest -q", "2 failed, 3 passed in 0.2s\n", { exitCode: 1 })
    .turn("I look at a log.")
    .run("make", LOG);

  it("a turn is shown whole, page by page, and says what was unfolded", () => {
    const first = ask(run, "view_observation", { turn: 4, through: null, context: null, from_line: null });
    expect(first.answer).toMatch(/^#4\nI look at a log\.\n> bash\nmake\n<\nmodule 0 /);
    expect(first.answer.length).toBeLessThan(ANSWER_MAX_CHARS + 200);
    const folded = new TraceView(run.trajectory(), maskTrajectory(run.trajectory()), []).foldedTurns(3, 3).foldedChars;
    expect(folded).toBeGreaterThan(20_000);
    expect(stepOf(first)?.unfoldedChars).toBeLessThan(ANSWER_MAX_CHARS);
    const next = Number(/Ask with from_line (\d+)/.exec(first.answer)?.[1]);
    const second = ask(run, "view_observation", { turn: 4, through: null, context: null, from_line: next });
    const numbers = (answer: string) => [...answer.matchAll(/module (\d+)/g)].map((match) => Number(match[1]));
    expect(numbers(second.answer)[0]).toBe((numbers(first.answer).at(-1) ?? 0) + 1);
    let [unfolded, line]: [number, number | null] = [0, null];
    do {
      const shown = ask(run, "view_observation", { turn: 4, through: null, context: null, from_line: line });
      unfolded += stepOf(shown)?.unfoldedChars ?? 0;
      const more = /Ask with from_line (\d+)/.exec(shown.answer)?.[1];
      line = more === undefined ? null : Number(more);
    } while (line !== null);
    // Pages end between lines; the line breaks there are shown by nobody.
    expect(folded - unfolded).toBeLessThan(5);
    expect(unfolded).toBeLessThanOrEqual(folded);
  });

  it("of a line that is longer than an answer, what is shown counts, and what follows can be asked for", () => {
    const long = new SampleRun().turn().run("make", `${"x".repeat(50_000)}\nthe last line`);
    const { answer, step } = ask(long, "view_observation", { turn: 1, through: null, context: null, from_line: 5 });
    expect(answer).toContain("[This line is longer: 50000 characters.]");
    expect(answer).toContain("Ask with from_line 6.");
    expect(step.kind === "tool" && step.unfoldedChars).toBeLessThanOrEqual(ANSWER_MAX_CHARS);
    expect(ask(long, "view_observation", { turn: 1, through: null, context: null, from_line: 6 }).answer).toBe(
      "the last line",
    );
  });

  it("several turns are shown folded", () => {
    const { answer, step } = ask(run, "view_observation", { turn: 1, through: 4, context: null, from_line: null });
    expect(answer).toContain("#1\n");
    expect(answer).toContain("[Folded: ");
    expect(step).toMatchObject({ turns: [0, 1, 2, 3] });
  });

  it("a file is shown as it was, with the certainty of what is known", () => {
    const before = ask(run, "view_file", { path: "a.py", turn: 1, from_line: 2 });
    expect(before.answer).toBe("/repo/a.py after #1, as it was before the run, replayed\n2\ttwo\n3\tthree");
    const after = ask(run, "view_file", { path: "/repo/a.py", turn: 3, from_line: null });
    expect(after.answer).toContain("as #2 left it");
    const unknown = ask(run, "view_file", { path: "../../etc/passwd", turn: 3, from_line: null });
    expect(unknown.answer).toContain("No file of that name");
    expect(stepOf(unknown)?.refused).not.toBeNull();
  });

  it("a diff is shown, in the words of the call where the file is not known", () => {
    const { answer } = ask(run, "view_diff", { turn: 2, path: "a.py" });
    expect(answer).toContain("edit /repo/a.py, applied");
    expect(answer).toContain("-two\n+TWO");
    expect(ask(run, "view_diff", { turn: 1, path: null }).answer).toContain("Turns that write: #2.");
  });

  it("test runs are listed with the lines that say it", () => {
    const { answer } = ask(run, "test_history", {});
    expect(answer).toBe("#3 pytest: failed, 2 failed, 3 passed (2 failed, 3 passed in 0.2s)");
  });

  it("a search counts what it does not show, and looks at each text once", () => {
    const found = ask(run, "search", { text: "MODULE", from_turn: null, to_turn: null });
    expect(found.answer.split("\n")).toHaveLength(31);
    expect(found.answer).toContain("870 more.");
    expect(ask(run, "search", { text: "TWO", from_turn: 2, to_turn: 2 }).answer).toContain("#2 call");
  });

  it("secrets are in no answer and in no trail", () => {
    const secret = `ghp_${keyLike(36, 9)}`;
    const leaking = new SampleRun()
      .turn(`Token ${secret}`)
      .write("/repo/.env", `TOKEN=${secret}\n`)
      .run("cat .env", `TOKEN=${secret}\n`);
    const asked: [string, Record<string, unknown>][] = [
      ["view_observation", { turn: 1, through: null, context: null, from_line: null }],
      ["view_diff", { turn: 1, path: null }],
      ["view_file", { path: ".env", turn: 1, from_line: null }],
      ["search", { text: "token", from_turn: null, to_turn: null, why: secret }],
      ["note", { note: secret }],
    ];
    for (const [tool, given] of asked) {
      expect(JSON.stringify(ask(leaking, tool, given)), tool).not.toContain(secret);
    }
  });

  it("every tool has words for the model and a schema that wants each argument", () => {
    expect(LOOK_UP_TOOLS.map(({ name }) => name)).toEqual([
      "view_observation",
      "view_diff",
      "view_file",
      "search",
      "test_history",
      "note",
    ]);
    for (const { description, parameters } of LOOK_UP_TOOLS) {
      expect(description).toMatch(/\.$/);
      expect(parameters.safeParse({}).success).toBe(false);
    }
  });
});
