import { describe, expect, it } from "vitest";
import { buildHistory } from "@/lib/artefact/history";
import { processorMs } from "@/lib/test-support/processor-time";
import { type Item, turnsOf } from "@/lib/trajectory/schema";
import { type Ingested, ingest } from "../../ingest";
import { fixturesOf, readFixture } from "../../test-support/fixtures";
import { readTerminus } from "./terminus";

function fixture(name: string): Ingested {
  const file = fixturesOf("atif").find((path) => path.endsWith(name));
  if (file === undefined) throw new Error(`no fixture ${name}`);
  return ingest({ name, bytes: readFixture(file) });
}

const response = (inside: string): string => `<response>\n${inside}\n</response>`;
const typed = (message: string) => readTerminus(message)?.commands;

describe("terminus-2 that answers between tags", () => {
  const found = fixture("1.5/terminus-tags.json");
  const items: Item[][] = turnsOf(found.trajectory).map((turn) => turn.items);

  it("thinks, plans and types as with JSON, and what it types changes files", () => {
    expect(found.detection.variant).toBe("ATIF-v1.5 terminus-2");
    expect(items[0]?.map(({ kind }) => kind)).toEqual([
      "message",
      "thought",
      "plan",
      "call",
      "result",
      "call",
      "result",
      "call",
      "result",
    ]);
    const paths = buildHistory(found.trajectory, null).writes.map(({ path }) => path);
    expect(new Set(paths)).toEqual(new Set(["one.txt", "two.txt"]));
  });

  it("without commands typed nothing and stays a message; complete, it submits", () => {
    expect(items[1]?.map(({ kind }) => kind)).toEqual(["message", "result"]);
    expect(items[3]?.map((item) => (item.kind === "call" ? item.tool : item.kind))).toEqual([
      "thought",
      "plan",
      "task_complete",
      "result",
    ]);
  });

  it("keeps the words around what it says, once", () => {
    expect(items[0]?.flatMap((item) => (item.kind === "message" ? item.text : []))).toEqual(["I begin.\nThat is all."]);
  });
});

describe("what a message of terminus-2 says", () => {
  it("is typed to the letter, a tag inside keystrokes and entities too", () => {
    const keys = `<keystrokes duration="0.1">echo '&lt;keystrokes&gt; <keystrokes>'\n</keystrokes>`;
    expect(typed(response(`<commands>${keys}</commands>`))).toEqual([
      { keystrokes: "echo '&lt;keystrokes&gt; <keystrokes>'\n", duration: 0.1 },
    ]);
  });

  it("has a duration only where that is a number", () => {
    const keys = ["", ' duration="2"', " duration = '0.5'", ' duration="soon"', ' duration=""', " duration=3"];
    const all = keys.map((given) => `<keystrokes${given}>ls\n</keystrokes>`).join("\n");
    expect(typed(response(`<commands>${all}</commands>`))?.map(({ duration }) => duration)).toEqual([
      ...[undefined, 2, 0.5, undefined, undefined, undefined],
    ]);
  });

  it("ends with the message when the last tag is missing, and counts no keystrokes that do not end", () => {
    const open = "<response><commands><keystrokes>a\n</keystrokes><keystrokes>b\n</commands>";
    expect(typed(open)).toEqual([{ keystrokes: "a\n" }]);
    expect(readTerminus("<response><commands><keystrokes>a\n</keystrokes>")).toBeNull();
  });

  it("is the first of several responses, and of several commands", () => {
    const one = response(
      "<commands><keystrokes>a\n</keystrokes></commands><commands><keystrokes>b\n</keystrokes></commands>",
    );
    const both = `${one}\n${response("<commands><keystrokes>c\n</keystrokes></commands>")}`;
    expect(typed(both)).toEqual([{ keystrokes: "a\n" }]);
    expect(readTerminus(both)?.around).toContain("<keystrokes>c");
  });

  it("is complete by the word true, and empty by a tag that closes itself", () => {
    const said = (word: string) => readTerminus(response(`<commands/><task_complete>${word}</task_complete>`));
    expect([" True ", "false", "yes", ""].map((word) => said(word)?.isComplete)).toEqual([true, false, false, false]);
    expect(readTerminus(response("<task_complete>true</task_complete>"))?.commands).toEqual([]);
  });

  it("is none without such tags", () => {
    for (const message of ["", "<response>", response("<analysis>a</analysis>"), "<commands></commands>", "{}"]) {
      expect(readTerminus(message), message).toBeNull();
    }
  });

  it("in JSON may stand in a block of code, with words around it", () => {
    const json = '{"analysis": "a", "plan": "", "commands": []}';
    expect(readTerminus(`Here:\n\`\`\`json\n${json}\n\`\`\`\nDone.`)?.around).toBe("Here:\nDone.");
    expect(readTerminus(json)?.around).toBe("");
  });

  it("is read in no long time when nothing is closed", () => {
    const many = response(`<commands>${"<keystrokes duration=''>".repeat(100_000)}</commands>`);
    expect(processorMs(() => readTerminus(many + "<response>".repeat(50_000)))).toBeLessThan(1_000);
  });
});
