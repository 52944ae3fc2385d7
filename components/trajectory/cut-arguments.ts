import type { TextView } from "@/lib/views/turn";
import { type ArgumentField, argumentFields, decodeRest } from "./argument-fields";

/** Arguments of which a stretch inside one long string is not here: the fields before it, and those after it. */
export interface CutArguments {
  /** The last one is the string that is cut. */
  head: ArgumentField[];
  /** The rest of that string, then the fields behind it. */
  tail: ArgumentField[];
  /** Characters of the JSON text that are not shown. */
  omittedChars: number;
}

/** A character that is never a part of an escape: behind it a unit begins. */
const SURE = /[^\\"/\w]/;

/**
 * Reads arguments whose JSON text is here as its ends, when what is missing lies inside one string. JSON text breaks its
 * lines between strings only, so that is so when no line break is missing and the first end stops inside a string. Null
 * in every other case: then the ends can only be shown as they are.
 */
export function cutArguments(view: TextView): CutArguments | null {
  if (view.omittedChars <= 0 || view.omittedLines > 0) return null;
  const whole = withoutHalfEscape(view.head);
  const head = argumentFields(`${whole}"${closing(whole)}`);
  const last = head?.find((field) => field.kind === "text" && field.at.at(-1) === whole.length);
  if (head === null || last === undefined || head.at(-1) !== last) return null;

  const tailStart = view.totalChars - view.tail.length;
  const from = view.tail.search(SURE);
  if (from === -1) return null;
  const { text, at, end } = decodeRest(view.tail, from);
  if (view.tail[end - 1] !== '"' || view.tail.slice(from, end).includes("\n")) return null;
  const behind = /^\s*,\s*/.exec(view.tail.slice(end))?.[0].length ?? null;
  // What follows is an object without its beginning.
  const rest =
    behind === null ? (closes(view.tail.slice(end)) ? [] : null) : argumentFields(`{${view.tail.slice(end + behind)}`);
  if (rest === null) return null;
  const moved = rest.map((field) => shifted(field, tailStart + end + (behind ?? 0) - 1));
  return {
    head,
    tail: [{ ...last, text, at: at.map((each) => each + tailStart) }, ...moved],
    omittedChars: tailStart + from - whole.length,
  };
}

const closes = (json: string) => /^\s*\}\s*$/.test(json);

function shifted(field: ArgumentField, by: number): ArgumentField {
  return {
    ...field,
    nameStart: field.nameStart + by,
    nameEnd: field.nameEnd + by,
    at: field.at.map((each) => each + by),
  };
}

/** A JSON text cut inside a string, without an escape that is not whole at its end. */
function withoutHalfEscape(json: string): string {
  const half = /(?<!\\)(?:\\\\)*(\\(?:u[\da-fA-F]{0,3})?)$/.exec(json)?.[1];
  return half === undefined ? json : json.slice(0, -half.length);
}

/** The brackets that a JSON text, cut inside a string, leaves open. */
function closing(json: string): string {
  const open: string[] = [];
  for (let i = 0, inString = false; i < json.length; i++) {
    const c = json[i];
    if (c === "\\" && inString) i += 1;
    else if (c === '"') inString = !inString;
    else if (inString) continue;
    else if (c === "{" || c === "[") open.push(c === "{" ? "}" : "]");
    else if (c === "}" || c === "]") open.pop();
  }
  return open.reverse().join("");
}
