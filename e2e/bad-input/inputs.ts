import { traceOf } from "../forensics/runs";
import { sessionRun } from "../forensics/sessions";

/** What a person has to see of a bad input: a reason with its place, or the run with what was repaired. */
export type Expected =
  | { status: "failed"; code: string; words: RegExp }
  | { status: "ready"; turns: number; notes: Record<string, number>; shown?: string };

export interface BadInput {
  name: string;
  /** Makes the file; `marker` makes its bytes its own, so that no upload is a duplicate. */
  make: (marker: string) => string | Buffer;
  expected: Expected;
}

const STEPS = [
  {
    thought: "There is no module yet.",
    action: "str_replace_editor create /work/shop/one.py --file_text 'ONE = 1\n'",
    observation: "File created successfully at: /work/shop/one.py\n",
  },
  { thought: "Run the tests.", action: "python -m pytest -q", observation: "MARK 1 passed\n" },
];
const run = (marker: string): string => traceOf(STEPS, { marker, task: "Write the module." });

/** The lines of a session: a task, two calls and their results. */
const session = (marker: string): string[] => sessionRun(marker).split("\n");
const changed = (marker: string, n: number, change: (line: string) => string): string =>
  session(marker)
    .map((line, at) => (at === n ? change(line) : line))
    .join("\n");

/** Bytes in place of a word, which may be none that UTF-8 allows. */
function withBytes(text: string, word: string, bytes: readonly number[]): Buffer {
  const at = Buffer.from(text).indexOf(word);
  if (at === -1) throw new Error(`${word} is not in the text`);
  const whole = Buffer.from(text);
  return Buffer.concat([whole.subarray(0, at), Buffer.from(bytes), whole.subarray(at + word.length)]);
}

const BOM = "\ufeff";
const PATH = '"file_path":"/work/shop/price.py"';
const EVIL = '"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},';
const DEEP = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
const long = (megabytes: number, line: string): string => line.repeat((megabytes * 1_000_000) / line.length);
const ready = (notes: Record<string, number>, turns = 2, shown?: string): Expected => ({
  status: "ready",
  turns,
  notes,
  ...(shown ? { shown } : {}),
});
const failed = (code: string, words: RegExp): Expected => ({ status: "failed", code, words });

const OF_NO_FORMAT: BadInput[] = [
  {
    name: "empty.traj",
    make: () => "",
    expected: failed("empty", /Line 1, byte 0: the file is empty\. Export or copy/),
  },
  {
    name: "blank.jsonl",
    make: (marker) => " \r\n".repeat(40 + (marker.length % 7)),
    expected: failed("empty", /the file is empty/),
  },
  {
    name: "not-a-trace.txt",
    make: (marker) => `Dear diary, ${marker}\n`,
    expected: failed("not_a_trace", /Nothing in this file looks like the trace.* Upload the file that the agent/),
  },
  {
    name: "X3-tags.yaml",
    make: (marker) =>
      `# ${marker}\nrun: !!python/object/apply:os.system ["id"]\ncall: !!js/function "function () {}"\n`,
    expected: failed("not_a_trace", /Nothing in this file looks like the trace/),
  },
  {
    name: "other.json",
    make: (marker) => JSON.stringify({ marker, prices: [1, 2] }),
    expected: failed("not_a_trace", /Nothing in this file/),
  },
  {
    name: "picture.traj",
    make: (marker) => Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]), Buffer.from(marker)]),
    expected: failed("not_a_trace", /Nothing in this file/),
  },
  {
    name: "packed.traj",
    make: (marker) => Buffer.concat([Buffer.from([0x1f, 0x8b, 8, 0]), Buffer.from(marker)]),
    expected: failed("malformed", /the archive is damaged: .*copy the whole file again/i),
  },
];

const OF_SWE_AGENT: BadInput[] = [
  {
    name: "truncated.traj",
    make: (marker) => run(marker).slice(0, 300),
    expected: failed("malformed", /Line 1, byte 300: the JSON ends inside .*"trajectory".* copy the whole file again/),
  },
  {
    name: "nan.traj",
    make: (marker) => run(marker).replace('"execution_time":0.21', '"execution_time":NaN'),
    expected: ready({ non_finite_number: 1 }),
  },
  {
    name: "X3-tags-in-a-result.traj",
    make: (marker) => run(marker).replaceAll("MARK", "call: !!js/function 'function () {}'"),
    expected: ready({}, 2, "call: !!js/function 'function () {}' 1 passed"),
  },
  {
    name: "duplicate-keys.traj",
    make: (marker) => run(marker).replace('{"thought":"Run', '{"thought":"earlier","thought":"Run'),
    expected: ready({ duplicate_key: 1 }, 2, "Run the tests."),
  },
  {
    name: "nul-and-surrogates.traj",
    make: (marker) => run(marker).replaceAll("MARK", "\\u0000\\ud83d and \\udc00"),
    // Once in the observation, and once in the history.
    expected: ready({ nul_character: 2, lone_surrogate: 4 }, 2, "\ufffd\ufffd and \ufffd 1 passed"),
  },
  {
    name: "deep.traj",
    make: (marker) => run(marker).replace('"extra_info":{}', `"extra_info":${DEEP}`),
    expected: failed("too_deep", /Line 1, byte [\d,]+: the JSON is nested deeper than 512 levels.* take the part/),
  },
  {
    name: "proto.traj",
    make: (marker) =>
      run(marker)
        .replaceAll("{", (brace) => `${brace}${EVIL}`)
        .replaceAll(`${EVIL}}`, `${EVIL.slice(0, -1)}}`),
    expected: ready({}, 2, "Run the tests."),
  },
  {
    name: "one-line-of-15-mb.traj",
    make: (marker) => run(marker).replace("MARK", long(15, "x")),
    expected: ready({ answer_differs: 1 }),
  },
  {
    name: "not-utf8.traj",
    make: (marker) => withBytes(run(marker), "MARK", [0xff, 0xfe, 0x41]),
    expected: ready({ invalid_utf8: 2 }, 2, "\ufffd\ufffdA 1 passed"),
  },
  { name: "bom.traj", make: (marker) => BOM + run(marker), expected: ready({}, 2, "Run the tests.") },
  {
    name: "no-turns-no-words.traj",
    make: (marker) => JSON.stringify({ environment: marker, trajectory: [], history: [], info: {} }),
    expected: failed("no_content", /The trace holds no turns and no messages\. The run may have ended/),
  },
  {
    name: "zero-turns.traj",
    make: (marker) => traceOf([], { marker, task: "Nothing was done." }),
    expected: ready({}, 0),
  },
  {
    name: "call-without-result.traj",
    make: (marker) => run(marker).replace('"observation":"MARK 1 passed\\n",', ""),
    expected: ready({ answer_differs: 1 }, 2, "MARK 1 passed"),
  },
  {
    name: "result-without-call.traj",
    make: (marker) => run(marker).replaceAll("python -m pytest -q", ""),
    expected: ready({ format_error_step: 1 }, 2, "MARK 1 passed"),
  },
  {
    name: "repeated-steps.traj",
    make: (marker) => traceOf([...STEPS, ...STEPS, ...STEPS], { marker, task: "Again and again." }),
    expected: ready({}, 6, "MARK 1 passed"),
  },
  {
    name: "observation-of-12-mb.traj",
    make: (marker) => run(marker).replaceAll("MARK", long(12, "a row of the log\\n")),
    expected: ready({}, 2, "a row of the log"),
  },
];

const OF_CLAUDE_CODE: BadInput[] = [
  {
    name: "truncated.jsonl",
    make: (marker) => sessionRun(marker).slice(0, -60),
    expected: ready({ line_not_understood: 1 }),
  },
  {
    name: "bad-lines.jsonl",
    make: (marker) => {
      const [first = "", ...rest] = session(marker);
      return [first, '{"broken', "not JSON", "[1, 2]", '"words"', "{}", ...rest].join("\r\n");
    },
    expected: ready({ line_not_understood: 5 }),
  },
  {
    name: "nan.jsonl",
    make: (marker) => changed(marker, 1, (line) => line.replace('"input_tokens":10', '"input_tokens":NaN')),
    expected: ready({ non_finite_number: 1 }),
  },
  {
    name: "duplicate-keys.jsonl",
    make: (marker) => changed(marker, 1, (line) => line.replace("{", '{"uuid":"earlier",')),
    expected: ready({ duplicate_key: 1 }),
  },
  {
    name: "nul-and-surrogates.jsonl",
    make: (marker) => changed(marker, 2, (line) => line.replace("File created", "\\u0000\\udfff File created")),
    expected: ready({ nul_character: 1, lone_surrogate: 1 }, 2, "\ufffd\ufffd File created"),
  },
  {
    name: "deep.jsonl",
    make: (marker) => `${sessionRun(marker)}\n{"type":"user","deep":${DEEP}}\n`,
    expected: ready({ line_not_understood: 1 }),
  },
  {
    name: "proto.jsonl",
    make: (marker) => sessionRun(marker).replaceAll(PATH, `"__proto__":{"isAdmin":true},${PATH}`),
    expected: ready({}, 2, '"isAdmin": true'),
  },
  {
    name: "one-line-of-15-mb.jsonl",
    make: (marker) => changed(marker, 2, (line) => line.replace("File created", `${long(15, "x")} File created`)),
    expected: ready({}, 2, "xxxxxxxx"),
  },
  {
    name: "not-utf8.jsonl",
    make: (marker) => withBytes(sessionRun(marker), "File created", [0xc3, 0x28, 0xff]),
    expected: ready({ invalid_utf8: 2 }, 2, "\ufffd(\ufffd success"),
  },
  { name: "bom.jsonl", make: (marker) => BOM + sessionRun(marker), expected: ready({}, 2, "File created") },
  { name: "zero-turns.jsonl", make: (marker) => session(marker)[0] ?? "", expected: ready({}, 0) },
  {
    name: "call-without-result.jsonl",
    make: (marker) => session(marker).slice(0, 2).join("\n"),
    expected: ready({}, 1),
  },
  {
    name: "result-without-call.jsonl",
    make: (marker) => [session(marker)[0], ...session(marker).slice(2)].join("\n"),
    expected: ready({ result_without_call: 1 }, 1),
  },
  {
    name: "repeated-ids.jsonl",
    make: (marker) =>
      sessionRun(marker)
        .replaceAll(/toolu_\d/g, "toolu_0")
        .replaceAll(/msg_\d/g, "msg_0"),
    // One message identifier for both calls: one turn of two calls, each with its own result.
    expected: ready({}, 1, "File created"),
  },
  {
    name: "observation-of-12-mb.jsonl",
    make: (marker) =>
      changed(marker, 2, (line) => line.replace("File created", `${long(12, "a row of the log\\n")} File created`)),
    expected: ready({}, 2, "a row of the log"),
  },
];

/** Every bad input that is written by hand for one format, or for none. */
export const BAD_INPUTS: readonly BadInput[] = [...OF_NO_FORMAT, ...OF_SWE_AGENT, ...OF_CLAUDE_CODE];
