import type { Usage } from "@/lib/trajectory/schema";
import { countMember, type JsonValue, member, stringMember } from "../../safe-json";
import { textBetween } from "../../text-between";

/** What `info` and `instance_id` say about the run as a whole. */
export interface RunFacts {
  version: string | null;
  model: string | null;
  instance: string | null;
  /** The folder in which every command starts, null when the run does not name it. */
  directory: string | null;
  /** The template of the task message. */
  template: string | null;
  exitStatus: string | null;
  submission: string | null;
  costUsd: number | null;
}

/** Reads the facts of a document; a bare list of messages has none. */
export function readRunFacts(document: JsonValue): RunFacts {
  const info = member(document, "info");
  const config = member(info, "config");
  const directory = stringMember(member(config, "environment"), "cwd");
  return {
    version: stringMember(info, "mini_version"),
    model: stringMember(member(config, "model"), "model_name"),
    instance: stringMember(document, "instance_id"),
    directory: directory?.startsWith("/") ? directory : null,
    template: stringMember(member(config, "agent"), "instance_template"),
    exitStatus: stringMember(info, "exit_status") || null,
    submission: stringMember(info, "submission"),
    costUsd: paid(countMember(member(info, "model_stats"), "instance_cost")),
  };
}

/** A cost of zero was not measured: runs of models without a price count it, and so do runs that never got an answer. */
export function paid(costUsd: number | null): number | null {
  return costUsd === 0 ? null : costUsd;
}

/** The tokens of one reply, of either API. Null when it counts none. */
export function usageOf(reply: JsonValue | undefined, costUsd: number | null): Usage | null {
  const usage = member(reply, "usage");
  const inputTokens = countMember(usage, "prompt_tokens") ?? countMember(usage, "input_tokens");
  const outputTokens = countMember(usage, "completion_tokens") ?? countMember(usage, "output_tokens");
  const cachedTokens =
    countMember(member(usage, "prompt_tokens_details"), "cached_tokens") ??
    countMember(member(usage, "input_tokens_details"), "cached_tokens");
  if (inputTokens === null && outputTokens === null && costUsd === null) return null;
  return { inputTokens, cachedTokens, outputTokens, costUsd };
}

/** The task inside the first message: what its template fills in, else what stands between the words of known templates. */
export function taskOf(message: string, template: string | null): string {
  return (fromTemplate(message, template) ?? fromKnownWords(message) ?? message).trim();
}

const PLACE = "{{task}}";

function fromTemplate(message: string, template: string | null): string | null {
  const at = template?.indexOf(PLACE) ?? -1;
  if (template === null || at === -1) return null;
  // Text of the template next to the task, up to what is filled in or decided there as well.
  const before =
    template
      .slice(0, at)
      .split(/[}%#]\}/)
      .at(-1)
      ?.trimStart() ?? "";
  const after =
    template
      .slice(at + PLACE.length)
      .split(/\{[{%#]/, 1)[0]
      ?.trimEnd() ?? "";
  const start = message.indexOf(before);
  if (start === -1) return null;
  const from = start + before.length;
  const end = after === "" ? message.length : message.indexOf(after, from);
  return end === -1 ? null : message.slice(from, end);
}

function fromKnownWords(message: string): string | null {
  const described = textBetween(message, "<pr_description>", "</pr_description>");
  if (described !== null) return described.replace(/^\s*Consider the following PR description:\n?/, "");
  const known: [string, string][] = [
    ["Please solve this issue: ", "\n\nYou can execute bash commands"],
    ["Your task: ", ". Please reply with a single shell command"],
  ];
  for (const [open, close] of known) {
    if (!message.startsWith(open)) continue;
    const found = textBetween(message, open, close);
    if (found !== null) return found;
  }
  return null;
}
