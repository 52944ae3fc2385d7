import { describe, expect, it } from "vitest";
import { processorMs } from "@/lib/test-support/processor-time";
import { buildHistory } from "./history";
import type { ArtefactHistory } from "./model";
import { readOf, type TestCall, trajectoryOf, wholeRead } from "./testing-trajectory";

const A = "/repo/a.txt";
const OK = { exitCode: 0 };

const DIFF = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-old\n+new\n";

/** The history after command lines, with `/repo/a.txt` read first (`null`: nothing was read). */
function run(text: string | null, lines: string | string[], result: TestCall["result"] = OK): ArtefactHistory {
  const read: TestCall = { tool: "Read", result: { reads: text === null ? [] : [wholeRead(A, text)] } };
  const commands = [lines].flat().map((line): TestCall => ({ tool: "bash", text: line, result }));
  return buildHistory(trajectoryOf([read, ...commands]), null);
}

function contentOf(history: ArtefactHistory, path = A): string {
  const content = history.files.get(path)?.versions.at(-1)?.content;
  return content?.kind === "whole" ? `=${content.text}` : (content?.kind ?? "none");
}

describe("W7, writes that are followed", () => {
  it.each([
    ["cat > a.txt <<'EOF'\none\n$HOME `x` \\n\nEOF", "=one\n$HOME `x` \\n\n"],
    ['cat > a.txt <<"EOF"\n$x\nEOF', "=$x\n"],
    ["cat > a.txt <<\\EOF\n$x\nEOF\n", "=$x\n"],
    ["cat > a.txt <<EOF\nplain\nEOF", "=plain\n"],
    ["cat <<'EOF' > a.txt\none\nEOF", "=one\n"],
    ["cat <<'EOF' >a.txt && echo done\none\nEOF", "=one\n"],
    ["cat <<-'EOF' > a.txt\n\tone\n\t\ttwo\n\tEOF", "=one\ntwo\n"],
    ["cat >> a.txt <<'EOF'\nmore\nEOF", "=old\nmore\n"],
    ["cat <<'EOF' | tee a.txt\none\nEOF", "=one\n"],
    ["tee a.txt <<'EOF' > /dev/null\none\nEOF", "=one\n"],
    ["tee -a a.txt <<'EOF'\none\nEOF", "=old\none\n"],
    ["echo one > a.txt", "=one\n"],
    ["echo 'a  b' \"c\" >> a.txt", "=old\na  b c\n"],
    ["echo -n one > a.txt", "=one"],
    ["echo -e 'a\\nb' > a.txt", "=a\nb\n"],
    ["echo 'a\\nb' > a.txt", "=a\\nb\n"],
    ["printf 'a\\n%s\\n' b > a.txt", "=a\nb\n"],
    ["printf '%s' 'x%y' > a.txt", "=x%y"],
    ["echo x | tee a.txt", "=x\n"],
    ["cat <<< 'x' > a.txt", "=x\n"],
    ["> a.txt", "="],
    [": > a.txt", "="],
    ["cd /repo && echo x > a.txt", "=x\n"],
    ["cd sub; echo x > ../a.txt", "=x\n"],
    ["bash -c 'echo x > a.txt'", "=x\n"],
    ['bash -lc "cd /repo && echo x > a.txt"', "=x\n"],
    ["FOO=1 env echo x > a.txt", "=x\n"],
    ["echo x > a.txt # > b.txt", "=x\n"],
    ["sed -i 's/old/new/' a.txt", "=new\n"],
    ["sed -i.bak -e 's/o/0/' -e 's/d/D/' a.txt", "=0lD\n"],
    ["sed -i '' 's/old/new/' a.txt", "=new\n"],
    ["sed -i '1d' a.txt", "="],
    ["sed -i '1i first' a.txt", "=first\nold\n"],
    ["sed -i '1a\\last' a.txt", "=old\nlast\n"],
    ["sed -i '1c other' a.txt", "=other\n"],
    ["rm a.txt", "absent"],
    ["rm -f a.txt b.txt", "absent"],
    ["rm -rf /repo", "absent"],
    ["rm *.txt", "absent"],
    ["touch a.txt", "=old\n"],
    ["git rm -f a.txt", "absent"],
    ["mv a.txt b.txt", "absent"],
    ["echo x > /dev/null 2>&1", "=old\n"],
    ["ls > /dev/null", "=old\n"],
    ["cat a.txt", "=old\n"],
    ["sed -n '1p' a.txt", "=old\n"],
    ["sed 's/old/new/' a.txt", "=old\n"],
    ["git diff; git status; git log", "=old\n"],
    ["{ echo one; echo two; } > a.txt", "=one\ntwo\n"],
    ["(cd sub && echo one > ../a.txt)", "=one\n"],
    ["(cd sub); echo one > a.txt", "=one\n"],
    ["cd sub | cat; echo one > a.txt", "=one\n"],
    ["pushd sub; popd; echo one > a.txt", "=one\n"],
    ["cd sub; cd -; echo one > a.txt", "=one\n"],
    ["for f in a.txt b.txt; do sed -i 's/old/new/' $f; done", "=new\n"],
    ["for f in a b; do echo $f >> a.txt; done", "=old\na\nb\n"],
    ["F=a.txt; sed -i 's/old/new/' \"$F\"", "=new\n"],
    ["F=\"a.txt b.txt\"; sed -i 's/old/new/' $F", "=new\n"],
    ["export N=a; echo x > $N.txt", "=x\n"],
    ["echo x > {b,a}.txt; echo y | tee {b,a}.txt", "=y\n"],
    ["echo $'a\\tb' > a.txt", "=a\tb\n"],
    ["echo x > a.txt > b.txt", "="],
    ["echo x > a.txt >&2", "="],
    ["echo x 2> a.txt > b.txt", "unknown"],
    ["echo x > b.txt | tee a.txt", "="],
    ["cat a.txt a.txt > b.txt; mv b.txt a.txt", "=old\nold\n"],
    ["sed 's/old/new/' a.txt > b.txt && mv b.txt a.txt", "=new\n"],
    ["cat a.txt | sed 's/old/new/' > b.txt; cp b.txt a.txt", "=new\n"],
    ["sed 's/old/new/' a.txt > a.txt", "="],
    ["cat a.txt | tee a.txt", "unknown"],
    ["bash <<'EOF'\necho x > a.txt\nEOF", "=x\n"],
    ["echo 'echo x > a.txt' > s.sh; bash s.sh", "=x\n"],
    ["echo 'cd sub' > s.sh; source s.sh; echo x > ../a.txt", "=x\n"],
    ["eval 'echo x > a.txt'", "=x\n"],
    ["exit 0; rm a.txt", "=old\n"],
    ["sed -i.bak 's/old/new/' a.txt; mv a.txt.bak a.txt", "=old\n"],
    ["truncate -s 0 a.txt", "="],
    ["cp -t sub a.txt; mv sub/a.txt b.txt; mv b.txt a.txt", "=old\n"],
    ["rm [!b].txt", "absent"],
    ["rm [b-z].txt", "=old\n"],
    ["perl -pi -e 's/old/new/' a.txt", "=new\n"],
    ["perl -i -pe 's/o/0/g' a.txt", "=0ld\n"],
    ["git checkout -- a.txt", "=old\n"],
    ["git checkout HEAD a.txt", "=old\n"],
    ["echo x > a.txt; git restore a.txt", "=old\n"],
    ["echo x > a.txt; git checkout .", "=old\n"],
    ["rm a.txt; git checkout a.txt", "=old\n"],
    ["echo x > a.txt; git stash; git stash pop", "=x\n"],
    ["echo x > a.txt; git stash", "=old\n"],
    ["echo x > a.txt; git reset --hard", "=old\n"],
    ["echo x > a.txt; git show HEAD:a.txt > a.txt", "=old\n"],
    [`patch -p1 <<'EOF'\n${DIFF}EOF`, "=new\n"],
    [`patch a.txt <<'EOF'\n${DIFF}EOF`, "=new\n"],
    [`git apply <<'EOF'\ndiff --git a/a.txt b/a.txt\n${DIFF}EOF`, "=new\n"],
    [`cat > p.diff <<'EOF'\n${DIFF}EOF\npatch -p1 < p.diff`, "=new\n"],
    [`cat > p.diff <<'EOF'\n${DIFF}EOF\ngit apply p.diff`, "=new\n"],
    [`git apply --check - <<'EOF'\n${DIFF}EOF`, "=old\n"],
    [`patch -p1 <<'EOF'\n--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\nEOF`, "absent"],
    [
      "cd /repo && apply_patch <<'EOF' && ls\n*** Begin Patch\n*** Update File: a.txt\n-old\n+new\n*** End Patch\nEOF",
      "=new\n",
    ],
    ["case x in a) rm b.txt;; *) ls;; esac", "=old\n"],
    ["f() { echo hi; }; f", "=old\n"],
    ["for ((i=0; i<3; i++)); do echo $i; done", "=old\n"],
    ["black --check a.txt", "=old\n"],
    ["python test.py", "=old\n"],
    ["echo 'sed -i s/old/new/ a.txt'", "=old\n"],
    ["python -c \"print(open('a.txt').read())\"", "=old\n"],
  ])("%s", (line, expected) => {
    expect(contentOf(run("old\n", line))).toBe(expected);
  });

  it("copies and moves what is known", () => {
    expect(contentOf(run("old\n", "cp a.txt b.txt"), "/repo/b.txt")).toBe("=old\n");
    expect(contentOf(run("old\n", "cat a.txt > b.txt"), "/repo/b.txt")).toBe("=old\n");
    expect(contentOf(run("old\n", "mv a.txt sub/"), "/repo/sub/a.txt")).toBe("=old\n");
    expect(contentOf(run("old\n", "mv /repo /other"), "/other/a.txt")).toBe("=old\n");
    expect(contentOf(run("old\n", "git mv a.txt b.txt"), "/repo/b.txt")).toBe("=old\n");
    // The file may have been there before.
    expect(contentOf(run(null, "touch new.txt"), "/repo/new.txt")).toBe("unknown");
  });

  it("keeps the directory that a command leaves for the next one", () => {
    const calls: TestCall[] = ["cd sub", "echo x > b.txt"].map((text) => ({
      tool: "bash",
      text,
      result: OK,
      state: { workingDirectory: null },
    }));
    const history = buildHistory(trajectoryOf([{ tool: "bash", text: "pwd", result: OK }, ...calls]), null);
    expect([...history.files.keys()]).toEqual(["/repo/sub/b.txt"]);
  });

  it("edits the lines that are known of a partly known file", () => {
    const read: TestCall = { tool: "Read", result: { reads: [readOf(A, "l5 old\nl6\n", 5)] } };
    const sed = (script: string): TestCall => ({ tool: "bash", text: `sed -i '${script}' a.txt`, result: OK });
    const content = (script: string): unknown =>
      buildHistory(trajectoryOf([read, sed(script)]), null)
        .files.get(A)
        ?.versions.at(-1)?.content;
    expect(content("s/old/new/")).toMatchObject({ ranges: [{ startLine: 5, lines: ["l5 new\n", "l6\n"] }] });
    expect(content("2d")).toMatchObject({ ranges: [{ startLine: 4 }] });
    expect(content("$d")).toMatchObject({ kind: "unknown" });
  });
});

describe("W7, writes that are not followed make the file unknown", () => {
  it.each([
    ["cat > a.txt <<EOF\n$HOME\nEOF"],
    ["cat > a.txt <<EOF\n`date`\nEOF"],
    ["cat > a.txt <<EOF\na\\b\nEOF"],
    ["echo $x > a.txt"],
    ["echo *.py > a.txt"],
    ["date > a.txt"],
    ["python gen.py > a.txt"],
    ["sort b.txt | tee a.txt"],
    ["ls 2> a.txt"],
    ["sed -i '/x/d' a.txt"],
    ["sed -i 's/a\\|b/c/' a.txt"],
    ['sed -i "s/old/$new/" a.txt'],
    ["sed -i -n '1p' a.txt"],
    ["sed -i '$d' a.txt"],
    ["black a.txt"],
    ["black ."],
    ["npx prettier --write a.txt"],
    ["python -m black ."],
    ["ruff check --fix a.txt"],
    ["python -c \"open('a.txt','w').write('x')\""],
    ["python - <<'EOF'\nfrom pathlib import Path\nPath('a.txt').write_text('x')\nEOF"],
    ["python3 <<EOF\nwith open('a.txt', 'w') as f: f.write('x')\nEOF"],
    ["for f in *; do echo x > a.txt; done"],
    ["if true; then rm a.txt; fi"],
    ["false || rm a.txt"],
    ["x=$(rm a.txt)"],
    ["vim -c wq a.txt"],
    ["dd if=/dev/zero of=a.txt"],
    ["curl -o a.txt http://x"],
    ["find . -name '*.txt' -exec sed -i 's/a/b/' {} +"],
    ["grep -l old -r . | xargs sed -i 's/old/new/'"],
    ["perl -pi -e 's/a.*/b/' a.txt"],
    ["perl -0pi -e 's/a/b/' a.txt"],
    ["for f in *.txt; do sed -i 's/old/new/' \"$f\"; done"],
    ['for f in *.txt; do echo x > "$f"; done'],
    ["for f in *.txt; do :; done; echo x > $f"],
    ["echo x > *.txt"],
    ["ls | while read f; do sed -i 's/old/new/' \"$f\"; done"],
    ["sed -i 's/old/new/' \"$unset\""],
    ["sed -i 's/old/new/' \"$DIR/a.txt\""],
    ["rm $x"],
    ["mv $x a.txt"],
    ["mv /repo/ other.*"],
    ["case x in x) exit 0;; esac; echo x > a.txt"],
    ["git apply <<'EOF'\n--- a/a.txt\n+++ b/a.txt\n@@ -1,0 +2 @@\n+new\nEOF"],
    ["tmp=$(mktemp); sed 's/old/new/' a.txt > $tmp; mv $tmp a.txt"],
    ["case x in a) rm a.txt;; esac"],
    ["for ((i=0; i<3; i++)); do echo $i >> a.txt; done"],
    ["f() { rm a.txt; }; f"],
    ["ls && rm a.txt || true"],
    ["echo x > a.txt &"],
    ["cat <<EOF\n$(rm a.txt)\nEOF"],
    ["for f in a.txt b.txt; do grep -q x $f || continue; rm $f; done"],
    ["patch -p1 -R <<'EOF'\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-new\n+old\nEOF"],
    ["patch -p1 < unknown.diff"],
    ["git apply unknown.diff"],
    ["git checkout main -- a.txt"],
    ["echo x > a.txt; git add a.txt; git checkout a.txt"],
    ["echo x > a.txt; git commit -am x; git checkout HEAD a.txt"],
    ["git stash pop; git reset --hard HEAD~1; echo $x > a.txt"],
    ["black"],
    ["pre-commit run --all-files"],
    ["npm run format"],
    ["python -c \"import glob\nfor f in glob.glob('*.txt'): open(f,'w').write('x')\""],
    ["python -c \"import os; open(os.path.join('/repo', 'a.txt'), 'w').write('x')\""],
    ["cat > a.txt <<'EOF'\nnever closed"],
    ["echo 'not closed > a.txt"],
  ])("%s", (line) => {
    const history = run("old\n", line);
    expect(contentOf(history)).toBe("unknown");
    expect(history.writes.at(-1)).toMatchObject({ grammar: "W7", status: "opaque", path: A, addedLines: null });
    expect(history.writes.at(-1)?.reason).toBeTruthy();
  });

  it.each([
    ["patch -p1 <<'EOF'\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-other\n+new\nEOF"],
    ["echo x > a.txt; git stash; echo y > a.txt; git stash pop"],
  ])("%s, which fits only what was there", (line) => {
    expect(contentOf(run("old\n", line))).toBe("unknown");
  });

  it("forgets what git brings back", () => {
    const other: TestCall = { tool: "Read", result: { reads: [wholeRead("/repo/b.txt", "b\n")] } };
    const calls = (line: string): TestCall[] => [
      other,
      { tool: "bash", text: "echo x > a.txt", result: OK },
      { tool: "bash", text: line, result: OK },
    ];
    for (const line of ["git stash", "git reset --hard", "git checkout ."]) {
      const history = buildHistory(trajectoryOf(calls(line)), null);
      expect([line, contentOf(history), contentOf(history, "/repo/b.txt")]).toEqual([line, "unknown", "=b\n"]);
    }
    // Another commit may hold another text of every file.
    for (const line of ["git checkout main", "git pull", "git reset --hard HEAD~1"]) {
      const history = buildHistory(trajectoryOf(calls(line)), null);
      expect([line, contentOf(history), contentOf(history, "/repo/b.txt")]).toEqual([line, "unknown", "unknown"]);
    }
    for (const line of ["git stash list", "git checkout -b x", "git reset", "git add .", "git commit -m x"]) {
      expect([line, contentOf(buildHistory(trajectoryOf(calls(line)), null))]).toEqual([line, "=x\n"]);
    }
  });

  it("follows a script that the run wrote to the files that it names", () => {
    const script = "cat > fix.py <<'EOF'\ns = open('a.txt').read()\nopen('a.txt', 'w').write(s)\nEOF";
    expect(contentOf(run("old\n", [script, "python fix.py"]))).toBe("unknown");
    expect(contentOf(run("old\n", `${script}\npython fix.py`))).toBe("unknown");
    expect(contentOf(run("old\n", script))).toBe("=old\n");
  });
});

describe("W7, what the answer says", () => {
  it.each([
    ["echo x > a.txt", "bash: a.txt: Permission denied"],
    ["rm a.txt", "rm: cannot remove 'a.txt': No such file or directory"],
    ["sed -i 's/a/b/' a.txt", "sed: can't read a.txt: No such file or directory"],
    ["cat > a.txt <<'EOF'\nx\nEOF", "(eval):1: no such file or directory: a.txt"],
    ["mv b.txt a.txt", "mv: cannot stat 'b.txt': No such file or directory"],
  ])("%s is refused with %s", (line, text) => {
    const history = run("old\n", line, { text, exitCode: null });
    expect(history.writes.length).toBeGreaterThan(0);
    for (const write of history.writes)
      expect(write).toMatchObject({ status: "refused", reason: text, versionAfter: null });
    expect(contentOf(history)).toBe("=old\n");
  });

  it("does not take one message for several writes", () => {
    const text = "rm: cannot remove 'a.txt': No such file or directory";
    const history = run("old\n", "rm a.txt\nrm a.txt\necho x > a.txt", { text, exitCode: 0 });
    expect(history.writes.map((write) => write.status)).toEqual(["opaque", "opaque", "applied"]);
    expect(contentOf(history)).toBe("=x\n");
    const moved = "mv: cannot move 'a.txt' to 'c/': No such file or directory";
    expect(contentOf(run("old\n", "mv a.txt c/; ls", { text: moved, exitCode: 0 }))).toBe("=old\n");
  });

  it("takes what patch and git say of a patch", () => {
    const diff = `<<'EOF'\ndiff --git a/a.txt b/a.txt\n${DIFF}EOF`;
    const said = (line: string, text: string): unknown[] => {
      const history = run("old\n", `${line} ${diff}\nls`, { text, exitCode: 0 });
      return [history.writes[0]?.status, contentOf(history)];
    };
    const git = "error: patch failed: a.txt:1\nerror: a.txt: patch does not apply";
    expect(said("git apply", git)).toEqual(["refused", "=old\n"]);
    const half = "patching file a.txt\nHunk #1 FAILED at 1.\n1 out of 1 hunk FAILED";
    expect(said("patch -p1", half)).toEqual(["opaque", "unknown"]);
    const fuzz = "patching file a.txt\nHunk #1 succeeded at 4 with fuzz 2 (offset 3 lines).";
    expect(said("patch -p1", fuzz)).toEqual(["opaque", "unknown"]);
    expect(said("patch -p1", "patching file a.txt")).toEqual(["applied", "=new\n"]);
  });

  it("does not run a command that was not allowed", () => {
    const text = "The user doesn't want to proceed with this tool use. The tool use was rejected";
    const history = run("old\n", "echo x > a.txt", { text, isError: true });
    expect(history.writes).toMatchObject([{ status: "refused", reason: text }]);
    expect(contentOf(history)).toBe("=old\n");
  });

  it("assumes what stands before a part that failed, and does not what may not have been reached", () => {
    const failed = { text: "Traceback ...", exitCode: 1 };
    const before = run("old\n", "echo x > a.txt; python test.py", failed);
    expect([contentOf(before), before.writes[0]?.status]).toEqual(["=x\n", "assumed"]);
    expect(contentOf(run("old\n", "python test.py && echo x > a.txt", failed))).toBe("unknown");
    expect(contentOf(run("old\n", "echo x > a.txt", failed))).toBe("unknown");
  });

  it("takes an exit code for that of the last commands that run whatever became of those before", () => {
    const failed = { text: "Traceback ...", exitCode: 1 };
    const line = "cd /repo && cat > a.txt <<'EOF'\nx\nEOF\npython test.py";
    const history = run("old\n", line, failed);
    expect([contentOf(history), history.writes[0]?.status]).toEqual(["=x\n", "assumed"]);
    const nested = run("old\n", "bash -c 'cd /repo && echo x > a.txt'; python test.py", failed);
    expect([contentOf(nested), nested.writes[0]?.status]).toEqual(["=x\n", "assumed"]);
    expect(contentOf(run("old\n", "ls; cd /repo && echo x > a.txt && python test.py", failed))).toBe("unknown");
  });

  it("does not run a command that the harness left out", () => {
    const text = "action was not executed";
    const history = run("old\n", "rm a.txt", { text, isError: true, exitCode: -1 });
    expect(history.writes).toMatchObject([{ status: "refused", reason: text }]);
  });

  it("takes a command without an exit code as assumed, and one without an answer as not told", () => {
    expect(run("old\n", "echo x > a.txt", { text: "" }).writes).toMatchObject([{ status: "assumed" }]);
    const silent = run("old\n", "echo x > a.txt", null);
    expect([contentOf(silent), silent.writes[0]?.status]).toEqual(["unknown", "opaque"]);
  });

  it("does not take a program's own error for the shell's", () => {
    const text = "FileNotFoundError: [Errno 2] No such file or directory: 'a.txt.bak'";
    expect(contentOf(run("old\n", "echo x > a.txt; python t.py", { text }))).toBe("=x\n");
  });
});

describe("hostile command lines", () => {
  it.each([
    ["a deep nest of substitutions", `echo ${"$(".repeat(5_000)}x${")".repeat(5_000)} > a.txt`],
    ["many quotes", `echo ${"'\"".repeat(50_000)} > a.txt`],
    ["many here-documents", `${"cat <<A ".repeat(5_000)}> a.txt`],
    ["a long line", `echo ${"x".repeat(1_000_000)} > a.txt`],
    ["many stars", `rm ${"*a".repeat(5_000)}`],
    ["a pattern that repeats repetitions", `sed -i -E 's/${"(a*)*".repeat(20)}b/x/' a.txt`],
    ["two repetitions", "sed -i 's/a*a*b/x/' a.txt"],
  ])("%s end soon", (_, line) => {
    const tookMs = processorMs(() => void run(`${"a".repeat(5_000)}\n`, line));
    expect(tookMs).toBeLessThan(2_000);
  });

  it("ask of many errors about many writes no more than once", () => {
    const text = "bash: a.txt: Permission denied\n".repeat(200);
    const tookMs = processorMs(() => void run("old\n", "echo x > a.txt;".repeat(15_000), { text, exitCode: 1 }));
    expect(tookMs).toBeLessThan(5_000);
  });
});
