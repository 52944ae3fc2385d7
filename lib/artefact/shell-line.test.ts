import { describe, expect, it } from "vitest";
import { buildHistory } from "./history";
import { type TestCall, trajectoryOf, wholeRead } from "./testing-trajectory";

const FILES = { "a.txt": "old\n", "b.txt": "b\n", "sub/c.txt": "c\n", "l.txt": "no end" };

/** What is told of every file after command lines that answer so, each line in a shell of its own. */
function told(lines: string | string[], text = "", exitCode: number | null = 0): Record<string, string> {
  const reads = Object.entries(FILES).map(([path, held]) => wholeRead(`/repo/${path}`, held));
  const calls = [lines].flat().map(
    (line): TestCall => ({
      tool: "bash",
      text: line,
      result: { text, exitCode, isError: exitCode === null ? null : exitCode !== 0 },
      state: { freshShell: true },
    }),
  );
  const { files } = buildHistory(trajectoryOf([{ tool: "Read", result: { reads } }, ...calls]), null);
  const contents: Record<string, string> = {};
  for (const [path, { versions }] of files) {
    const content = versions.at(-1)?.content;
    contents[path.replace("/repo/", "")] = content?.kind === "whole" ? `=${content.text}` : (content?.kind ?? "none");
  }
  return contents;
}

describe("what a command waits for", () => {
  it.each([
    ["false && echo x > a.txt; ls", "unknown"],
    ["grep -q zz b.txt && rm a.txt; ls", "unknown"],
    ["x=$(false) && rm a.txt; ls", "unknown"],
    ["! cat b.txt && rm a.txt; ls", "unknown"],
    ["{ cat b.txt && rm a.txt; } 2> /dev/null; ls", "unknown"],
    ["cat b.txt && rm a.txt; ls", "absent"],
    ["cd sub && rm ../a.txt; ls", "absent"],
    [`${"true && ".repeat(40)}rm a.txt; ls`, "absent"],
    [`${"true && ".repeat(80)}rm a.txt; ls`, "unknown"],
  ])("%s: %s", (line, expected) => {
    expect(told(line)["a.txt"]).toBe(expected);
  });

  it("may have failed where the answer says so, behind a text without a line end too", () => {
    const line = "cat no b.txt && rm a.txt; ls";
    expect(told(line, "b\ncat: no: No such file or directory\nb.txt")["a.txt"]).toBe("unknown");
    expect(told("echo -n x; cat no && rm a.txt; ls", "xcat: no: No such file or directory")["a.txt"]).toBe("unknown");
    expect(told(line, "some other text")["a.txt"]).toBe("absent");
  });

  it("is doubted without an exit code, and not where the line ends with it and worked", () => {
    expect(told("grep -q x b.txt && rm a.txt", "", null)["a.txt"]).toBe("unknown");
    expect(told("grep -q x b.txt && rm a.txt")["a.txt"]).toBe("absent");
  });

  it("may be an exit, unless what is said before it was not said", () => {
    expect(told("ls no && exit 1 || true\nrm a.txt; false", "", 1)["a.txt"]).toBe("unknown");
    const line = "ls no || { echo failed; exit 1; }\nrm a.txt; false";
    expect(told(line, "", 1)["a.txt"]).toBe("absent");
    expect(told(line, "failed", 1)["a.txt"]).toBe("unknown");
    expect(told("f() { exit 0; }; f; rm a.txt")["a.txt"]).toBe("unknown");
  });
});

describe("a folder in which the shell may stand", () => {
  it.each([
    ["until cd sub; do break; done; echo x > n.txt", ""],
    ["if true; then cd sub; fi; echo x > n.txt", ""],
    ["f() { cd sub; }; f; echo x > n.txt", ""],
    ["grep -q x b.txt && cd sub; echo x > n.txt", ""],
    ["cd sub; echo x > n.txt", "bash: line 1: cd: sub: No such file or directory"],
  ])("%s", (line, text) => {
    const contents = told(line, text);
    expect([contents["n.txt"], contents["sub/n.txt"]]).toEqual(["unknown", "unknown"]);
    expect(contents["a.txt"]).toBe("=old\n");
  });

  it("counts for patterns and removals, and not for absolute paths", () => {
    const contents = told("f() { cd sub; }; f; rm *.txt; echo x > /repo/n.txt");
    expect(contents).toMatchObject({ "a.txt": "unknown", "sub/c.txt": "unknown", "n.txt": "=x\n" });
  });

  it("stays where there is none to go back to", () => {
    const text = "bash: line 1: popd: directory stack empty";
    expect(told('popd; for w in *.txt; do echo > "$w"; done', text)["a.txt"]).toBe("unknown");
  });

  it("is left alone by a subshell, a pipe and the background", () => {
    for (const line of ["(cd sub)", "cd sub | cat", "cd sub & wait", "v=1 | cat"]) {
      expect([line, told(`${line}; echo x > a.txt`)["a.txt"]]).toEqual([line, "=x\n"]);
    }
    expect(told("cd sub\nv=1 | tee b.txt")).toMatchObject({ "sub/b.txt": "=", "b.txt": "=b\n" });
  });
});

describe("files that a command opens", () => {
  it.each([
    ["tee b.txt <<< x > b.txt > a.txt", { "a.txt": "=x\n", "b.txt": "unknown" }],
    ["{ echo long > b.txt; echo x; } > b.txt", { "b.txt": "unknown" }],
    ["tee -z b.txt <<< x", { "b.txt": "=b\n" }],
    ["tee -z <<< x > b.txt", { "b.txt": "unknown" }],
    ["tee b.txt <<< x 2>&1 | cat > a.txt", { "b.txt": "=x\n", "a.txt": "unknown" }],
    ["cat a.txt >> a.txt", { "a.txt": "unknown" }],
    ["{ cat a.txt; } >> a.txt", { "a.txt": "unknown" }],
    ["cat b.txt a.txt &> a.txt", { "a.txt": "unknown" }],
    ["echo x 2> a.txt 2> no/b.txt", { "a.txt": "unknown" }],
    ["{ true; cat no 2>&1 > a.txt; } > b.txt", { "b.txt": "unknown" }],
    ["cat <<< ~ > a.txt", { "a.txt": "unknown" }],
    ["cat < a.txt > b.txt", { "b.txt": "=old\n" }],
  ])("%s", (line, expected) => {
    expect(told(line)).toMatchObject(expected);
  });

  it("for reading too are what the shell may mean when it cannot open one", () => {
    const text = "bash: line 1: a.txt: No such file or directory";
    expect(told("echo x > a.txt; cd sub; cat < a.txt", text)["a.txt"]).toBe("unknown");
    expect(told("echo x > a.txt; cd sub", text)["a.txt"]).toBe("=old\n");
  });
});

describe("files moved onto others", () => {
  it("stay where a file stands in the way of a folder", () => {
    for (const line of ["mv sub/ b.txt", "mv sub b.txt", "cp -r sub b.txt"]) {
      const contents = told(`${line}; ls`);
      expect([line, contents["sub/c.txt"], contents["b.txt"]]).toEqual([line, "=c\n", "=b\n"]);
      expect(Object.keys(contents)).not.toContain("b.txt/c.txt");
    }
    // Of a file that nobody looked into, the tool's message tells.
    const text = "mv: cannot overwrite non-directory 'd.txt' with directory 'sub/'";
    expect(told(["date > d.txt", "mv sub/ d.txt"], text, 1)["sub/c.txt"]).toBe("=c\n");
  });

  it("stay where they are their own target", () => {
    expect(told("mv sub/c.txt sub; ls")["sub/c.txt"]).toBe("=c\n");
    expect(told("cp a.txt ./a.txt; ls")["a.txt"]).toBe("=old\n");
  });

  it("go into folders that the run made", () => {
    expect(told(["mkdir sub/n", "mv a.txt sub/n"])).toMatchObject({ "a.txt": "absent", "sub/n/a.txt": "=old\n" });
    expect(told(["mkdir n", "rm -r n", "cp a.txt n"])).toMatchObject({ n: "=old\n" });
    expect(told(["mkdir b.txt || true", "cp a.txt b.txt"])).toMatchObject({ "b.txt": "=old\n" });
    expect(told(["mkdir n", "mv n m", "cp a.txt n"])).toMatchObject({ n: "=old\n" });
  });

  it("are not told apart by a message about another of the same name", () => {
    const text = "cp: cannot stat 'sub/b.txt': No such file or directory";
    expect(told("cp -t sub sub/b.txt b.txt", text, 1)["sub/b.txt"]).toBe("=b\n");
    expect(told("cp no/b.txt a.txt", "cp: cannot stat 'no/b.txt': No such file", 1)["a.txt"]).toBe("=old\n");
  });

  it("may not be all that a pattern matched before", () => {
    const contents = told(["mv *.txt", "mv ?.txt a.txt"]);
    expect([contents["a.txt"], contents["b.txt"]]).toEqual(["unknown", "unknown"]);
  });

  it("are reached by patterns only where they are there", () => {
    const contents = told(["date > a.txt", "truncate -s 0 *.txt"]);
    expect([contents["a.txt"], contents["b.txt"]]).toEqual(["unknown", "="]);
  });
});

describe("files of two names", () => {
  it.each([
    [["ln -s a.txt n.txt", "echo x > n.txt"], "a.txt"],
    [["ln -s a.txt n.txt; echo x > n.txt"], "a.txt"],
    [["ln a.txt n.txt", "echo x > a.txt"], "n.txt"],
    [["ln -s ../a.txt sub/n.txt", "echo x > sub/n.txt"], "a.txt"],
    [["ln -s sub more", "echo x > more/c.txt"], "sub/c.txt"],
    [["ln -s a.txt n.txt", "ln -s n.txt m.txt", "echo x > m.txt"], "a.txt"],
  ])("%j reach %s", (lines, path) => {
    expect(told(lines)[path]).toBe("unknown");
    expect(told(lines)["b.txt"]).toBe("=b\n");
  });

  it("stay when the link goes", () => {
    expect(told(["ln -s a.txt n.txt", "rm n.txt"])).toMatchObject({ "a.txt": "=old\n", "n.txt": "absent" });
  });
});

describe("patches at an end that is not ended", () => {
  const patch = (lines: string): string => `patch -p1 <<'EOF'\n--- a/l.txt\n+++ b/l.txt\n${lines}\nEOF`;

  it("end the line that they put before others", () => {
    const contents = told(patch("@@ -0,0 +1 @@\n+first\n\\ No newline at end of file"), "patching file l.txt");
    expect(contents["l.txt"]).toBe("=first\nno end");
  });

  it("count the lines around the change as the patch shows them", () => {
    // The line that comes is the same as the one before it, behind which nothing stands in the patch.
    const held = "echo no > l.txt; echo x >> l.txt; echo x >> l.txt; echo no >> l.txt";
    const contents = told([held, patch("@@ -3 +3,2 @@\n x\n+x")], "patching file l.txt");
    expect(contents["l.txt"]).toBe("unknown");
  });

  it("are not followed where a partly known file may go on", () => {
    const read = { path: "/repo/p.txt", startLine: 1, text: "one\n", totalLines: null, whole: false };
    const line = "patch <<'EOF'\n--- p.txt\n+++ p.txt\n@@ -1 +1 @@\n-one\n+two\n\\ No newline at end of file\nEOF";
    const calls: TestCall[] = [
      { tool: "Read", result: { reads: [read] } },
      { tool: "bash", text: line, result: { text: "patching file p.txt", exitCode: 0 } },
    ];
    const { files } = buildHistory(trajectoryOf(calls), null);
    expect(files.get("/repo/p.txt")?.versions.at(-1)?.content.kind).toBe("unknown");
  });
});

describe("what the shell says of other things than files", () => {
  it("leaves the files that it opened emptied", () => {
    expect(told("*.txt > a.txt", "bash: line 1: a.txt: command not found", 127)["a.txt"]).toBe("unknown");
  });

  it("such as an error of the line, behind which what stands before it has run", () => {
    const text = "bash: -c: line 2: syntax error near unexpected token `&&'";
    expect(told("tee b.txt <<< x *.txt\ntee <<< && true", text, 2)["a.txt"]).toBe("unknown");
  });
});

describe("scripts of sed", () => {
  it.each(["s//x/", "/old/s//x/", "s/o/x\\ny/; s/l/L/"])("%s is not followed", (script) => {
    expect(told(`sed -i '${script}' a.txt`)["a.txt"]).toBe("unknown");
  });

  it("may break a line with the last command", () => {
    expect(told("sed -i 's/l/L/; s/o/x\\ny/' a.txt")["a.txt"]).toBe("=x\nyLd\n");
  });
});
