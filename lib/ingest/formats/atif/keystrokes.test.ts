import { describe, expect, it } from "vitest";
import { Terminal } from "./keystrokes";

/** What each of the keystrokes gives to the shell; a text in brackets is a screen to look at. */
function typed(...keys: string[]): (string | null)[] {
  const terminal = new Terminal();
  return keys.flatMap((key) => {
    const screen = /^\[(.*)\]$/s.exec(key)?.[1];
    if (screen === undefined) return [terminal.type(key)];
    terminal.see(screen);
    return [];
  });
}

describe("W7 typed into a terminal: a command line", () => {
  it.each([
    ["a line that is ended", ["ls -la\n"], ["ls -la"]],
    ["several lines at once", ["cat > a <<'E'\nx\nE\n"], ["cat > a <<'E'\nx\nE"]],
    ["a line in pieces", ["echo x > ", "a.txt\n"], [null, "echo x > a.txt"]],
    ["a program that ends by itself", ["python3 a.py\n", "ls\n"], ["python3 a.py", "ls"]],
    ["a line behind an interrupted one", ["echo x", "C-c", "ls\n"], [null, null, "ls"]],
    ["a line once a prompt is seen again", ["vim a\n", ":q\n", "[x\nroot@b:/app# ]", "ls\n"], ["vim a", null, "ls"]],
  ])("is %s", (_, keys, lines) => {
    expect(typed(...keys)).toEqual(lines);
  });

  it.each([
    ["keys that complete or edit the line", ["cat a\t\n"], [null]],
    ["a line that a key has edited", ["echo x > a", "Up", "\n"], [null, null, null]],
    ["what is typed into an editor", ["nano a.txt\n", "words\n"], ["nano a.txt", null]],
    ["what is typed into an interpreter", ["python3\n", "open('a','w')\n", "[>>> ]", "x\n"], ["python3", null, null]],
    ["an empty line", ["\n"], [null]],
    ["control characters", ["\u001b[A\n"], [null]],
  ])("is not %s", (_, keys, lines) => {
    expect(typed(...keys)).toEqual(lines);
  });
});
