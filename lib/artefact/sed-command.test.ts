import { describe, expect, it } from "vitest";
import { spliceText, wholeContent } from "./known-content";
import { parseSed } from "./sed-command";
import { scriptSplices } from "./sed-script";

/** What a script makes of a text; null when it is not followed. */
function sed(script: string, text: string, extended = false): string | null {
  const commands = parseSed(script, extended);
  const splices = commands === null ? null : scriptSplices(wholeContent(text), commands);
  return splices === null ? null : spliceText(text, splices);
}

describe("simple sed scripts", () => {
  it.each([
    ["s/a/b/", "aa\nca\n", "ba\ncb\n"],
    ["s/a/b/g", "aa\n", "bb\n"],
    ["s/A/b/gi", "aA\n", "bb\n"],
    ["s|/x|/y|", "/x\n", "/y\n"],
    ["s/\\/x/\\/y/", "/x\n", "/y\n"],
    ["s/a\\.c/x/", "abc\na.c\n", "abc\nx\n"],
    ["s/a.c/x/", "abc\n", "x\n"],
    ["s/f(x)/g(x)/", "f(x)\n", "g(x)\n"],
    ["s/a+b?/x/", "a+b?\n", "x\n"],
    ["s/{a|b}/x/", "{a|b}\n", "x\n"],
    ["s/\\(a\\)\\(b\\)/\\2\\1/", "ab\n", "ba\n"],
    ["s/a/[&]/", "a\n", "[a]\n"],
    ["s/a/\\&/", "a\n", "&\n"],
    ["s/a/$1$&/", "a\n", "$1$a\n"],
    ["s/^ *//", "   a\n", "a\n"],
    ["s/x$/y/", "xx\n", "xy\n"],
    ["s/[0-9]*x/y/", "12x\n", "y\n"],
    ["s/[[:space:]]*$//", "a  \n", "a\n"],
    ["s/[]x]/y/", "]\n", "y\n"],
    ["s/[\\.]/y/", "\\\n", "y\n"],
    ["s/a/b\\nc/", "a\n", "b\nc\n"],
    ["s/a/\\t/", "a\n", "\t\n"],
    ["2s/a/b/", "a\na\n", "a\nb\n"],
    ["2,3s/a/b/", "a\na\na\na\n", "a\nb\nb\na\n"],
    ["2,$s/a/b/", "a\na\na\n", "a\nb\nb\n"],
    ["/x/s/a/b/", "a\nax\n", "a\nbx\n"],
    ["s/a/b/;s/c/d/", "ac\n", "bd\n"],
    ["s/a/b/\ns/b/c/", "a\n", "c\n"],
    ["2d", "a\nb\nc\n", "a\nc\n"],
    ["2,3d", "a\nb\nc\nd\n", "a\nd\n"],
    ["2,$d", "a\nb\nc\n", "a\n"],
    ["9d", "a\n", "a\n"],
    ["1a new", "a\nb\n", "a\nnew\nb\n"],
    ["1a\\\nnew", "a\nb\n", "a\nnew\nb\n"],
    ["1i\\  new", "a\n", "  new\na\n"],
    ["1 i\\  new\\\\n", "a\n", "  new\\n\na\n"],
    ["1a new\\\\", "a\n", "a\nnew\\\n"],
    ["1,2c new", "a\nb\nc\n", "new\nc\n"],
    ["1,2c new", "a\n", ""],
    ["1i new", "", ""],
    ["2i new", "a\n", "a\n"],
    ["2i new", "a\nb", "a\nnew\nb"],
    ["2a new", "a\nb", "a\nb\nnew\n"],
    ["s/a/b/", "a\r\n", "b\r\n"],
    ["s/a/b/", "a", "b"],
  ])("%j on %j", (script, text, expected) => {
    expect(sed(script, text)).toBe(expected);
  });

  it.each([
    ["s/(a)(b)/\\2\\1/", "ab\n", "ba\n"],
    ["s/a+/x/", "aaab\n", "xb\n"],
    ["s/f\\(x\\)/y/", "f(x)\n", "y\n"],
  ])("%j in the extended form", (script, text, expected) => {
    expect(sed(script, text, true)).toBe(expected);
  });

  it.each([
    ["/a/d"],
    ["$d"],
    ["$a x"],
    ["1!d"],
    ["s/a/b/2"],
    ["s/a/b/w out"],
    ["s/a/b/p"],
    ["y/a/b/"],
    ["s/a\\|b/x/"],
    ["s/\\(a\\)\\1/x/"],
    ["s/a*b*c/x/"],
    ["s/\\(a*\\)*/x/"],
    ["s/a/\\U&/"],
    ["1,2{d}"],
    ["1d;2d"],
    ["0d"],
    ["3,2d"],
    ["s/a"],
    ["s/a/b"],
    ["1r f"],
    ["n;d"],
    ["a x"],
    ["1a"],
    ["s/[a/b/"],
    ["s/a\\{2\\}/b/"],
  ])("%j is not followed", (script) => {
    expect(sed(script, "aab\nb\n")).toBeNull();
  });
});
