/** Words that documentation puts where a secret would stand. */
const WORDS = [
  "example",
  "placeholder",
  "redacted",
  "your_",
  "your-",
  "yourapi",
  "changeme",
  "dummy",
  "insert_",
  "insert-",
  "<",
  "...",
  "…",
  "***",
  "xxxx",
  "${",
  "{{",
  "%s",
];
const EMPTY = new Set([
  "password",
  "passwd",
  "pass",
  "pwd",
  "secret",
  "token",
  "none",
  "null",
  "undefined",
  "true",
  "false",
  "string",
  "user",
  "username",
]);

/**
 * True for a value that stands for a secret without being one: `AKIAIOSFODNN7EXAMPLE`, `sk-...`, `<token>`, `xxxx`,
 * `password`, a reference to a variable, one character repeated, or a mask that was put there before.
 */
export function isPlaceholder(secret: string): boolean {
  const lower = secret.toLowerCase();
  if (EMPTY.has(lower) || lower.startsWith("$") || lower.includes("[redacted:")) return true;
  if (WORDS.some((word) => lower.includes(word))) return true;
  // Fewer than four different letters and digits (behind a family's prefix: still few) is typing, not a key.
  const tail = lower.slice(-16);
  return new Set(tail.replace(/[^a-z0-9]/g, "")).size < 4;
}
