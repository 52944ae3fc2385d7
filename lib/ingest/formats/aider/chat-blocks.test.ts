import { describe, expect, it } from "vitest";
import { turnsOf } from "@/lib/trajectory/schema";
import { openUpload } from "../../ingest";
import {
  answer,
  callsIn,
  contextsIn,
  FENCE,
  notesOf,
  person,
  read,
  START,
  said,
  shown,
  sourceOf,
  turnsIn,
} from "./test-history";

describe("who wrote a line of a chat history", () => {
  it("tells a person's and aider's lines by the blanks behind them, and notes the others", () => {
    const found = read(
      `${START}${person("one")}${answer("Words\n\n#### A heading\n\n> a quotation")}${said("Tokens: 1 sent, 2 received.")}`,
    );
    expect(turnsOf(found.trajectory).map(shown)).toEqual([
      ["agent: Words\n\n#### A heading\n\n> a quotation", "harness: Tokens: 1 sent, 2 received."],
    ]);
    expect(notesOf(found)).toEqual({ read_as_answer: 2 });
    expect(found.trajectory.notes[0]?.positions[0]).toMatchObject({ line: 9 });
  });

  it("takes all lines of a person's words, empty ones too, as one", () => {
    const { trajectory } = read(`${START}\n#### a  \n####   \n#### b  \n${answer("Ok.")}`);
    expect(trajectory.task.statement).toBe("a\n\nb");
  });

  it("without such blanks reads a heading behind the assistant's words as the assistant's", () => {
    const plain =
      "# aider chat started at 2025-01-02 03:04:05\n\n#### one\nWords\n#### heading\nmore\n> Applied edit to a\n\n#### two\nEnd\n";
    expect(turnsIn(plain)).toEqual([["agent: Words\n#### heading\nmore", "aider_edit a", "applied"], ["agent: End"]]);
    expect(notesOf(read(plain))).toMatchObject({ read_as_answer: 1 });
  });

  it("takes quotations without a blank for aider's in a published chat", () => {
    const page = `<div class="chat-transcript" markdown="1">\n#### /run it\n\n>Output\n>\n> More\n\n#### hi\n\nHello\n`;
    expect(contextsIn(read(page))).toContain("metadata Output\n\nMore");
    expect(turnsIn(page)).toEqual([["agent: Hello"]]);
  });

  it("leaves what stands in a closed fence to the assistant, a whole other history included", () => {
    const quoted = `${FENCE}\n\n${START}${person("old")}${said("Applied edit to a.py")}${FENCE}`;
    const text = `${START}${person("what was said?")}${answer(quoted)}${said("Tokens: 1 sent, 2 received.")}`;
    expect(openUpload(sourceOf(text)).kind).toBe("one");
    const found = read(text);
    expect(turnsOf(found.trajectory)).toHaveLength(1);
    expect(callsIn(text)).toEqual([]);
    expect(notesOf(found)).toEqual({ quoted_in_fence: 3 });
  });

  it.each([
    ["another fence opens", ""],
    ["the run was interrupted", said("", "^C again to exit")],
  ])("does not take the lines behind an open fence for quoted when %s", (_, between) => {
    const rest = between === "" ? `${FENCE}python\nx\n${FENCE}` : `${FENCE}\nx\n${FENCE}`;
    const text = `${START}${person("one")}${answer(`${FENCE}js\nlet`)}${between}${person("two")}${answer(rest)}`;
    expect(contextsIn(read(text)).slice(-1)).toEqual(["person two"]);
    expect(turnsIn(text)).toHaveLength(2);
  });

  it("makes a turn of each message that follows output which aider gives to the model", () => {
    const text = `${START}${person("one")}${answer("A")}${said("# Fix any errors below, if possible.")}${answer("B")}${said("1 failed")}${answer("C")}`;
    expect(turnsIn(text)).toHaveLength(3);
  });

  it("keeps words before the first line of anyone as context", () => {
    expect(contextsIn(read(`A page.\n\n<div class="chat-transcript" markdown="1">\n\n#### hi\n\nHello\n`))[0]).toBe(
      "metadata A page.",
    );
  });
});
