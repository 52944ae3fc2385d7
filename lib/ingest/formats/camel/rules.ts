/** The side of a role play that a system prompt is for; null when it is of no role play. */
export function sideOf(prompt: string): "user" | "assistant" | null {
  const found = /^\s{0,20}={3,20} RULES OF (USER|ASSISTANT) ={3,20}/.exec(prompt);
  return found === null ? null : found[1] === "USER" ? "user" : "assistant";
}

/** The task that a system prompt of a role play states; null when it states none. */
export function taskIn(prompt: string): string | null {
  const found = /\b(?:[Hh]ere is (?:the|our)|[Oo]ur)(?: overall)? task(?: is)?: {0,4}([^\n]{1,20000})/.exec(prompt);
  const text = found?.[1]?.replace(/ Never forget our task!?\s*$/, "").trim() ?? "";
  return text === "" ? null : text;
}

/** Whether a message is what the framework opens a role play with. */
export function isOpening(text: string): boolean {
  return /^\s{0,20}Now (?:please|start)\b[^\n]{0,100}\binstructions?\b/.test(text);
}

/** Whether a message is an instruction that one agent gives the other. */
export function isInstruction(text: string): boolean {
  return /^\s{0,20}(?:\*\*)?Instruction:/.test(text);
}

/** The word with which a role play says that it is done; null where a text has none. */
export function ending(text: string): string | null {
  return /<CAMEL_TASK_DONE>|\bCAMEL_TASK_DONE\b|\bTASK_DONE\b/.test(text) ? "CAMEL_TASK_DONE" : null;
}
