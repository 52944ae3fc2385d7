import fc from "fast-check";
import { around, type Family, joined, one, text } from "./scenario-parts";

/** Here-documents. */
const delimiter = one("EOF", "'EOF'", '"EOF"', "\\EOF", "E'O'F");
const document = fc
  .tuple(
    one(
      "cat D > a.txt",
      "cat D >> a.txt",
      "cat > a.txt D",
      "tee a.txt D > /dev/null",
      "tee -a a.txt D",
      "cat D | tee a.txt",
      "cat D | tee -a b.txt > a.txt",
      "{ cat; echo end; } D > a.txt",
      "sub() { cat; }; sub D > a.txt",
      "cat D > a.txt && echo done",
      "cd sub && cat D > ../a.txt",
      "(cd sub; cat D > b.txt)",
      "cat D | cat > a.txt",
      "cat 0D > a.txt",
      "cat D - > a.txt",
      "while read x; do echo $x; done D > a.txt",
    ),
    one("<<", "<< ", "<<-"),
    delimiter,
    text,
  )
  .map(([form, operator, mark, body]) => {
    const ended = body === "" || body.endsWith("\n") ? body : `${body}\n`;
    return `${form.replace("D", () => operator + mark)}\n${ended}EOF\n`;
  });

/** Redirections, lists, groups and loops. */
const word = one(
  "x",
  "'a b'",
  '"$v"',
  "$v",
  `$\{v}`,
  "$'a\\tb'",
  "a\\ b",
  "{p,q}",
  "*.txt",
  "~",
  "-n",
  "-e",
  "'a\\nb'",
  "$(echo s)",
  '"a\\"b"',
  "%s",
  "''",
);
const target = one("a.txt", "b.txt", "sub/c.txt", "./a.txt", "sub/../a.txt", '"a.txt"', "$w", '"$w"', "/dev/null");
const redirect = fc
  .tuple(one(">", ">>", ">|", "1>", "&>", "2>", ">&", "&>>"), target)
  .map(([operator, file]) => `${operator} ${file}`);
const redirects = fc
  .array(fc.oneof({ weight: 4, arbitrary: redirect }, { weight: 1, arbitrary: one("2>&1", ">&2") }), { maxLength: 3 })
  .map((all) => all.join(" "));
const printing = joined(
  one(
    "echo ",
    "echo -n ",
    "printf ",
    "printf '%s\\n' ",
    "cat a.txt ",
    "cat a.txt b.txt ",
    "cat < a.txt ",
    ": ",
    "",
    "tee b.txt <<< ",
    "cat <<< ",
  ),
  fc.array(word, { maxLength: 2 }).map((all) => all.join(" ")),
  one(" "),
  redirects,
);
const state = one(
  "true",
  "false",
  "cd sub",
  "cd ..",
  "v=1",
  "v='a b'",
  "w=a.txt",
  "export v=z",
  "set -e",
  "exit 0",
  "exit 1",
  "unset v",
  "read v <<< r",
  "pushd sub > /dev/null",
  "popd > /dev/null",
  "w=$(echo b.txt)",
);
const simple = fc.oneof({ weight: 4, arbitrary: printing }, { weight: 2, arbitrary: state });
const compound = fc
  .tuple(
    simple,
    simple,
    one(
      "A && B",
      "A || B",
      "A; B",
      "A\nB",
      "{ A; B; } > b.txt",
      "( A; B )",
      "if A; then B; fi",
      "if A; then A; else B; fi",
      "for v in 1 2; do A; done",
      "for w in a.txt b.txt; do A; B; done",
      "for w in *.txt; do A; done",
      "case x in x) A;; *) B;; esac",
      "A | tee b.txt",
      "A | cat > a.txt",
      "! A",
      "f() { A; }; f; B",
      "while A; do B; break; done",
      "for ((i=0;i<2;i++)); do A; done",
      "A && B || true",
      "bash -c 'echo q > a.txt'; A",
      "eval 'v=2'; A",
      "A & wait",
      "until A; do break; done",
    ),
  )
  .map(([a, b, form]) => form.replaceAll("A", () => a).replaceAll("B", () => b));
const redirectLine = fc.array(fc.oneof(simple, compound), { minLength: 1, maxLength: 3 }).map((all) => all.join("\n"));

/** What a shell does itself: here-documents, redirections, lists and loops. */
export const SHELL: readonly Family[] = [
  { name: "here-documents", needs: [], scenarios: around(text, document) },
  { name: "redirections, lists and loops", needs: [], scenarios: around(text, redirectLine) },
];
