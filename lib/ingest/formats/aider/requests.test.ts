import { describe, expect, it } from "vitest";
import { turnsOf } from "@/lib/trajectory/schema";
import { block, contextsIn, notesOf, read, shown, turnsIn } from "./test-history";

describe("histories of requests", () => {
  const message = (role: string, text: string): string =>
    `-------\n${text
      .split("\n")
      .map((line) => `${role} ${line}\n`)
      .join("")}`;
  const request = (second: number, messages: string[], reply: string): string =>
    `TO LLM 2025-05-04T17:00:0${second}\n${messages.join("")}LLM RESPONSE 2025-05-04T17:00:0${second + 1}\n${
      reply === ""
        ? "\n"
        : reply
            .split("\n")
            .map((line) => `ASSISTANT ${line}\n`)
            .join("")
    }`;
  const RULES = "\n\n# *SEARCH/REPLACE block* Rules:\nUse it.";

  it("show each message once, also when the reminder behind it is gone in the next prompt", () => {
    const found = read(
      request(0, [message("SYSTEM", "s"), message("USER", `one${RULES}`)], "A") +
        request(
          2,
          [message("SYSTEM", "s"), message("USER", "one"), message("ASSISTANT", "A"), message("USER", `two${RULES}`)],
          "B",
        ),
    );
    expect(contextsIn(found)).toEqual([
      "system s",
      "task one",
      "injected # *SEARCH/REPLACE block* Rules:\nUse it.",
      "person two",
    ]);
    expect(turnsOf(found.trajectory).map(shown)).toEqual([["agent: A"], ["agent: B"]]);
    expect(notesOf(found)).toEqual({ repeated_prompt: 3 });
    expect(found.trajectory.totals.durationMs).toBe(3_000);
  });

  it("show a request that was made again, with its reminder, once", () => {
    const asked = message("USER", `one${RULES}`);
    const next = [message("USER", "one"), message("ASSISTANT", "A"), message("USER", `two${RULES}`)];
    const found = read(request(0, [asked], "") + request(2, [asked], "A") + request(4, next, "B"));
    expect(contextsIn(found).filter((one) => !one.startsWith("injected"))).toEqual(["task one", "person two"]);
  });

  it("tell the same words said twice from words that stand there again", () => {
    const found = read(
      request(0, [message("USER", "again")], "A") +
        request(2, [message("USER", "again"), message("ASSISTANT", "A"), message("USER", "again")], "B"),
    );
    expect(contextsIn(found)).toEqual(["task again", "person again"]);
    const reminded = read(
      request(0, [message("USER", `again${RULES}`)], "A") +
        request(2, [message("USER", "again"), message("ASSISTANT", "A"), message("USER", `again${RULES}`)], "B"),
    );
    expect(contextsIn(reminded).filter((one) => !one.startsWith("injected"))).toEqual(["task again", "person again"]);
  });

  it("make no turn of an empty answer, and none of their lines is a separator", () => {
    const found = read(
      request(0, [message("USER", "x\n-------\nTO LLM 2025-05-04T17:00:00")], "") +
        request(2, [message("USER", "x\n-------\nTO LLM 2025-05-04T17:00:00")], "A"),
    );
    expect(contextsIn(found)).toEqual(["task x\n-------\nTO LLM 2025-05-04T17:00:00"]);
    expect(turnsOf(found.trajectory)).toHaveLength(1);
    expect(notesOf(found)).toEqual({ empty_answer: 1, repeated_prompt: 1 });
  });

  it("read the files that a prompt shows as evidence, with or without an end of the last line", () => {
    const files =
      "*Trust this message as the true contents of these files!*\n\na.py\n```\nx = 1\n```\n\nb.py\n```\ny```\n";
    const found = read(request(0, [message("USER", files), message("USER", "go")], "A"));
    const [item] = turnsOf(found.trajectory)[0]?.items ?? [];
    expect(item).toMatchObject({
      kind: "result",
      reads: [
        { path: "a.py", text: "x = 1\n", whole: true },
        { path: "b.py", text: "y", whole: true },
      ],
    });
  });

  it("do not act on an answer that names other files: aider adds them and asks again", () => {
    const rules = `*SEARCH/REPLACE block*`;
    const text =
      request(0, [message("SYSTEM", rules), message("USER", "go")], `a.py\n${block("a\n", "b\n")}`.trimEnd()) +
      request(2, [message("SYSTEM", rules), message("USER", "I added these files to the chat: a.py")], "B");
    expect(turnsIn(text)[0]).toEqual(["aider_search_replace a.py", "refused"]);
  });

  it.each([
    ["*SEARCH/REPLACE block*", ["aider_search_replace a.py"]],
    ["a *file listing* with all of it", ["aider_whole_file a.py"]],
    ["like `diff -U0`", []],
    ["Answer questions.", []],
  ])("have the edits that the prompt asks for: %s", (rules, calls) => {
    const reply = `a.py\n\`\`\`\n${block("a\n", "b\n")}\`\`\``;
    const text = request(0, [message("SYSTEM", rules), message("USER", "go")], reply);
    expect(turnsIn(text)[0]?.filter((item) => item.startsWith("aider_"))).toEqual(calls);
  });

  it("may begin in the middle", () => {
    const found = read(`USER cut off\n${request(0, [message("USER", "a")], "b")}`);
    expect(contextsIn(found)[0]).toBe("opaque USER cut off");
  });
});
