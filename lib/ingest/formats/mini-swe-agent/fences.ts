/** The language of the code block that is the action: `bash` in the first versions, a word of its own in later ones. */
export type ActionLanguage = "bash" | "mswea_bash_command";

/** An action in a message, and where its block stands. */
export interface FencedAction {
  command: string;
  start: number;
  end: number;
}

/**
 * All blocks of a message that are in the action's language, as the harness finds them: from the opening fence to the
 * next line that begins with three backticks. The harness runs one only when it is the only one.
 */
export function fencedActions(content: string, language: ActionLanguage): FencedAction[] {
  const open = `\`\`\`${language}`;
  const found: FencedAction[] = [];
  let at = content.indexOf(open);
  while (at !== -1) {
    const lineEnd = content.indexOf("\n", at);
    if (lineEnd === -1) break;
    const isOpening = content.slice(at + open.length, lineEnd).trim() === "";
    const end = isOpening ? content.indexOf("\n```", lineEnd) : -1;
    if (isOpening && end === -1) break;
    if (isOpening)
      found.push({ command: content.slice(lineEnd + 1, end).trim(), start: at, end: end + "\n```".length });
    at = content.indexOf(open, isOpening ? end + "\n```".length : lineEnd);
  }
  return found;
}

const SENTINEL = "(?:COMPLETE_TASK_AND_SUBMIT|MICRO_SWE_AGENT|MINI_SWE_AGENT)_FINAL_OUTPUT";
const SUBMITS = new RegExp(`(?:^|&&|\\|\\||[;\\n])[ \\t]*(?:echo|printf)\\s+(?:-\\w+\\s+)*["']?${SENTINEL}\\b`);
const NAMES_SENTINEL = new RegExp(SENTINEL);

/** True for a command that hands the work in: it prints the line that the harness waits for. */
export function isSubmission(command: string): boolean {
  // A here-document may hold such a line without printing it.
  const before = command.split("<<", 1)[0] ?? "";
  return SUBMITS.test(before);
}

/** True for a prompt that tells the agent how to hand its work in. */
export function namesSentinel(text: string): boolean {
  return NAMES_SENTINEL.test(text);
}
