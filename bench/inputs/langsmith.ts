import { type LangChainMessage, makeAsked, makeExchange } from "./langchain-messages";
import { SeededText } from "./seeded-text";

/** A prompt holds this many of the last messages: an agent that runs this long trims what it sends. */
const PROMPT_MESSAGES = 20;

/**
 * The runs of one trace of LangSmith, one a line, the last first as the API lists them: each request to the model repeats
 * the messages before it (about nine tenths of the bytes), each call is a run of its own, and the root holds all messages.
 * About `sizeBytes`.
 */
export function makeLangSmithRuns({ sizeBytes, seed }: { sizeBytes: number; seed: number }): Buffer {
  const text = new SeededText(seed, 0.05);
  const trace = "7a000000-0000-4000-8000-000000000001";
  const rootOrder = `20260401T120000000000Z${trace}`;
  const lines: Buffer[] = [];
  let size = 0;
  const write = (run: Record<string, unknown>): void => {
    lines.push(Buffer.from(`${JSON.stringify(run)}\n`));
    size += lines.at(-1)?.length ?? 0;
  };
  const runOf = (n: number, name: string, run_type: string) => {
    const id = `7a000000-0000-4000-8000-${String(n + 2).padStart(12, "0")}`;
    const time = new Date(Date.UTC(2026, 3, 1, 12) + (n + 1) * 1_000).toISOString().replace("Z", "000");
    const dotted = `${time.replace(/[-:.]/g, "")}Z${id}`;
    const ids = { id, trace_id: trace, parent_run_id: trace, dotted_order: `${rootOrder}.${dotted}` };
    return { ...ids, name, run_type, start_time: time, end_time: time, error: null, status: "success", ...OTHERS };
  };
  const [system, human] = [makeAsked("system", text.prose(20)), makeAsked("human", text.prose(4))];
  const messages: LangChainMessage[] = [human];
  // The root, which is written last, holds each message once more: about a twentieth of what the prompts take.
  for (let n = 0; size * 1.05 < sizeBytes; n++) {
    const { asked, answered } = makeExchange(text, n);
    const prompt = [system, ...messages.slice(-PROMPT_MESSAGES)];
    const usage = { prompt_tokens: 9_000 + n, completion_tokens: 120, total_tokens: 9_120 + n };
    write({
      ...runOf(2 * n, "ChatDemo", "llm"),
      inputs: { messages: [prompt.map(constructed)] },
      outputs: {
        generations: [[{ text: "", type: "ChatGeneration", message: constructed(asked) }]],
        llm_output: null,
        type: "LLMResult",
      },
      extra: { metadata: { ls_model_name: "demo-model-2" }, invocation_params: { model: "demo-model-2" } },
      ...usage,
    });
    write({
      ...runOf(2 * n + 1, String(answered.name), "tool"),
      inputs: { input: `{'file_path': '/src/${text.word()}.py'}` },
      outputs: { output: answered },
      extra: { metadata: {} },
    });
    messages.push(asked, answered);
  }
  write({
    ...runOf(-1, "agent", "chain"),
    id: trace,
    parent_run_id: null,
    dotted_order: rootOrder,
    inputs: { messages: [human] },
    outputs: { messages },
    extra: { metadata: {} },
  });
  return Buffer.concat(lines.reverse());
}

const OTHERS = { tags: [], child_run_ids: null, child_runs: null, events: [] };

/** A message as the inputs and outputs of a model's run hold it. */
function constructed({ type, ...rest }: LangChainMessage): object {
  const name = { ai: "AIMessage", human: "HumanMessage", system: "SystemMessage", tool: "ToolMessage" }[type] ?? type;
  const id = ["langchain", "schema", "messages", name];
  return { lc: 1, type: "constructor", id, kwargs: { ...rest, type } };
}
