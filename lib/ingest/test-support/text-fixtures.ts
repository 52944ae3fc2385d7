/** A text that was changed: the text, and in how many places. */
export interface Planted {
  text: string;
  count: number;
}

/** How lines get behind the prose of a trace that is no JSON, by the folder or the name of its fixtures. */
const PLANTERS: readonly [RegExp, (text: string, lines: readonly string[]) => Planted][] = [
  [/^aider\/chat\//, inAiderChat],
  [/^aider\/llm\//, inAiderRequests],
  [/^autogen\/0\.2\/.*console\.(?:txt|log)$/, inConsole],
  [/^autogen\/0\.4\/.*console\.(?:txt|log)$/, inTeamConsole],
];

/**
 * Writes lines behind what people and models say in a trace that is text.
 * @param name the fixture's name
 * @throws when nothing is known of how such a text is written
 */
export function plantLines(name: string, text: string, lines: readonly string[]): Planted {
  const [, plant] = PLANTERS.find(([pattern]) => pattern.test(name)) ?? [];
  if (!plant) throw new Error(`it is not known where prose stands in ${name}`);
  return plant(text, lines);
}

/** Writes behind each line what `behind` gives for it. */
function behindLines(text: string, behind: (line: string, next: string | undefined) => readonly string[]): Planted {
  const lines = text.split("\n");
  let count = 0;
  const written = lines.flatMap((line, n) => {
    const more = behind(line, lines[n + 1]);
    if (more.length > 0) count += 1;
    return [line, ...more];
  });
  return { text: written.join("\n"), count };
}

/** Behind what a person says that is no command, and each sentence of the model's; not in blocks of code. */
function inAiderChat(text: string, lines: readonly string[]): Planted {
  let isInBlock = false;
  let above = "";
  return behindLines(text, (line) => {
    // A fence with a language opens a block even where the one before was cut off.
    if (line.startsWith("```")) isInBlock = line.length > 3 || !isInBlock;
    const last = above;
    if (line.trim() !== "") above = line;
    if (isInBlock) return [];
    // Below what the model says, such a line is a heading of its answer.
    const isPersons = /^(?:> |# aider|<div)/.test(last) && /^#### [^/\s]/.test(line);
    if (isPersons) return lines.map((each) => `#### ${each}${line.endsWith("  ") ? "  " : ""}`);
    return /^[A-Z].*[.:]$/.test(line) ? lines : [];
  });
}

/** Behind each message, of whose lines each names the role. */
function inAiderRequests(text: string, lines: readonly string[]): Planted {
  return behindLines(text, (line, next) => {
    const role = /^(?:SYSTEM|USER|ASSISTANT) /.exec(line)?.[0];
    return role === undefined || next?.startsWith(role) ? [] : lines.map((each) => role + each);
  });
}

/** Behind the last line of each message before its ruler; a tool's answer has a frame of asterisks and ends with it. */
function inConsole(text: string, lines: readonly string[]): Planted {
  // From the end: whether a ruler is the next that is written below each line.
  const isBeforeRuler: boolean[] = [];
  let isRulerNext = false;
  for (const line of text.split("\n").reverse()) {
    isBeforeRuler.push(isRulerNext);
    if (line.trim() !== "") isRulerNext = /^-{80}\r?$/.test(line);
  }
  return behindLines(text, (line) => {
    const isWords = line.trim() !== "" && !/^[*-]+\r?$| \(to \w+\):\r?$/.test(line);
    return isBeforeRuler.pop() && isWords ? lines.map((each) => each + (line.endsWith("\r") ? "\r" : "")) : [];
  });
}

/** Behind the first line of each message that people or models say; calls, answers and what repeats them stay. */
function inTeamConsole(text: string, lines: readonly string[]): Planted {
  let above = "";
  return behindLines(text, (line, next) => {
    const isFirst = /^-{10} (?:(?:Text|Thought)\w+ \(\w+\)|\w+) -{10}$/.test(above);
    above = line;
    const isWords = /^[A-Z].*[.?]$/.test(line) && !line.startsWith("Transferred");
    return isFirst && isWords && next !== undefined ? lines : [];
  });
}
