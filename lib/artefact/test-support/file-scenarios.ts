import fc from "fast-check";
import { type Family, one, plain, text } from "./scenario-parts";

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
      "ln -s",
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

/** Commands over whole files. */
export const FILES: readonly Family[] = [
  {
    name: "files moved, copied and removed",
    needs: [],
    scenarios: fc
      .tuple(text, fc.array(fileLine, { minLength: 1, maxLength: 3 }))
      .map(([held, lines]) =>
        plain({ "a.txt": held, "b.txt": "b\n", "sub/c.txt": "c\n", "sub/d.txt": "d\n" }, ...lines),
      ),
  },
];
