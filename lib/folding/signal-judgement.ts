import type { RowCursor } from "./rows";
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
const WORDS = new Map(FAILURE_WORDS.map((each) => [keyOf(each.word, 0, each.word.length), wordOf(each)]));

/** A failure word, with what is said of every one that counts. */
interface Word {
  reason: KeptReason;
  endings: readonly string[];
  endsNames: boolean;
}

function wordOf({ word, endings, endsNames }: (typeof FAILURE_WORDS)[number]): Word {
  return { reason: { kind: "signal", word }, endings: endings.filter((ending) => ending !== ""), endsNames };
}

/**
 * What tells the candidates of SIGNAL_EXPRESSION apart without making a string of each: length, first and last character,
 * in any case.
 */
function keyOf(text: string, start: number, end: number): number {
  return ((end - start) << 14) | ((text.charCodeAt(start) | 32) << 7) | (text.charCodeAt(end - 1) | 32);
}

/** Letters of a name that are looked at on each side of a word; longer ones are no words. */
const NAME_MAX_CHARS = 60;

const LISTING = "(?:[\\w.@/\\\\+-]{1,200}[:-](?:\\d{1,7}[:-])?)?[ \\t]*(?:\\d{1,7}[\\t:|→ ][ \\t]*)?";
/** Lines that only source code begins so. */
const CODE = `(?:\\/\\/|\\/\\*|@\\w|"""|'''|(?:def|class|raise|except|throw|throws|catch|import|const|let|var|function|func|fn|export|public|private|protected|struct|enum|interface)\\b|\\} catch\\b|from \\S{1,100} import\\b)`;
/** Lines that code begins so, and now and then a message does too. */
const PERHAPS_CODE = `(?:#|\\* |(?:if|elif|else|return|for|while|with|try|case|assert|from|await|async|self)\\b)`;
const CODE_LINE = new RegExp(`${LISTING}${CODE}`, "y");
const PERHAPS_CODE_LINE = new RegExp(`${LISTING}${PERHAPS_CODE}`, "y");
/** Looked for first: most lines are neither, which one pass over their beginning tells. */
const ANY_CODE_LINE = new RegExp(`${LISTING}(?:${CODE}|${PERHAPS_CODE})`, "y");
const EMPTY_VALUE =
  /["']?[ \t]{0,4}[:=][ \t]{0,12}(?:null|none|nil|false|no|""|''|\[[ \t]{0,4}\]|\{[ \t]{0,4}\}|0)(?=[ \t]{0,4}(?:[,;()\]}\r\n]|$))/iy;
/** The first characters of its values, and the most blanks before one. */
const EMPTY_STARTS = "nNfF\"'[{0";
const BLANKS_MAX = 12;
const SAID_NOT_TO_BE = /(?:^|[^\w-])(?:no|zero|without|any|if|on|expected|ignor\w{1,3}|handl\w{1,3}) (?:\w{1,12} )?$/i;
/** How far before a word a phrase of SAID_NOT_TO_BE can begin. */
const PHRASE_CHARS = 28;

const [TAB, SPACE, QUOTE, APOSTROPHE, PAREN] = [9, 32, 34, 39, 40];
const [HASH, DOLLAR, AT, SLASH, BACKSLASH, UNDERSCORE] = [35, 36, 64, 47, 92, 95];
const [COMMA, MINUS, DOT, ZERO, COLON, EQUALS] = [44, 45, 46, 48, 58, 61];
/** No line of code that we know begins beyond it. */
const LAST_ASCII = 127;
const [ESC, SEMICOLON, BRACKET, LETTER_M] = [27, 59, 91, 109];

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isUpper = (code: number): boolean => code >= 65 && code <= 90;
const isLetter = (code: number): boolean => (code | 32) >= 97 && (code | 32) <= 122;
const isSeparator = (code: number): boolean => code === COLON || code === SEMICOLON;
const isBlank = (code: number): boolean => code === SPACE || code === TAB;
const isWordPart = (code: number): boolean => isLetter(code) || isDigit(code);

/** What a unit of ASCII can say beside a word: that it is part of a name; that a value begins which is empty. */
const OF_NAME = 1;
const EMPTY_START = 2;
const SIGNS = Uint8Array.from({ length: LAST_ASCII + 1 }, (_, code) => {
  const sign = String.fromCharCode(code);
  const isOfName = isWordPart(code) || "_-/\\$@#.(".includes(sign);
  return (isOfName ? OF_NAME : 0) | (EMPTY_STARTS.includes(sign) ? EMPTY_START : 0);
});
const signOf = (code: number): number => (code >= 0 && code <= LAST_ASCII ? (SIGNS[code] ?? 0) : 0);

/**
 * The UTF-16 unit at an offset, -1 outside the text. An engine that was once asked beyond a string's ends asks for every
 * unit there the slow way from then on.
 */
function unitAt(text: string, at: number): number {
  return at >= 0 && at < text.length ? text.charCodeAt(at) : -1;
}

/**
 * What a match of SIGNAL_EXPRESSION from `start` to `end` is in its surroundings, null when it is nothing.
 * @param cursor over the same text, asked where a line begins.
 * @param isThorough whether the surroundings that cost more than a few comparisons are looked at too; without them a
 *   candidate is rather taken for a signal.
 */
export function judgeSignal(
  text: string,
  start: number,
  end: number,
  cursor: RowCursor,
  isThorough: boolean,
): KeptReason | null {
  const before = unitAt(text, start - 1);
  const after = unitAt(text, end);
  // What hostile and harmless texts hold most comes first, and without making a string.
  if (before === SPACE && isZero(text, start - 1)) return null;
  if (after === UNDERSCORE && isPartOfName(text, start)) return null;
  const word = WORDS.get(keyOf(text, start, end));
  if (word === undefined) return readOther(text, start, end);
  if (standsAlone(before, after)) {
    return isThorough && isDeniedBySurroundings(text, start, end, cursor) ? null : word.reason;
  }
  const place = placeOf(text, start, end, word);
  if (place === null) return null;
  if (place.start < start && unitAt(text, place.start - 1) === SPACE && isZero(text, place.start - 1)) return null;
  return isThorough && isDeniedBySurroundings(text, place.start, place.end, cursor) ? null : word.reason;
}

/** True where nothing around a word can make it part of a name: it is its own `Place`. */
function standsAlone(before: number, after: number): boolean {
  return ((signOf(before) | signOf(after)) & OF_NAME) === 0;
}

/** True for the beginning of a longer name, before its `_`: `error_handler`, `fail_fast`. */
function isPartOfName(text: string, start: number): boolean {
  return isLetter(unitAt(text, start)) && !isUpper(unitAt(text, start + 1));
}

function readOther(text: string, start: number, end: number): KeptReason | null {
  const found = text.slice(start, end).toLowerCase();
  switch (found) {
    case "e   ":
      return { kind: "signal", word: "E" };
    case "passed":
    case "passing":
    case "example,":
    case "examples,": {
      const isCounted = unitAt(text, start - 1) === SPACE && isDigit(unitAt(text, start - 2));
      // `Passed: 5`, as dotnet writes it.
      const isTold =
        unitAt(text, end) === COLON && isDigit(unitAt(text, unitAt(text, end + 1) === SPACE ? end + 2 : end + 1));
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
function placeOf(text: string, start: number, end: number, word: Word): Place | null {
  let wordEnd = end;
  while (wordEnd - end < NAME_MAX_CHARS && isWordPart(unitAt(text, wordEnd))) wordEnd += 1;
  if (wordEnd > end && !word.endings.some((ending) => isEnding(text, end, wordEnd, ending))) return null;
  const isCapital = isUpper(unitAt(text, start)) && isUpper(unitAt(text, start + 1));

  let wordStart = start;
  if (isWordPart(unitAt(text, start - 1)) && !endsTerminalSequence(text, start)) {
    if (!word.endsNames || !isUpper(unitAt(text, start))) return null;
    while (start - wordStart < NAME_MAX_CHARS && isWordPart(unitAt(text, wordStart - 1))) wordStart -= 1;
  }
  if (isNameBefore(text, wordStart, wordStart < start, wordEnd, isCapital)) return null;
  // `2 Error(s)`
  if (unitAt(text, wordEnd) === PAREN && text.startsWith("(s)", wordEnd)) wordEnd += 3;
  else if (isNameAfter(text, wordEnd, isCapital)) return null;
  return { start: wordStart, end: wordEnd };
}

/** Whether a word ends in this, in any case. */
function isEnding(text: string, start: number, end: number, ending: string): boolean {
  if (end - start !== ending.length) return false;
  for (let i = 0; i < ending.length; i += 1) {
    if ((text.charCodeAt(start + i) | 32) !== ending.charCodeAt(i)) return false;
  }
  return true;
}

function isNameBefore(text: string, at: number, isLonger: boolean, wordEnd: number, isCapital: boolean): boolean {
  switch (unitAt(text, at - 1)) {
    case UNDERSCORE:
      return !isCapital;
    case MINUS: {
      const before = unitAt(text, at - 2);
      return isWordPart(before) || before === MINUS;
    }
    case SLASH:
    case BACKSLASH:
    case DOLLAR:
    case AT:
    case HASH:
      return true;
    case DOT:
      // `requests.exceptions.ConnectionError: ...` and `socket.error: ...` are messages, `self.errors` is none.
      return !isLonger && unitAt(text, wordEnd) !== COLON && isWordPart(unitAt(text, at - 2));
    default:
      return false;
  }
}

function isNameAfter(text: string, at: number, isCapital: boolean): boolean {
  switch (unitAt(text, at)) {
    case UNDERSCORE:
      return !isCapital;
    case MINUS:
      return isLetter(unitAt(text, at + 1));
    case DOT:
      return isWordPart(unitAt(text, at + 1));
    case SLASH:
    case BACKSLASH:
    case PAREN:
      return true;
    default:
      return false;
  }
}

/** True when what stands before is the end of a colour code (`ESC [ 1 ; 31 m`) and no letter of a word. */
function endsTerminalSequence(text: string, at: number): boolean {
  if (unitAt(text, at - 1) !== LETTER_M) return false;
  let i = at - 2;
  while (at - i < NAME_MAX_CHARS && (isDigit(unitAt(text, i)) || isSeparator(unitAt(text, i)))) i -= 1;
  return unitAt(text, i) === BRACKET && unitAt(text, i - 1) === ESC;
}

/** Whether the number that ends at an offset is 0. */
function isZero(text: string, end: number): boolean {
  if (unitAt(text, end - 1) !== ZERO) return false;
  const before = unitAt(text, end - 2);
  return !isDigit(before) && before !== DOT && before !== COMMA;
}

function isDeniedBySurroundings(text: string, start: number, end: number, cursor: RowCursor): boolean {
  if (mayBeValue(text, end) && begins(EMPTY_VALUE, text, end) !== null) return true;
  const rowStart = cursor.lineStartBefore(start, end);
  if (isAfterWord(text, start) && SAID_NOT_TO_BE.test(text.slice(Math.max(rowStart, start - PHRASE_CHARS), start)))
    return true;
  if (unitAt(text, rowStart) > LAST_ASCII || begins(ANY_CODE_LINE, text, rowStart) === null) return false;
  const code = begins(CODE_LINE, text, rowStart);
  if (code !== null && code <= start) return true;
  const perhaps = begins(PERHAPS_CODE_LINE, text, rowStart);
  // `error: ...` goes on with a message.
  const isMessage = unitAt(text, end) === COLON && unitAt(text, end + 1) === SPACE;
  return perhaps !== null && perhaps <= start && !isMessage;
}

/** False where no EMPTY_VALUE can begin: no colon and no equals sign follows, or none of its first characters after that. */
function mayBeValue(text: string, at: number): boolean {
  const first = unitAt(text, at);
  const sign = afterBlanks(text, first === QUOTE || first === APOSTROPHE ? at + 1 : at);
  const code = unitAt(text, sign);
  if (code !== COLON && code !== EQUALS) return false;
  return (signOf(unitAt(text, afterBlanks(text, sign + 1))) & EMPTY_START) !== 0;
}

/** The offset after the blanks at `at`, of which no more than BLANKS_MAX count. */
function afterBlanks(text: string, at: number): number {
  let end = at;
  while (end - at < BLANKS_MAX && isBlank(unitAt(text, end))) end += 1;
  return end;
}

/** True where a phrase of SAID_NOT_TO_BE can end: behind a word and a space. */
function isAfterWord(text: string, at: number): boolean {
  if (unitAt(text, at - 1) !== SPACE) return false;
  const before = unitAt(text, at - 2);
  return isWordPart(before) || before === UNDERSCORE;
}

/** Where a sticky expression ends that begins at an offset; null when it does not. */
function begins(sticky: RegExp, text: string, at: number): number | null {
  sticky.lastIndex = at;
  return sticky.test(text) ? sticky.lastIndex : null;
}
