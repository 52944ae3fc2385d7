import fc from "fast-check";
import { around, type Family, joined, one, quoted, text } from "./scenario-parts";

/** Scripts of sed, those that are followed and those that are not. */
const pattern = one(
  "a",
  "alpha",
  "a\\.b",
  "a.b",
  "^",
  "$",
  "^ *",
  "x\\*y",
  "x*y",
  "[a-z]*",
  "[[:space:]]*$",
  "f(x)",
  "\\(a\\)\\(l\\)",
  "[1]",
  "\\[1\\]",
  "b$",
  "\\t",
  "a+",
  "a\\+",
  "\\$var",
  "",
);
const replacement = one("", "Q", "&&", "\\&", "\\2\\1", "x\\ny", "$1", "\\\\", "a\\/b", "\\t.", "\\U&");
const substitution = joined(one("s"), one("/"), pattern, one("/"), replacement, one("/"), one("", "g", "I", "2", "gI"));
const piped = joined(one("s|a/b|c/d|", "s,a,b,g", "s#x#y#"));
const address = one("", "1", "2", "1,2", "2,$", "$", "9", "2,1", "/alpha/", "1!", "0");
const moving = one(
  "d",
  "a new",
  "i new",
  "c new",
  "a\\\nnew",
  "i\\  new",
  "c\\\nnew",
  "a new\\\\",
  "p",
  "y/a/b/",
  "{d}",
);
const sedCommand = fc.oneof(
  { weight: 3, arbitrary: joined(address, fc.oneof(substitution, piped)) },
  { weight: 2, arbitrary: joined(address, moving) },
);
const sedLine = fc
  .tuple(
    one("-i", "-i.bak", "-E -i", "-i -E", "-n -i", "--in-place", "-ri"),
    fc.array(sedCommand, { minLength: 1, maxLength: 2 }),
    one("; ", "\n", " -e "),
  )
  .map(([options, scripts, between]) => {
    const script =
      between === " -e " ? scripts.map((each) => `-e ${quoted(each)}`).join(" ") : quoted(scripts.join(between));
    return `sed ${options} ${script} a.txt`;
  });
const sedPrinted = fc
  .tuple(
    sedCommand,
    one("sed S a.txt > b.txt", "cat a.txt | sed S > b.txt", "sed S < a.txt | tee b.txt", "sed S a.txt > a.txt"),
  )
  .map(([script, form]) => form.replace("S", () => quoted(script)));

const perlLine = fc
  .tuple(
    one("-pi -e", "-i -pe", "-p -i -e", "-pi.bak -e", "-0pi -e", "-ni -e"),
    one("a", "alpha", "a\\.b", "a.b", "f\\(x\\)", "x\\*y", "\\[1\\]", "&", "two", "a b"),
    one("", "Q", "f(y)", "$1", "&", "a.b", "\\n", "[2]"),
    one("", "g", "i", "gi"),
  )
  .map(([options, before, after, flags]) => `perl ${options} ${quoted(`s/${before}/${after}/${flags}`)} a.txt`);

/** Scripts of `sed` and `perl` over one file. */
export const SCRIPTS: readonly Family[] = [
  { name: "sed -i", needs: ["sed"], scenarios: around(text, sedLine) },
  { name: "sed into a file", needs: ["sed"], scenarios: around(text, sedPrinted) },
  { name: "perl -pi", needs: ["perl"], scenarios: around(text, perlLine) },
];
