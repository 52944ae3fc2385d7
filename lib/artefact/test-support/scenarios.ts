import fc from "fast-check";
import type { Scenario } from "./real-tools";

/** Generated scenarios for one family of tools. */
export interface Family {
  name: string;
  needs: string[];
  scenarios: fc.Arbitrary<Scenario>;
}

const WORDS = [
  "alpha",
  "beta",
  "a.b",
  "x*y",
  "  two",
  "",
  "\ttab",
  "f(x)",
  "a/b",
  "$var",
  "`x`",
  "back\\slash",
  "[1]",
  "&",
];
const line = fc.constantFrom(...WORDS);
const text = fc
  .tuple(fc.array(line, { maxLength: 6 }), fc.boolean())
  .map(([lines, isOpen]) => lines.join("\n") + (isOpen || lines.length === 0 ? "" : "\n"));
const one = <T>(...all: T[]): fc.Arbitrary<T> => fc.constantFrom(...all);
const joined = (...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((all) => all.join(""));
const quoted = (script: string): string => `'${script.replaceAll("'", `'\\''`)}'`;
const plain = (files: Record<string, string>, ...lines: string[]): Scenario => ({ files, lines, isRepository: false });

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

/** Files moved, copied and removed. */
const path = one(
  "a.txt",
  "b.txt",
  "sub",
  "sub/c.txt",
  "sub/d.txt",
  "new.txt",
  "sub/new.txt",
  "new/",
  "*.txt",
  "sub/*",
  "./a.txt",
  "sub/",
  "a.*",
  "?.txt",
  "[ab].txt",
  ".",
  "{a,b}.txt",
);
const fileLine = fc
  .tuple(
    one(
      "mv",
      "cp",
      "rm",
      "cp -r",
      "rm -rf",
      "rm -f",
      "mv -f",
      "touch",
      "cp -a",
      "mv -n",
      "cp -t sub",
      "ln",
      "mkdir -p new &&  cp",
      "truncate -s 0",
      "mkdir",
    ),
    fc.array(path, { minLength: 1, maxLength: 3 }),
  )
  .map(([command, paths]) => {
    // A folder into itself is refused halfway, and what was copied by then has no names that could be told.
    const isLost = (each: string): boolean =>
      each === "." || (/^sub\/?$/.test(each) && /^sub/.test(paths.at(-1) ?? ""));
    const kept = /^(?:rm|cp|mv)/.test(command)
      ? paths.filter((each, n) => !isLost(each) || (n > 0 && n === paths.length - 1 && each !== "."))
      : paths;
    return `${command} ${kept.join(" ")}`;
  });

/** Diffs made by the real `diff` from two texts, applied to a text that may have drifted. */
const diffScenario = fc
  .tuple(
    fc.array(line, { maxLength: 14 }),
    fc.array(fc.tuple(fc.nat(13), fc.nat(2), fc.array(line, { maxLength: 2 })), { maxLength: 3 }),
    fc.array(line, { maxLength: 2 }),
    one("", "-U0", "-U1"),
    one("", "drift", "other"),
    fc.boolean(),
    one(
      "patch -p1 < p.diff",
      "patch -p0 < p.diff",
      "patch < p.diff",
      "patch a.txt < p.diff",
      "patch a.txt p.diff",
      "patch -p1 -i p.diff",
      "patch -R -p1 < p.diff",
      "git apply p.diff",
      "git apply < p.diff",
      "git apply -R p.diff",
      "git apply --check p.diff",
      "git apply --unidiff-zero p.diff",
      "cat p.diff | patch -p1",
      "cat p.diff | git apply -",
      "cd sub && patch -p1 -d .. < ../p.diff",
    ),
  )
  .map(([lines, edits, start, unified, drift, isOpen, command]): Scenario => {
    const fresh = [...lines];
    for (const [at, remove, insert] of edits) fresh.splice(Math.min(at, fresh.length), remove, ...insert);
    const whole = (all: readonly string[]): string => all.join("\n") + (isOpen || all.length === 0 ? "" : "\n");
    const here =
      drift === "drift"
        ? [...start, ...lines]
        : drift === "other"
          ? lines.map((each, n) => (n === 3 ? "other" : each))
          : lines;
    const make = `diff ${unified === "" ? "-u" : unified} --label a/a.txt --label b/a.txt old.txt new.txt > p.diff; true`;
    return plain(
      { "a.txt": whole(here), "old.txt": whole(lines), "new.txt": whole(fresh), "sub/c.txt": "c\n" },
      make,
      "cat p.diff",
      command,
    );
  });

/** git over a repository in which everything is committed. */
const gitStep = one(
  "echo x > a.txt",
  "echo y >> b.txt",
  "echo n > new.txt",
  "rm a.txt",
  "sed -i 's/alpha/beta/' a.txt",
  "git checkout a.txt",
  "git checkout -- a.txt b.txt",
  "git checkout .",
  "git checkout HEAD -- a.txt",
  "git checkout HEAD b.txt",
  "git restore a.txt",
  "git restore .",
  "git restore --source=HEAD --staged --worktree a.txt",
  "git restore --staged a.txt",
  "git stash",
  "git stash -q",
  "git stash push -m m",
  "git stash -u",
  "git stash pop",
  "git stash apply",
  "git stash drop",
  "git stash list",
  "git reset --hard",
  "git reset --hard HEAD",
  "git reset -q",
  "git add a.txt",
  "git add -A",
  "git commit -q -am c",
  "git rm -q -f a.txt",
  "git mv b.txt c.txt",
  "git clean -fdq",
  "git checkout -q -b x",
  "git checkout -q x",
  "git checkout -q -",
  "git show HEAD:a.txt > b.txt",
  "git diff > p.diff",
  "git apply -R p.diff",
  "git apply p.diff",
  "cd sub && git checkout .",
  "cd sub && git checkout c.txt",
  "git -C sub checkout c.txt",
  "echo s > sub/c.txt",
  "git revert --no-edit HEAD",
  "git diff HEAD > p.diff && git checkout -q . && git apply p.diff",
);
const gitScenario = fc.tuple(fc.array(gitStep, { minLength: 2, maxLength: 7 }), one("\n", " && ", "; ", null)).map(
  ([steps, between]): Scenario => ({
    files: { "a.txt": "alpha\nbeta\n", "b.txt": "b\n", "sub/c.txt": "c\n" },
    lines: between === null ? steps : [steps.join(between)],
    isRepository: true,
  }),
);

const perlLine = fc
  .tuple(
    one("-pi -e", "-i -pe", "-p -i -e", "-pi.bak -e", "-0pi -e", "-ni -e"),
    one("a", "alpha", "a\\.b", "a.b", "f\\(x\\)", "x\\*y", "\\[1\\]", "&", "two", "a b"),
    one("", "Q", "f(y)", "$1", "&", "a.b", "\\n", "[2]"),
    one("", "g", "i", "gi"),
  )
  .map(([options, before, after, flags]) => `perl ${options} ${quoted(`s/${before}/${after}/${flags}`)} a.txt`);

const around = (texts: fc.Arbitrary<string>, lines: fc.Arbitrary<string>): fc.Arbitrary<Scenario> =>
  fc.tuple(texts, lines).map(([held, given]) => plain({ "a.txt": held, "b.txt": "b\n", "sub/c.txt": "c\n" }, given));

/** Every family of generated scenarios. */
export const FAMILIES: readonly Family[] = [
  { name: "sed -i", needs: ["sed"], scenarios: around(text, sedLine) },
  { name: "sed into a file", needs: ["sed"], scenarios: around(text, sedPrinted) },
  { name: "here-documents", needs: [], scenarios: around(text, document) },
  { name: "redirections, lists and loops", needs: [], scenarios: around(text, redirectLine) },
  {
    name: "files moved, copied and removed",
    needs: [],
    scenarios: fc
      .tuple(text, fc.array(fileLine, { minLength: 1, maxLength: 3 }))
      .map(([held, lines]) =>
        plain({ "a.txt": held, "b.txt": "b\n", "sub/c.txt": "c\n", "sub/d.txt": "d\n" }, ...lines),
      ),
  },
  { name: "patch and git apply", needs: ["patch", "git", "diff"], scenarios: diffScenario },
  { name: "git", needs: ["git"], scenarios: gitScenario },
  { name: "perl -pi", needs: ["perl"], scenarios: around(text, perlLine) },
];
