/** The command of a message and the words around it. */
export interface FencedCommand {
  command: string;
  words: string;
}

const MARK = "```";
/** A line that opens or closes a block of code. */
const FENCE = /^```(\S*)[ \t\r]*$/;

/**
 * The last block of code in a message that is closed and inside no other, as SWE-agent takes the command of a reply; null
 * when there is none. A line of three backticks and a word opens a block, inside another one too.
 */
export function fencedCommand(text: string): FencedCommand | null {
  const open: { at: number; inside: number }[] = [];
  let found: { at: number; inside: number; end: number; after: number } | null = null;
  for (let at = text.indexOf(MARK), next = 0; at !== -1; at = text.indexOf(MARK, next)) {
    next = at + MARK.length;
    if (at > 0 && text.charAt(at - 1) !== "\n") continue;
    const end = text.indexOf("\n", at);
    next = end === -1 ? text.length : end + 1;
    const language = FENCE.exec(text.slice(at, end === -1 ? next : end))?.[1];
    if (language === "" && open.length > 0) {
      const block = open.pop();
      if (block && open.length === 0) found = { ...block, end: at, after: next };
    } else if (language !== undefined) open.push({ at, inside: next });
  }
  if (found === null) return null;
  return {
    command: text.slice(found.inside, found.end),
    words: text.slice(0, found.at) + text.slice(found.after),
  };
}
