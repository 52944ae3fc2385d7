import { beginsTerminalSequence, endOfTerminalSequence } from "@/lib/redact/terminal-sequence";

/**
 * Makes one line of plain text out of anything: terminal sequences and control characters go, white space becomes
 * single spaces, and direction marks and invisible characters, which could make a title read otherwise than it is,
 * go too. Cut at `maxChars` code points with an ellipsis. Looks at no more of the text than it needs.
 */
export function oneLine(text: string, maxChars: number): string {
  let out = "";
  let count = 0;
  let pendingSpace = false;
  for (let i = 0; i < text.length; ) {
    const code = text.codePointAt(i) ?? 0;
    const width = code > 0xffff ? 2 : 1;
    if (beginsTerminalSequence(code)) {
      i = endOfTerminalSequence(text, i);
      continue;
    }
    i += width;
    if (isSpace(code)) {
      pendingSpace = out !== "";
      continue;
    }
    if (isInvisible(code)) continue;
    const cost = pendingSpace ? 2 : 1;
    if (count + cost > maxChars) return `${cutBack(out, maxChars - 1)}…`;
    if (pendingSpace) out += " ";
    out += code >= 0xd800 && code <= 0xdfff ? "\ufffd" : String.fromCodePoint(code);
    count += cost;
    pendingSpace = false;
  }
  return out;
}

function cutBack(text: string, maxChars: number): string {
  return [...text].slice(0, Math.max(0, maxChars)).join("").trimEnd();
}

function isSpace(code: number): boolean {
  return (
    code === 32 || (code >= 9 && code <= 13) || code === 0x85 || code === 0xa0 || code === 0x2028 || code === 0x2029
  );
}

function isInvisible(code: number): boolean {
  return (
    code < 32 ||
    (code >= 0x7f && code <= 0x9f) ||
    code === 0xad ||
    code === 0x61c ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x206f) ||
    code === 0xfeff ||
    (code >= 0xe0000 && code <= 0xe007f)
  );
}
