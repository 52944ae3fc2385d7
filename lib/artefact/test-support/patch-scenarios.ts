import fc from "fast-check";
import type { Scenario } from "./real-tools";
import { type Family, line, one, plain } from "./scenario-parts";

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

/** Patches, and git. */
export const PATCHES: readonly Family[] = [
  { name: "patch and git apply", needs: ["patch", "git", "diff"], scenarios: diffScenario },
  { name: "git", needs: ["git"], scenarios: gitScenario },
];
