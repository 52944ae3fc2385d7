import { describe, expect, it } from "vitest";
import { processorMs } from "@/lib/test-support/processor-time";
import type { CallItem, ResultItem, Turn } from "@/lib/trajectory/schema";
import { turnsOf } from "@/lib/trajectory/schema";
import { type Ingested, ingest, openUpload } from "../ingest";
import type { Source } from "../source";

const START = "# aider chat started at 2025-01-02 03:04:05\n\n> Aider v0.75.1  \n";
const FENCE = "```";

const sourceOf = (text: string): Source => ({ name: "x.md", bytes: new TextEncoder().encode(text) });
const read = (text: string): Ingested => ingest(sourceOf(text));
const person = (text: string): string => `\n#### ${text}  \n`;
const said = (...lines: string[]): string => lines.map((line) => `> ${line}  \n`).join("");
const block = (search: string, replace: string): string =>
  `<<<<<<< SEARCH\n${search}=======\n${replace}>>>>>>> REPLACE\n`;
const answer = (text: string): string => `\n${text}\n\n`;

/** Each turn by its items: the words of messages, calls by tool and path, results by whether they are errors. */
function shown(turn: Turn): string[] {
  return turn.items.map((item) => {
    if (item.kind === "call")
      return `${item.tool} ${String(item.arguments?.path ?? item.arguments?.command ?? "")}`.trim();
    if (item.kind === "result") return item.isError === null ? "result" : item.isError ? "refused" : "applied";
    return `${item.author.role}: ${item.text}`;
  });
}
const turnsIn = (text: string): string[][] => turnsOf(read(text).trajectory).map(shown);
const contextsIn = ({ trajectory }: Ingested): string[] =>
  trajectory.entries.flatMap((entry) => (entry.kind === "context" ? [`${entry.contextKind} ${entry.text}`] : []));
const notesOf = ({ trajectory }: Ingested): Record<string, number> =>
  Object.fromEntries(trajectory.notes.map(({ code, count }) => [code, count]));
const callsIn = (text: string): CallItem[] =>
  turnsOf(read(text).trajectory).flatMap(({ items }) => items.filter((item) => item.kind === "call"));

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

describe("sessions of a chat history", () => {
  const two = `${START}${person("one")}${answer("A")}\n${START.replace("2025", "2026")}${person("two")}${answer("B")}`;

  /** Each part read from its own bytes, as its job does. */
  function parts(text: string): { name: string; outcome: string }[] {
    const source = sourceOf(text);
    const opened = openUpload(source);
    if (opened.kind === "one") return [];
    return opened.parts.map((part) => {
      const { start, end } = part.range ?? { start: 0, end: 0 };
      try {
        const { trajectory } = ingest({ ...source, bytes: source.bytes.subarray(start, end), part });
        const unread = trajectory.notes.find(({ code }) => code === "not_read")?.count ?? 0;
        return { name: part.name, outcome: `${turnsOf(trajectory).length} turns, ${unread} unread` };
      } catch (error) {
        return { name: part.name, outcome: error instanceof Error ? error.message : "" };
      }
    });
  }

  it("are parts with bytes of their own, and so is what stands before the first", () => {
    const before = `${person("earlier")}${answer("Z")}${said("Applied edit to a.py")}\n`;
    expect(parts(before + two)).toEqual([
      { name: "before the first start", outcome: "1 turns, 0 unread" },
      { name: "2025-01-02 03:04:05", outcome: "1 turns, 0 unread" },
      { name: "2026-01-02 03:04:05", outcome: "1 turns, 0 unread" },
    ]);
  });

  it("hold every byte between them, and their places count in the upload", () => {
    const source = sourceOf(two);
    const opened = openUpload(source);
    const ranges = opened.kind === "several" ? opened.parts.map(({ range }) => range) : [];
    expect(ranges[0]?.start).toBe(0);
    expect(ranges[0]?.end).toBe(ranges[1]?.start);
    expect(ranges[1]?.end).toBe(source.bytes.length);
    const part = opened.kind === "several" ? opened.parts[1] : undefined;
    const bytes = source.bytes.subarray(ranges[1]?.start, ranges[1]?.end);
    const { trajectory } = ingest({ ...source, bytes, ...(part === undefined ? {} : { part }) });
    const raw = turnsOf(trajectory)[0]?.items[0]?.raw[0];
    expect(two.slice(raw?.start ?? 0, raw?.end ?? 0)).toBe("B");
    expect(two.split("\n")[(raw?.line ?? 0) - 1]).toBe("B");
  });

  it("without a message say so", () => {
    const empty = `${START}\n${two.replaceAll("2025", "2024")}`;
    expect(parts(empty)[0]?.outcome).toBe("the trace holds no turns and no messages");
    expect(parts(empty)).toHaveLength(3);
  });

  it("that are later than the one around them are no quotation, also behind an open fence", () => {
    const killed = two.replace("A\n", `${FENCE}\nA\n`).replace("B\n", `${FENCE}\nB\n${FENCE}\n`);
    expect(parts(killed)).toHaveLength(2);
  });

  it("1,133 of them in 4 MB take time in proportion", () => {
    const session = (n: number): string => {
      const time = `2025-01-0${1 + (n % 9)} 03:04:05`;
      const edit = `a${n}.py\n${FENCE}python\n${block(`x = ${n}\n`, "y\n".repeat(150))}${FENCE}`;
      const turn = `${person(`request ${n}`)}${answer(`Words ${n}\n\n${edit}`)}${said("Tokens: 1k sent, 2 received.", `Applied edit to a${n}.py`)}`;
      return `\n# aider chat started at ${time}\n\n> Aider v0.75.1  \n${turn.repeat(8)}`;
    };
    const text = Array.from({ length: 1_133 }, (_, n) => session(n)).join("");
    const source = sourceOf(text);
    expect(source.bytes.length).toBeGreaterThan(4_000_000);
    let opened = openUpload(sourceOf(START));
    const tookMs = processorMs(() => {
      opened = openUpload(source);
    });
    const all = opened.kind === "several" ? opened.parts : [];
    expect(all).toHaveLength(1_133);
    expect(tookMs).toBeLessThan(5_000);
    const last = all.at(-1);
    const bytes = source.bytes.subarray(last?.range?.start, last?.range?.end);
    const { trajectory } = ingest({ ...source, bytes, ...(last === undefined ? {} : { part: last }) });
    expect(turnsOf(trajectory)).toHaveLength(8);
    // The same as one session: what a part costs does not hide what its lines cost.
    const one = sourceOf(text.replaceAll(/^# aider chat started.*$/gm, ""));
    let turns = 0;
    const oneMs = processorMs(() => {
      turns = turnsOf(ingest(one).trajectory).length;
    });
    expect(turns).toBe(1_133 * 8);
    expect(oneMs).toBeLessThan(10_000);
  });
});

describe("edits in the words of the assistant", () => {
  const edit = (lines: string, ...facts: string[]): string =>
    `${START}${person("go")}${answer(lines)}${said(...facts)}`;
  const only = block("a\n", "b\n");

  it.each([
    ["before the fence", `src/a.py\n${FENCE}python\n${only}${FENCE}`],
    ["inside the fence", `${FENCE}python\nsrc/a.py\n${only}${FENCE}`],
    ["bold, with a colon", `**src/a.py:**\n${FENCE}\n${only}${FENCE}`],
    ["in backticks behind a heading's signs", `## \`src/a.py\`\n${FENCE}\n${only}${FENCE}`],
    ["with a line number", `src/a.py:12\n${FENCE}\n${only}${FENCE}`],
    ["in place of the language", `${FENCE}src/a.py\n${only}${FENCE}`],
    ["by the name of the file alone", `a.py\n${FENCE}\n${only}${FENCE}`],
    ["nowhere, and aider names one file", `${FENCE}\n${only}${FENCE}`],
    ["without a fence", `src/a.py\n${only}`],
    ["in a fence of its own", `${FENCE}\nsrc/a.py\n${FENCE}\n${FENCE}python\n${only}${FENCE}`],
  ])("name their file %s", (_, lines) => {
    const [call, ...others] = callsIn(edit(lines, "Applied edit to src/a.py"));
    expect(others).toEqual([]);
    expect(call?.arguments).toMatchObject({ path: "src/a.py", search: "a\n", replace: "b\n" });
  });

  it("belong to the file of the block before when they name none", () => {
    const lines = `a.py\n${only}\nb.py\n${only}\nThen\n\n${only}`;
    expect(
      callsIn(edit(lines, "Applied edit to a.py", "Applied edit to b.py")).map((call) => call.arguments?.path),
    ).toEqual(["a.py", "b.py", "b.py"]);
  });

  it.each([5, 6, 9])("have markers of %d signs", (signs) => {
    const wide = only.replace(/([<=>])\1{6}/g, (_, sign: string) => sign.repeat(signs));
    expect(callsIn(edit(`a.py\n${wide}`, "Applied edit to a.py"))).toHaveLength(1);
  });

  it.each([4, 10])("are none with markers of %d signs", (signs) => {
    const wide = only.replace(/([<=>])\1{6}/g, (_, sign: string) => sign.repeat(signs));
    expect(callsIn(edit(`a.py\n${wide}`))).toEqual([]);
  });

  it("keep their lines, with the words around them apart", () => {
    const text = edit(`Before\n\na.py\n${FENCE}\n${only}${FENCE}\n\nAfter`, "Applied edit to a.py");
    expect(turnsIn(text)).toEqual([["agent: Before", "aider_search_replace a.py", "applied", "agent: After"]]);
    const raw = callsIn(text)[0]?.raw[0];
    expect(text.slice(raw?.start ?? 0, raw?.end ?? 0)).toBe(`\na.py\n${FENCE}\n${only}${FENCE}`.slice(1));
  });

  it("are refused one by one as aider quotes them, the others applied", () => {
    const facts = [
      "# 1 SEARCH/REPLACE block failed to match!",
      "",
      "## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in a.py",
      "<<<<<<< SEARCH",
      "two",
      "=======",
      "2",
      ">>>>>>> REPLACE",
      "",
      "# The other 1 SEARCH/REPLACE block were applied successfully.",
    ];
    const text = edit(`a.py\n${block("one\n", "1\n")}\na.py\n${block("two\n", "2\n")}`, ...facts);
    expect(turnsIn(text)[0]).toEqual([
      "aider_search_replace a.py",
      "applied",
      "aider_search_replace a.py",
      "refused",
      `harness: ${facts[0]}`,
    ]);
  });

  it.each([
    ["nothing is said", []],
    ["aider leaves them out", ["Did not apply edit to a.py (--dry-run)"]],
    ["they are not allowed", ["Skipping edits to a.py"]],
    ["the answer is not in the edit format", ["The LLM did not conform to the edit format."]],
  ])("are refused when %s", (_, facts) => {
    expect(turnsIn(edit(`a.py\n${only}`, ...facts))[0]?.slice(0, 2)).toEqual(["aider_search_replace a.py", "refused"]);
  });

  it("that nothing ends stay words, noted", () => {
    const found = read(edit("a.py\n<<<<<<< SEARCH\na\n=======\nb"));
    expect(callsIn(edit("a.py\n<<<<<<< SEARCH\na\n=======\nb"))).toEqual([]);
    expect(notesOf(found)).toEqual({ edit_block_open: 1 });
  });

  it("are not read from blocks for a shell", () => {
    expect(callsIn(edit(`${FENCE}bash\nset -e\ncat <<EOF\n${only}EOF\n${FENCE}`))).toEqual([]);
  });

  it("may be hunks without line numbers, each one call", () => {
    const diff = `${FENCE}diff\n--- a/a.py\n+++ b/a.py\n@@ ... @@\n-a\n+b\n@@ ... @@\n c\n\n+d\n${FENCE}`;
    expect(callsIn(edit(diff, "Applied edit to a.py")).map((call) => call.arguments)).toEqual([
      { path: "a.py", search: "a\n", replace: "b\n" },
      { path: "a.py", search: "c\n\n", replace: "c\n\nd\n" },
    ]);
    expect(callsIn(edit(diff))).toEqual([]);
  });

  it("may be whole files, when aider says that it wrote them", () => {
    const whole = `a.py\n${FENCE}\nx = 1\n${FENCE}`;
    expect(callsIn(edit(whole, "Applied edit to a.py"))[0]).toMatchObject({
      tool: "aider_whole_file",
      arguments: { path: "a.py", content: "x = 1\n" },
    });
    expect(callsIn(edit(whole))).toEqual([]);
  });

  it("that aider made and the words do not show are calls too", () => {
    expect(turnsIn(edit("Done.", "Applied edit to a.py"))[0]).toEqual(["agent: Done.", "aider_edit a.py", "applied"]);
  });
});

describe("what aider tells", () => {
  const usageOf = (line: string): Turn["usage"] | undefined =>
    turnsOf(read(`${START}${person("a")}${answer("b")}${said(line)}`).trajectory)[0]?.usage;

  it.each([
    ["Tokens: 12k sent, 1.2k received. Cost: $0.01 message, $0.05 session.", [12_000, null, 1_200, 0.01]],
    ["Tokens: 5,244 sent, 371 received. Cost: $0.02 request, $0.12 session.", [5_244, null, 371, 0.02]],
    ["Tokens: 2.6k sent, 3k cache write, 1.1k cache hit, 9 received.", [2_600, 1_100, 9, null]],
    ["Tokens: 1.5M sent, 0 received.", [1_500_000, null, 0, null]],
  ])("of tokens and cost: %s", (line, [inputTokens, cachedTokens, outputTokens, costUsd]) => {
    expect(usageOf(line)).toEqual({ inputTokens, cachedTokens, outputTokens, costUsd });
  });

  it("of the session's cost counts once, as last told", () => {
    const tokens = (cost: string): string =>
      said(`Tokens: 1k sent, 1 received. Cost: $0.01 message, $${cost} session.`);
    const text = `${START}${person("a")}${answer("b")}${tokens("0.05")}${person("c")}${answer("d")}${tokens("0.09")}`;
    expect(read(text).trajectory.totals).toMatchObject({ inputTokens: 2_000, costUsd: 0.09 });
  });

  it("of models holds until another is told", () => {
    const first = said("Main model: gpt-4o with diff edit format", "Weak model: gpt-4o-mini");
    const then = said("Models: claude-3-5-sonnet-20240620 with ♾️ diff edit format, weak model claude-3-haiku-20240307");
    const text = `${START}${first}${person("a")}${answer("b")}${person("/model sonnet")}${then}${person("c")}${answer("d")}`;
    const { trajectory } = read(text);
    expect(turnsOf(trajectory).map(({ model }) => model)).toEqual(["gpt-4o", "claude-3-5-sonnet-20240620"]);
    expect(trajectory.models).toEqual([
      "gpt-4o",
      "gpt-4o-mini",
      "claude-3-5-sonnet-20240620",
      "claude-3-haiku-20240307",
    ]);
    expect(trajectory.framework.version).toBe("0.75.1");
  });

  it("of a command that it ran is a call, of one that it only suggests is not", () => {
    const text = (reply: string, ...more: string[]): string =>
      `${START}${person("a")}${answer("b")}${said("make", `Run shell command? (Y)es/(N)o [Yes]: ${reply}`, ...more)}`;
    expect(callsIn(text("y", "Running make"))[0]).toMatchObject({
      callKind: "execute",
      arguments: { command: "make" },
    });
    expect(callsIn(text("n"))).toEqual([]);
  });
});

describe("what a person does between turns", () => {
  const turn = (path: string, commit: string): string =>
    `${person("go")}${answer(`${path}\n${block("a\n", "b\n")}`)}${said(`Applied edit to ${path}`, `Commit ${commit} done`)}`;

  it("stands at the end of the turn before, as a call of the person", () => {
    const text = `${START}${turn("a.py", "1a2b3c4")}${person("/run make test")}${said("ok")}${person("!ls")}${person("/git status")}`;
    const calls = callsIn(text).filter(({ author }) => author.role === "person");
    expect(calls.map((call) => call.arguments)).toEqual([
      { command: "make test" },
      { command: "ls" },
      { command: "git status" },
    ]);
    expect(contextsIn(read(text)).filter((one) => one.includes("make"))).toEqual([]);
  });

  it("before the first turn is context", () => {
    expect(contextsIn(read(`${START}${person("/run make")}${said("ok")}${person("a")}${answer("b")}`))).toContain(
      "person /run make",
    );
  });

  it("with /undo takes back the edits of the commit that aider names", () => {
    const removed = said("Removed: 1a2b3c4 done", "Now at:  0000000 before");
    const text = `${START}${turn("a.py", "1a2b3c4")}${person("/undo")}${removed}`;
    expect(callsIn(text).at(-1)).toMatchObject({
      tool: "aider_undo",
      author: { role: "person" },
      arguments: { commits: ["1a2b3c4"], files: [{ path: "a.py", edits: 1 }] },
    });
    const other = read(`${START}${turn("a.py", "1a2b3c4")}${person("/undo")}${said("Removed: fffffff x")}`);
    expect(notesOf(other)).toEqual({ undo_not_followed: 1 });
    const refused = read(`${START}${turn("a.py", "1a2b3c4")}${person("/undo")}${said("No git repository found.")}`);
    const result = turnsOf(refused.trajectory)[0]?.items.findLast((item): item is ResultItem => item.kind === "result");
    expect(result).toMatchObject({ isError: true, text: "No git repository found." });
  });
});

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

  it("tell the same words said twice from words that stand there again", () => {
    const found = read(
      request(0, [message("USER", "again")], "A") +
        request(2, [message("USER", "again"), message("ASSISTANT", "A"), message("USER", "again")], "B"),
    );
    expect(contextsIn(found)).toEqual(["task again", "person again"]);
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

  it("may begin in the middle", () => {
    const found = read(`USER cut off\n${request(0, [message("USER", "a")], "b")}`);
    expect(contextsIn(found)[0]).toBe("opaque USER cut off");
  });
});

describe("odd bytes", () => {
  const text = `${START}${person("a")}${answer("b")}`;

  it("of Windows line ends and of a byte order mark change nothing but the notes", () => {
    const plain = read(text).trajectory;
    const { trajectory } = read(`\ufeff${text.replaceAll("\n", "\r\n")}`);
    expect(trajectory.task).toEqual(plain.task);
    expect(turnsOf(trajectory).map(shown)).toEqual(turnsOf(plain).map(shown));
    expect(trajectory.notes.map(({ code }) => code)).toEqual(["windows_line_end"]);
  });

  it("that are not text are replaced and noted", () => {
    const bytes = new TextEncoder().encode(text.replace("\nb\n", "\nb\u0000~\n"));
    bytes[bytes.indexOf(0x7e)] = 0xff;
    const found = ingest({ name: "x", bytes });
    expect(turnsOf(found.trajectory).map(shown)).toEqual([["agent: b\ufffd\ufffd"]]);
    expect(notesOf(found)).toEqual({ invalid_utf8: 1, nul_character: 1 });
  });
});

describe("hostile histories", () => {
  const many = 30_000;
  it.each([
    ["fences", `${FENCE}\n`.repeat(many)],
    ["fences with a language", `${FENCE}js\n`.repeat(many)],
    ["blocks", `a.py\n${block("a\n", "b\n")}`.repeat(many / 5)],
    ["blocks of which only the first marker is there", "<<<<<<< SEARCH\n".repeat(many)],
    ["starts in a fence", `${FENCE}\n${`\n${START}`.repeat(many / 5)}${FENCE}`],
    ["a line of signs", "*".repeat(many * 10)],
    ["aider's lines", said("Applied edit to a.py").repeat(many)],
    [
      "quoted blocks",
      said(
        "## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in a.py",
        "<<<<<<< SEARCH",
      ).repeat(many / 3),
    ],
  ])("take bounded time: %s", (_, middle) => {
    const text = `${START}${person("a")}${answer("b")}${answer(middle)}${said("Applied edit to a.py")}${middle}`;
    const tookMs = processorMs(() => {
      const opened = openUpload(sourceOf(text));
      if (opened.kind === "one") opened.read(() => undefined);
    });
    expect(tookMs).toBeLessThan(5_000);
  });
});
