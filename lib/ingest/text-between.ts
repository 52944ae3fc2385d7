/**
 * The text between the first `open` and the next `close` after it, or null. By plain search: a lazy pattern takes
 * quadratic time on a text that opens many times and never closes.
 */
export function textBetween(text: string, open: string, close: string): string | null {
  const start = text.indexOf(open);
  if (start === -1) return null;
  const end = text.indexOf(close, start + open.length);
  return end === -1 ? null : text.slice(start + open.length, end);
}
