import { describe, expect, it } from "vitest";
import { processorMs } from "@/lib/test-support/processor-time";
import { turnsOf } from "@/lib/trajectory/schema";
import { ingest, openUpload } from "../ingest";
import { answer, block, FENCE, notesOf, person, read, START, said, shown, sourceOf } from "./aider/test-history";

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

describe("odd bytes", () => {
  const text = `${START}${person("a")}${answer("b")}`;

  it("of Windows line ends and of a byte order mark change nothing but the notes", () => {
    const plain = read(text).trajectory;
    const { trajectory } = read(`\ufeff${text.replaceAll("\n", "\r\n")}`);
    expect(trajectory.task).toEqual(plain.task);
    const odd = new TextEncoder().encode(`\ufeff${text.replaceAll("\n", "\r\n")}`);
    const raw = turnsOf(trajectory)[0]?.items[0]?.raw[0];
    expect(new TextDecoder().decode(odd.subarray(raw?.start ?? 0, raw?.end ?? 0)).trim()).toBe("b");
    expect(raw?.start).toBe(odd.lastIndexOf(0x62));
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
