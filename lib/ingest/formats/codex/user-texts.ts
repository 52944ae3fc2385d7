import type { ContextItem } from "@/lib/trajectory/schema";

/** Texts in the person's role that the harness puts there. */
const INJECTED =
  /^\s*(?:<(?:environment_context|user_instructions|permissions instructions|collaboration_mode|turn_aborted|user_shell_command|user_action|subagent_notification|hook_prompt|model_switch|personality_spec|goal_context|realtime_conversation|skill|\w+_instructions|apps|plugins|INSTRUCTIONS)\b[^>]*>|# AGENTS\.md instructions\b|Warning: )/;
const COMPACTED =
  /^\s*(?:Another language model started to solve this problem|You were originally given instructions from a user over one or more turns|<context_summary>)/;

/** What a text in the person's role is: their own words, something that the harness put there, or a summary. */
export function userTextKind(text: string): Extract<ContextItem["contextKind"], "person" | "injected" | "compaction"> {
  if (COMPACTED.test(text)) return "compaction";
  return INJECTED.test(text) ? "injected" : "person";
}

const REQUEST = "## My request for Codex:";

/** The request itself of a text to which an editor added what is open in it. */
export function requestIn(text: string): string {
  const at = text.indexOf(REQUEST);
  return at === -1 ? text : text.slice(at + REQUEST.length).trim();
}
