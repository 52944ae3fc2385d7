import { describe, expect, it } from "vitest";
import { answer, block, callsIn, FENCE, notesOf, person, read, START, said, turnsIn } from "./test-history";

describe("edits in the words of the assistant", () => {
  const edit = (lines: string, ...facts: string[]): string =>
    `${START}${person("go")}${answer(lines)}${said(...facts)}`;
  const only = block("a\n", "b\n");

  it.each([
    ["before the fence", `src/a.py\n${FENCE}python\n${only}${FENCE}`],
    ["inside the fence", `${FENCE}python\nsrc/a.py\n${only}${FENCE}`],
    ["bold, with a colon", `**src/a.py:**\n${FENCE}\n${only}${FENCE}`],
    ["in backticks behind a heading's signs", `## \`src/a.py\`\n${FENCE}\n${only}${FENCE}`],
    ["with a line number", `src/a.py:12\n${FENCE}\n${only}${FENCE}`],
    ["in place of the language", `${FENCE}src/a.py\n${only}${FENCE}`],
    ["by the name of the file alone", `a.py\n${FENCE}\n${only}${FENCE}`],
    ["nowhere, and aider names one file", `${FENCE}\n${only}${FENCE}`],
    ["without a fence", `src/a.py\n${only}`],
    ["in a fence of its own", `${FENCE}\nsrc/a.py\n${FENCE}\n${FENCE}python\n${only}${FENCE}`],
  ])("name their file %s", (_, lines) => {
    const [call, ...others] = callsIn(edit(lines, "Applied edit to src/a.py"));
    expect(others).toEqual([]);
    expect(call?.arguments).toMatchObject({ path: "src/a.py", search: "a\n", replace: "b\n" });
  });

  it("belong to the file of the block before when they name none", () => {
    const lines = `a.py\n${only}\nb.py\n${only}\nThen\n\n${only}`;
    expect(
      callsIn(edit(lines, "Applied edit to a.py", "Applied edit to b.py")).map((call) => call.arguments?.path),
    ).toEqual(["a.py", "b.py", "b.py"]);
  });

  it.each([5, 6, 9])("have markers of %d signs", (signs) => {
    const wide = only.replace(/([<=>])\1{6}/g, (_, sign: string) => sign.repeat(signs));
    expect(callsIn(edit(`a.py\n${wide}`, "Applied edit to a.py"))).toHaveLength(1);
  });

  it.each([4, 10])("are none with markers of %d signs", (signs) => {
    const wide = only.replace(/([<=>])\1{6}/g, (_, sign: string) => sign.repeat(signs));
    expect(callsIn(edit(`a.py\n${wide}`))).toEqual([]);
    expect(notesOf(read(edit(`a.py\n${wide}`)))).toEqual({});
  });

  it("keep their lines, with the words around them apart", () => {
    const text = edit(`Before\n\na.py\n${FENCE}\n${only}${FENCE}\n\nAfter`, "Applied edit to a.py");
    expect(turnsIn(text)).toEqual([["agent: Before", "aider_search_replace a.py", "applied", "agent: After"]]);
    const raw = callsIn(text)[0]?.raw[0];
    expect(text.slice(raw?.start ?? 0, raw?.end ?? 0)).toBe(`\na.py\n${FENCE}\n${only}${FENCE}`.slice(1));
  });

  it.each([
    ["asks before an edit", "", said("a.py", "Create new file? (Y)es/(N)o [Yes]: y")],
    ["made it at the start", said("Creating empty file /home/me/repo/a.py"), ""],
    [
      "made it when it was added",
      person("/add a.py") + said("No files matched 'a.py'. Do you want to create a.py? (Y)es/(N)o [Yes]: y"),
      "",
    ],
  ])("make a file when aider %s, once", (_, before, after) => {
    const text = `${START}${before}${person("go")}${answer(`a.py\n${block("", "x\n")}\n${block("", "y\n")}`)}${after}${said("Applied edit to a.py")}`;
    expect(callsIn(text).map((call) => call.arguments?.created ?? false)).toEqual([true, false]);
  });

  it("are refused one by one as aider quotes them, the others applied", () => {
    const facts = [
      "# 1 SEARCH/REPLACE block failed to match!",
      "",
      "## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in a.py",
      "<<<<<<< SEARCH",
      "two",
      "=======",
      "2",
      ">>>>>>> REPLACE",
      "",
      "# The other 1 SEARCH/REPLACE block were applied successfully.",
    ];
    const text = edit(`a.py\n${block("one\n", "1\n")}\na.py\n${block("two\n", "2\n")}`, ...facts);
    expect(turnsIn(text)[0]).toEqual([
      "aider_search_replace a.py",
      "applied",
      "aider_search_replace a.py",
      "refused",
      `harness: ${facts[0]}`,
    ]);
  });

  it.each([
    ["nothing is said", []],
    ["aider leaves them out", ["Did not apply edit to a.py (--dry-run)"]],
    ["they are not allowed", ["Skipping edits to a.py"]],
    ["the answer is not in the edit format", ["The LLM did not conform to the edit format."]],
  ])("are refused when %s", (_, facts) => {
    expect(turnsIn(edit(`a.py\n${only}`, ...facts))[0]?.slice(0, 2)).toEqual(["aider_search_replace a.py", "refused"]);
  });

  it("that nothing ends stay words, noted", () => {
    const found = read(edit("a.py\n<<<<<<< SEARCH\na\n=======\nb"));
    expect(callsIn(edit("a.py\n<<<<<<< SEARCH\na\n=======\nb"))).toEqual([]);
    expect(notesOf(found)).toEqual({ edit_block_open: 1 });
  });

  it("are not read from blocks for a shell", () => {
    expect(callsIn(edit(`${FENCE}bash\nset -e\ncat <<EOF\n${only}EOF\n${FENCE}`))).toEqual([]);
  });

  it("may be hunks without line numbers, each one call", () => {
    const diff = `${FENCE}diff\n--- a/a.py\n+++ b/a.py\n@@ ... @@\n-a\n+b\n@@ ... @@\n c\n\n+d\n${FENCE}`;
    expect(callsIn(edit(diff, "Applied edit to a.py")).map((call) => call.arguments)).toEqual([
      { path: "a.py", search: "a\n", replace: "b\n" },
      { path: "a.py", search: "c\n\n", replace: "c\n\nd\n" },
    ]);
    expect(callsIn(edit(diff))).toEqual([]);
  });

  it("may be whole files, when aider says that it wrote them", () => {
    const whole = `a.py\n${FENCE}\nx = 1\n${FENCE}`;
    expect(callsIn(edit(whole, "Applied edit to a.py"))[0]).toMatchObject({
      tool: "aider_whole_file",
      arguments: { path: "a.py", content: "x = 1\n" },
    });
    expect(callsIn(edit(whole))).toEqual([]);
  });

  it("that aider made and the words do not show are calls too", () => {
    expect(turnsIn(edit("Done.", "Applied edit to a.py"))[0]).toEqual(["agent: Done.", "aider_edit a.py", "applied"]);
  });
});
