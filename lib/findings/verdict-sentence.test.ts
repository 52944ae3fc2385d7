import { describe, expect, it } from "vitest";
import { localizeStructurally } from "@/lib/investigator/structural";
import { failureOf, SampleRun } from "@/lib/investigator/test-support/sample-run";
import { sentencePartSchema } from "@/lib/views/run";
import { type SentencePart, verdictSentence } from "./verdict-sentence";

const read = (parts: SentencePart[]) =>
  parts
    .map((part) => (part.kind === "text" ? part.text : part.kind === "turn" ? `#${part.turn + 1}` : part.text))
    .join("");

function sentence(run: SampleRun, outcome: "failed" | "resolved" | "unknown"): SentencePart[] {
  const trajectory = run.trajectory();
  const verdict = localizeStructurally({ trajectory, history: run.history(), failure: failureOf(outcome) });
  const parts = verdictSentence(verdict, { outcome, turnCount: trajectory.entries.length, root: "/repo" });
  for (const part of parts) expect(sentencePartSchema.parse(part)).toEqual(part);
  return parts;
}

const failing = () =>
  new SampleRun()
    .turn()
    .run("ls")
    .turn()
    .write("/repo/src/wrap.py", "x = 1", { before: "y", startLine: 3 })
    .turn()
    .run("ls");

describe("verdictSentence", () => {
  it("names the turn, the rule and the file", () => {
    const parts = sentence(failing(), "failed");
    expect(read(parts)).toBe(
      "By the structural rule, the run went wrong for good at #2: its first change of a file that is not its own scratch file, src/wrap.py.",
    );
    expect(parts).toContainEqual({ kind: "turn", turn: 1, role: "decisive" });
    expect(parts).toContainEqual({ kind: "code", text: "src/wrap.py", turn: 1, file: "/repo/src/wrap.py", line: 3 });
  });

  it("does not claim a failure that is not known", () => {
    expect(read(sentence(failing(), "unknown"))).toMatch(/^If the run failed, by the structural rule/);
    expect(read(sentence(failing(), "resolved"))).toBe(
      "The run is known to have succeeded, so there is no decisive error to look for.",
    );
  });

  it("says undetermined and why, and what is worth a look", () => {
    expect(read(sentence(new SampleRun().turn().run("ls").turn().submit(), "failed"))).toBe(
      "Undetermined. The run changed no file, so the rule has no write to point to. Worth a look: #2.",
    );
    expect(read(verdictSentence(null, { outcome: "failed", turnCount: 0, root: null }))).toBe(
      "There is no verdict: the structural rule could not be run on this import. Its turns and files are complete.",
    );
  });

  it("names two other candidates and counts the rest", () => {
    const run = new SampleRun();
    for (let i = 0; i < 10; i += 1) {
      run
        .turn()
        .write(`/repo/f${i % 5}.py`, `value_number_${i} = 1`, { before: i < 5 ? "old" : `value_number_${i - 5} = 1` });
    }
    expect(read(sentence(run, "failed"))).toMatch(/ Other candidates: #\d+, #\d+ and 2 more\.$/);
  });

  it("keeps a hostile file name on one line", () => {
    const run = new SampleRun().turn().write("/repo/\u202e<b>\n\u001b[31mx.py", "x", { before: "y" });
    expect(read(sentence(run, "failed"))).toContain("<b> x.py");
  });
});
