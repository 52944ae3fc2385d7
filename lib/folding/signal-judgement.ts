import type { KeptReason } from "./shape";
import { FAILURE_WORDS } from "./signals";

/**
 * The deny list of `parts@1`. A candidate of SIGNAL_EXPRESSION is none when it is
 * - part of another word: `terror`, `failover`, `invalidate`; only names that end in Error or Exception count;
 * - part of a name or a path: `error_handler`, `test_error.py`, `self.errors`, `--fail-fast`, `src/errors/`, `$error`
 *   (names in capitals count: `TIMEOUT_ERROR`);
 * - called or made, as source code does: `log.error(`, `ValueError(`;
 * - said not to be there: `0 failed`, `no errors`, `Failures: 0`, `"error": null`, `errors = []`;
 * - in a line of source code: `raise ...`, `except ...:`, `// ...`, also behind the prefixes of `cat -n` and `grep -n`.
 */
const WORDS = new Map(FAILURE_WORDS.map((each) => [each.word, { ...each, endings: new Set(each.endings) }]));

/** Letters of a name that are looked at on each side of a word; longer ones are no words. */
const NAME_MAX_CHARS = 60;

const LISTING = "(?:[\\w.@/\\\\+-]{1,200}[:-](?:\\d{1,7}[:-])?)?[ \\t]*(?:\\d{1,7}[\\t:|→ ][ \\t]*)?";
/** Lines that only source code begins so. */
const CODE_LINE = new RegExp(
  `${LISTING}(?:\\/\\/|\\/\\*|@\\w|"""|'''|(?:def|class|raise|except|throw|throws|catch|import|const|let|var|function|func|fn|export|public|private|protected|struct|enum|interface)\\b|\\} catch\\b|from \\S{1,100} import\\b)`,
  "y",
);
/** Lines that code begins so, and now and then a message does too. */
const PERHAPS_CODE_LINE = new RegExp(
  `${LISTING}(?:#|\\* |(?:if|elif|else|return|for|while|with|try|case|assert|from|await|async|self)\\b)`,
  "y",
);
const EMPTY_VALUE =
  /["']?[ \t]{0,4}[:=][ \t]{0,12}(?:null|none|nil|false|no|""|''|\[[ \t]{0,4}\]|\{[ \t]{0,4}\}|0)(?=[ \t]{0,4}(?:[,;()\]}\r\n]|$))/iy;
const SAID_NOT_TO_BE = /(?:^|[^\w-])(?:no|zero|without|any|if|on|expected|ignor\w{1,3}|handl\w{1,3}) (?:\w{1,12} )?$/i;
/** How far before a word a phrase of SAID_NOT_TO_BE can begin. */
const PHRASE_CHARS = 28;

/** How far before a word its line is looked for. */
const LINE_MAX_CHARS = 400;

const SPACE = 32;
/** No line of code that we know begins beyond it. */
const LAST_ASCII = 127;
const ESC = 27;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isUpper = (code: number): boolean => code >= 65 && code <= 90;
const isLetter = (code: number): boolean => isUpper(code) || (code >= 97 && code <= 122);
const isWordPart = (code: number): boolean => isLetter(code) || isDigit(code);

/**
 * What a match of SIGNAL_EXPRESSION is in its surroundings, null when it is nothing.
 * @param isThorough whether the surroundings that cost more than a few comparisons are looked at too; without them a
 *   candidate is rather taken for a signal.
 */
export function judgeSignal(text: string, match: RegExpExecArray, isThorough: boolean): KeptReason | null {
  const start = match.index;
  const end = start + match[0].length;
  // What hostile and harmless texts hold most comes first, and without making a string.
  if (isCountedZero(text, start) || isPartOfName(text, start, end)) return null;
  const found = match[0].toLowerCase();
  const word = WORDS.get(found);
  if (word === undefined) return readOther(text, found, start, end);
  const place = placeOf(text, start, end, word);
  if (place === null || isCountedZero(text, place.start)) return null;
  if (isThorough && isDeniedBySurroundings(text, place)) return null;
  return { kind: "signal", word: word.word };
}

/** True for the beginning of a longer name: `error_handler`, `fail_fast`. */
function isPartOfName(text: string, start: number, end: number): boolean {
  return text[end] === "_" && isLetter(text.charCodeAt(start)) && !isUpper(text.charCodeAt(start + 1));
}

function readOther(text: string, found: string, start: number, end: number): KeptReason | null {
  switch (found) {
    case "e   ":
      return { kind: "signal", word: "E" };
    case "passed":
    case "passing":
    case "example,":
    case "examples,": {
      const isCounted = text.charCodeAt(start - 1) === SPACE && isDigit(text.charCodeAt(start - 2));
      // `Passed: 5`, as dotnet writes it.
      const isTold =
        text.charCodeAt(end) === 58 && isDigit(text.charCodeAt(text.charCodeAt(end + 1) === SPACE ? end + 2 : end + 1));
      return isCounted || isTold ? { kind: "tests" } : null;
    }
    default:
      return { kind: /^(?:[-+@]|diff)/.test(found) ? "diff" : "tests" };
  }
}

interface Place {
  start: number;
  end: number;
}

/** The whole word in which a failure word stands; null when it is none there. */
function placeOf(
  text: string,
  start: number,
  end: number,
  word: { endings: ReadonlySet<string>; endsNames: boolean },
): Place | null {
  let wordEnd = end;
  while (wordEnd - end < NAME_MAX_CHARS && isWordPart(text.charCodeAt(wordEnd))) wordEnd += 1;
  if (wordEnd > end && !word.endings.has(text.slice(end, wordEnd).toLowerCase())) return null;
  const isCapital = isUpper(text.charCodeAt(start)) && isUpper(text.charCodeAt(start + 1));

  let wordStart = start;
  if (isWordPart(text.charCodeAt(start - 1)) && !endsTerminalSequence(text, start)) {
    if (!word.endsNames || !isUpper(text.charCodeAt(start))) return null;
    while (start - wordStart < NAME_MAX_CHARS && isWordPart(text.charCodeAt(wordStart - 1))) wordStart -= 1;
  }
  if (isNameBefore(text, wordStart, wordStart < start, wordEnd, isCapital)) return null;
  // `2 Error(s)`
  if (text.startsWith("(s)", wordEnd)) wordEnd += 3;
  else if (isNameAfter(text, wordEnd, isCapital)) return null;
  return { start: wordStart, end: wordEnd };
}

function isNameBefore(text: string, at: number, isLonger: boolean, wordEnd: number, isCapital: boolean): boolean {
  switch (text[at - 1]) {
    case "_":
      return !isCapital;
    case "-": {
      const before = text.charCodeAt(at - 2);
      return isWordPart(before) || before === 45;
    }
    case "/":
    case "\\":
    case "$":
    case "@":
    case "#":
      return true;
    case ".":
      // `requests.exceptions.ConnectionError: ...` and `socket.error: ...` are messages, `self.errors` is none.
      return !isLonger && text[wordEnd] !== ":" && isWordPart(text.charCodeAt(at - 2));
    default:
      return false;
  }
}

function isNameAfter(text: string, at: number, isCapital: boolean): boolean {
  switch (text[at]) {
    case "_":
      return !isCapital;
    case "-":
      return isLetter(text.charCodeAt(at + 1));
    case ".":
      return isWordPart(text.charCodeAt(at + 1));
    case "/":
    case "\\":
    case "(":
      return true;
    default:
      return false;
  }
}

/** True when what stands before is the end of a colour code (`ESC [ 1 ; 31 m`) and no letter of a word. */
function endsTerminalSequence(text: string, at: number): boolean {
  if (text[at - 1] !== "m") return false;
  let i = at - 2;
  while (at - i < NAME_MAX_CHARS && (isDigit(text.charCodeAt(i)) || text[i] === ";" || text[i] === ":")) i -= 1;
  return text[i] === "[" && text.charCodeAt(i - 1) === ESC;
}

function isCountedZero(text: string, at: number): boolean {
  if (text.charCodeAt(at - 1) !== SPACE || text[at - 2] !== "0") return false;
  const before = text[at - 3] ?? "";
  return !isDigit(before.charCodeAt(0)) && before !== "." && before !== ",";
}

function isDeniedBySurroundings(text: string, place: Place): boolean {
  // Far from its line's start a word is in no line of code that a person wrote.
  const from = Math.max(0, place.start - LINE_MAX_CHARS);
  const rowStart = from + text.slice(from, place.start).lastIndexOf("\n") + 1;
  if (begins(EMPTY_VALUE, text, place.end) !== null) return true;
  if (
    isAfterWord(text, place.start) &&
    SAID_NOT_TO_BE.test(text.slice(Math.max(rowStart, place.start - PHRASE_CHARS), place.start))
  )
    return true;
  if (text.charCodeAt(rowStart) > LAST_ASCII) return false;
  const code = begins(CODE_LINE, text, rowStart);
  if (code !== null && code <= place.start) return true;
  const perhaps = begins(PERHAPS_CODE_LINE, text, rowStart);
  // `error: ...` goes on with a message.
  const isMessage = text[place.end] === ":" && text.charCodeAt(place.end + 1) === SPACE;
  return perhaps !== null && perhaps <= place.start && !isMessage;
}

/** True where a phrase of SAID_NOT_TO_BE can end: behind a word and a space. */
function isAfterWord(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 2);
  return text.charCodeAt(at - 1) === SPACE && (isWordPart(before) || before === 95);
}

/** Where a sticky expression ends that begins at an offset; null when it does not. */
function begins(sticky: RegExp, text: string, at: number): number | null {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : null;
}
