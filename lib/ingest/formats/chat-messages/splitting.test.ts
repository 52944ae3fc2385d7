import { describe, expect, it } from "vitest";
import { turnsOf } from "@/lib/trajectory/schema";
import { type Opened, openUpload } from "../../ingest";
import { encode, encodeLines, task } from "./test-messages";

const a1 = { role: "assistant", content: "One." };
const a2 = { role: "assistant", content: "Two." };
const more = { role: "user", content: "More." };
const other = { role: "user", content: "Something else." };

function several(bytes: Uint8Array): Extract<Opened, { kind: "several" }> {
  const opened = openUpload({ name: "x", bytes });
  if (opened.kind === "one") throw new Error("one trajectory");
  return opened;
}

/** Each part read as its job reads it: from its own bytes, or from all of them by its key. */
function readParts(bytes: Uint8Array) {
  return several(bytes).parts.map((part) => {
    const own = part.range ? bytes.subarray(part.range.start, part.range.end) : bytes;
    const opened = openUpload({ name: "x", bytes: own, part });
    if (opened.kind === "several") throw new Error("a part of several");
    return opened.read(() => undefined).trajectory;
  });
}

const saidIn = (trajectory: ReturnType<typeof readParts>[number]): string[] =>
  turnsOf(trajectory).flatMap((turn) => turn.items.map((item) => (item.kind === "message" ? item.text : item.kind)));

describe("several conversations in one file", () => {
  it("are a part each, named by their identifiers or their number, and cover the file", () => {
    const bytes = encodeLines([{ messages: [task, a1], id: "fix-1" }, { messages: [other, a2] }]);
    const { parts, notes } = several(bytes);
    expect(parts.map(({ key, name }) => [key, name])).toEqual([
      ["1", "fix-1"],
      ["2", "Conversation 2"],
    ]);
    expect(notes).toEqual([]);
    expect(readParts(bytes).map(saidIn)).toEqual([["One."], ["Two."]]);
  });

  it("keep what continues together: of a log of requests each conversation is one part, with its repeats counted", () => {
    const log = [{ messages: [task, a1] }, { messages: [task, a1, more, a2] }, { messages: [other, a1] }];
    const trajectories = readParts(encodeLines(log));
    expect(trajectories.map(saidIn)).toEqual([["One.", "Two."], ["One."]]);
    expect(trajectories.map(({ notes }) => notes.find(({ code }) => code === "repeated_message")?.count)).toEqual([
      2,
      undefined,
    ]);
  });

  it("have their positions in the upload", () => {
    const bytes = encodeLines([{ messages: [task, a1] }, { messages: [other, a2] }]);
    const item = readParts(bytes)[1]?.entries.flatMap((entry) => (entry.kind === "turn" ? entry.items : []))[0];
    const { start, end } = item?.raw[0] ?? {};
    expect(new TextDecoder().decode(bytes.subarray(start ?? 0, end ?? 0))).toBe(JSON.stringify(a2));
  });

  it("are found in a list too, with their pointers and lines; several elements of one are picked out by their key", () => {
    const list = [{ messages: [task, a1] }, { messages: [task, a1, more, a2] }, { messages: [other, a1] }];
    const bytes = new TextEncoder().encode(JSON.stringify(list, null, 1));
    const { parts } = several(bytes);
    expect(parts.map(({ key, range }) => [key, range?.pointer, range?.line])).toEqual([
      ["0", undefined, undefined],
      ["2", "/2", new TextDecoder().decode(bytes).split("\n").lastIndexOf(" {") + 1],
    ]);
    const [first, second] = readParts(bytes);
    expect(first && saidIn(first)).toEqual(["One.", "Two."]);
    expect(second && saidIn(second)).toEqual(["One."]);
    expect(first?.notes.map(({ code }) => code)).not.toContain("not_read");
    const item = second?.entries.flatMap((entry) => (entry.kind === "turn" ? entry.items : []))[0];
    expect(item?.raw[0]?.pointer).toBe("/2/messages/1");
  });

  it("make parts of what is none, so that a row says so; inside one conversation it stays in it", () => {
    const line = (value: unknown): string => JSON.stringify(value);
    const lines = [line({ messages: [task, a1] }), "{broken", line({ messages: [task, a1, more] })];
    const rest = ['{"half": ', line({ messages: [other, a2] }), line({ note: "the end" })];
    const bytes = new TextEncoder().encode([...lines, ...rest].join("\n"));
    const { parts } = several(bytes);
    expect(parts.map(({ key, name, range }) => [key, name, range?.line])).toEqual([
      ["1", "Conversation 1", 1],
      ["4", "line 4", 4],
      ["5", "Conversation 2", 5],
      ["6", "line 6", 6],
    ]);
    const broken = parts[1];
    if (!broken?.range) throw new Error("it has a range");
    const own = bytes.subarray(broken.range.start, broken.range.end);
    expect(() => openUpload({ name: "x", bytes: own, part: broken })).toThrow(
      expect.objectContaining({
        at: expect.objectContaining({ line: 4 }),
        message: expect.not.stringMatching(/line 1/),
      }),
    );
  });

  it("are two when a request goes back and goes on differently", () => {
    const trajectories = readParts(encodeLines([{ messages: [task, a1] }, { messages: [task, a2] }]));
    expect(trajectories.map(saidIn)).toEqual([["One."], ["Two."]]);
  });

  it("are not seen where records are messages, or where all continue each other", () => {
    for (const one of [
      encodeLines([task, a1, more, a2]),
      encodeLines([{ messages: [task, a1] }, { messages: [task, a1, more] }]),
      encodeLines([{ messages: [task, a1] }, { messages: [task, a1, more] }, { note: "the end" }]),
      encode({ messages: [task, a1] }),
    ]) {
      expect(openUpload({ name: "x", bytes: one }).kind).toBe("one");
    }
  });
});
