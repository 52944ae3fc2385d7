/** Where a text breaks the grammar of JSON, and what stands there. */
export interface SyntaxFault {
  /** Index in the text (UTF-16 code units). */
  index: number;
  expected: string;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y;
const WORD = /true|false|null/y;

/**
 * Finds the first fault of a text that `JSON.parse` refused. It is slow and runs only then: engines differ in whether
 * and how they say where the fault is. Returns null when the text is correct JSON. Iterative, so that depth cannot hurt.
 */
export function findSyntaxFault(text: string): SyntaxFault | null {
  const stack: ("object" | "array")[] = [];
  let index = 0;
  let state: "value" | "key" | "first-key" | "first-value" | "after" = "value";

  const space = (): void => {
    while (index < text.length && " \t\n\r".includes(text.charAt(index))) index++;
  };
  /** Steps over a string by hand: a pattern would need a backtracking stack as long as the string. */
  const takeString = (): boolean => {
    if (text.charAt(index) !== '"') return false;
    let at = index + 1;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 0x22) {
        index = at + 1;
        return true;
      }
      if (code < 0x20) break;
      if (code !== 0x5c) continue;
      ESCAPE.lastIndex = at + 1;
      const escaped = ESCAPE.exec(text);
      if (!escaped) break;
      at += escaped[0].length;
    }
    index = at;
    return false;
  };
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = index;
    const match = pattern.exec(text);
    if (match) index += match[0].length;
    return match !== null;
  };

  for (;;) {
    space();
    const char = text.charAt(index);
    const top = stack[stack.length - 1];
    if (state === "after") {
      if (top === undefined) return index < text.length ? { index, expected: "the end" } : null;
      if (char === (top === "object" ? "}" : "]")) {
        stack.pop();
        index++;
      } else if (char === ",") {
        index++;
        state = top === "object" ? "key" : "value";
      } else return { index, expected: top === "object" ? "a comma or }" : "a comma or ]" };
    } else if (state === "key" || state === "first-key") {
      if (state === "first-key" && char === "}") {
        stack.pop();
        index++;
        state = "after";
        continue;
      }
      if (!takeString()) return { index, expected: "a key in double quotes" };
      space();
      if (text.charAt(index) !== ":") return { index, expected: "a colon" };
      index++;
      state = "value";
    } else if (state === "first-value" && char === "]") {
      stack.pop();
      index++;
      state = "after";
    } else if (char === "{" || char === "[") {
      stack.push(char === "{" ? "object" : "array");
      state = char === "{" ? "first-key" : "first-value";
      index++;
    } else if (takeString() || take(NUMBER) || take(WORD)) state = "after";
    else return { index, expected: char === '"' ? "a correct string" : "a value" };
  }
}
