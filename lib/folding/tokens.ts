/**
 * Characters of one token. An estimate: OpenAI's help page "What are tokens and how to count them?" gives "1 token ~= 4
 * characters in English". Code and logs take somewhat more tokens than this says, other scripts up to four times as many.
 * A tokenizer's own count would cost an import more than reading the trace (measured: 70 ns a character for a
 * small estimating library, 4 ns for folding itself).
 */
export const CHARS_PER_TOKEN = 4;

/** About how many tokens a text of this many UTF-16 units is. Say that it is an estimate wherever it is shown. */
export function estimateTokens(chars: number): number {
  return Math.round(chars / CHARS_PER_TOKEN);
}
