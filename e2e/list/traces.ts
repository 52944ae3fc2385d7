import type { TestFile } from "../harness/upload";

/** What a made-up run is about. `mark` makes its bytes unlike those of every other test. */
export interface TraceOptions {
  mark: string;
  /** Turns that read before the one that writes. */
  reads?: number;
  /** Bytes of blanks inside the document, to make the file as large as a test needs. */
  padding?: number;
}

/** A small SWE-agent 1.x run in the real shape: it reads a file some times, changes it, and submits. */
export function trace({ mark, reads = 1, padding = 0 }: TraceOptions): string {
  const state = { working_dir: "/ledger", diff: "" };
  const read = (n: number) => ({
    action: "str_replace_editor view /ledger/split.py",
    observation: `Here's the result of running \`cat -n\` on /ledger/split.py:\n     1\tdef split(total, people):\n     2\t    return [total / people] * people\n\n`,
    response: "",
    thought: `${mark}: look at the module, time ${n + 1}.`,
    execution_time: 0.5,
    state,
    query: [],
    extra_info: {},
  });
  const write = {
    action:
      "str_replace_editor str_replace /ledger/split.py --old_str '    return [total / people] * people' --new_str '    return [round(total / people, 2)] * people'",
    observation:
      "The file /ledger/split.py has been edited. Here's the result of running `cat -n` on a snippet of /ledger/split.py:\n     1\tdef split(total, people):\n     2\t    return [round(total / people, 2)] * people\nReview the changes and make sure they are as expected. Edit the file again if necessary.",
    response: "",
    thought: "Rounding each share is enough.",
    execution_time: 0.5,
    state,
    query: [],
    extra_info: {},
  };
  const submit = {
    action: "submit",
    observation: "",
    response: "",
    thought: "Done.",
    execution_time: 0.1,
    state,
    query: [],
    extra_info: {},
  };
  const trajectory = [...Array.from({ length: reads }, (_, n) => read(n)), write, submit];
  const text = JSON.stringify(
    {
      trajectory,
      history: [],
      info: {
        exit_status: "submitted",
        submission: "",
        model_stats: { tokens_sent: 10, tokens_received: 5, api_calls: 3 },
      },
      replay_config: "{}",
      environment: "main",
    },
    null,
    1,
  );
  return padding === 0 ? text : `${text}${" ".repeat(padding)}\n`;
}

/** A run as a file to upload. */
export function traceFile(name: string, options: TraceOptions): TestFile {
  return { name, content: trace(options) };
}

/** A session log whose third line is cut in the middle of a string. */
export function brokenFile(name: string, mark: string): TestFile {
  return { name, content: trace({ mark }).slice(0, 700) };
}

/** Test files in the form that Playwright's file inputs take. */
export function asPayload(files: TestFile[]): { name: string; mimeType: string; buffer: Buffer }[] {
  return files.map(({ name, content }) => ({
    name,
    mimeType: "application/octet-stream",
    buffer: Buffer.from(content),
  }));
}
