import type { Trajectory } from "@/lib/trajectory/schema";
import { countMember, isObject, type JsonValue, member, parseNestedJson, stringMember } from "../../safe-json";
import { textBetween } from "../../text-between";

/** What `replay_config` and `info` say about the run as a whole. */
export interface RunFacts {
  version: string | null;
  model: string | null;
  task: Trajectory["task"];
  totals: Trajectory["totals"];
  exitStatus: string | null;
  submission: string | null;
}

/** Reads the parts of a document that are about the whole run. `replay_config` is an object or a JSON string. */
export function readRunFacts(document: JsonValue): RunFacts {
  const info = member(document, "info");
  const given = member(document, "replay_config");
  const config = typeof given === "string" ? parseNestedJson(given) : given;
  const problem = member(config, "problem_statement");
  const repository = member(member(config, "env"), "repo");
  const model = stringMember(member(member(config, "agent"), "model"), "name");
  const stats = member(info, "model_stats");
  const [sent, received] = [countMember(stats, "tokens_sent"), countMember(stats, "tokens_received")];
  // A replayed demonstration counts zero of everything: that is "not measured", not "free".
  const isMeasured = (sent ?? 0) > 0 || (received ?? 0) > 0;
  return {
    version: stringMember(info, "swe_agent_version"),
    model,
    task: {
      statement: stringMember(problem, "text") ?? stringMember(problem, "problem_statement"),
      instance: stringMember(problem, "id") ?? stringMember(document, "instance_id"),
      repository: stringMember(repository, "github_url") ?? stringMember(repository, "repo_name"),
      baseCommit: stringMember(repository, "base_commit"),
    },
    totals: {
      inputTokens: isMeasured ? sent : null,
      cachedTokens: null,
      outputTokens: isMeasured ? received : null,
      costUsd: isMeasured ? countMember(stats, "instance_cost") : null,
      durationMs: null,
    },
    exitStatus: stringMember(info, "exit_status"),
    submission: isObject(info) ? stringMember(info, "submission") : null,
  };
}

/** The problem statement inside the first message: between marks that its templates use, else all of it. */
export function issueOf(prompt: string): string {
  const described = textBetween(prompt, "<pr_description>", "</pr_description>");
  if (described !== null) return described.trim();
  const start = prompt.indexOf("\nISSUE:\n");
  if (start === -1) return prompt.trim();
  const end = prompt.indexOf("\nINSTRUCTIONS:", start);
  return prompt.slice(start + "\nISSUE:\n".length, end === -1 ? undefined : end).trim();
}
