import type { SeededText } from "./seeded-text";

/** What an agent does with one call, and what came back, before a format gives it its own shape. */
export type CodingStep =
  | { kind: "view"; path: string; content: string }
  | { kind: "create"; path: string; content: string }
  | { kind: "edit"; path: string; before: string; after: string }
  | { kind: "command"; command: string; output: string; exitCode: number };

/**
 * One step of a coding agent in `root`: half are commands of a few lines, the others read, write and test. In bytes the
 * median is about 1 kB, nine of ten are below 8 kB, and the longest hold 20 kB.
 */
export function makeCodingStep(text: SeededText, n: number, root: string): CodingStep {
  const path = `${root}/src/${text.word()}_${text.word()}.py`;
  const run = (command: string, output: string, exitCode = 0): CodingStep => ({
    kind: "command",
    command,
    output,
    exitCode,
  });
  switch (n % 12) {
    case 0:
      return { kind: "view", path, content: text.lines(n % 36 === 0 ? 20_000 : 6_000, "code") };
    case 1:
    case 7:
      return { kind: "edit", path, before: text.lines(120, "code"), after: text.lines(200, "code") };
    case 2:
      return run(`cd ${root} && python -m pytest -q tests/test_${text.word()}.py`, text.lines(4_000, "log"), 1);
    case 3:
      return { kind: "create", path: path.replace(".py", `_${n}.py`), content: text.lines(1_500, "code") };
    case 4:
    case 10:
      return { kind: "view", path, content: text.lines(1_200, "code") };
    case 5:
      return run(`ls ${root}/src/${text.word()}`, `${text.word()}.py\n${text.word()}.py\n`);
    default:
      return run(`cd ${root} && grep -rn "${text.word()}" src | head -20`, text.lines(500, "log"));
  }
}

/** A file as editors and `cat -n` show it: each line behind its number and what stands between them. */
export function numbered(content: string, between: string): string {
  return content
    .split("\n")
    .map((line, i) => `${String(i + 1).padStart(6)}${between}${line}`)
    .join("\n");
}

/** The step as a call of OpenHands' tools with its arguments, and what they answer. */
export function asOpenHandsCall(step: CodingStep): { tool: string; given: Record<string, unknown>; result: string } {
  switch (step.kind) {
    case "view":
      return {
        tool: "str_replace_editor",
        given: { command: "view", path: step.path },
        result: `Here's the result of running \`cat -n\` on ${step.path}:\n${numbered(step.content, "\t")}\n`,
      };
    case "create":
      return {
        tool: "str_replace_editor",
        given: { command: "create", path: step.path, file_text: step.content },
        result: `File created successfully at: ${step.path}`,
      };
    case "edit":
      return {
        tool: "str_replace_editor",
        given: { command: "str_replace", path: step.path, old_str: step.before, new_str: step.after },
        result: `The file ${step.path} has been edited. Here's the result of running \`cat -n\` on a snippet of ${step.path}:\n${numbered(step.after, "\t")}\n`,
      };
    default:
      return {
        tool: "execute_bash",
        given: { command: step.command },
        result: `${step.output}\n[The command completed with exit code ${step.exitCode}.]\n[Current working directory: /workspace]\n[Command finished with exit code ${step.exitCode}]`,
      };
  }
}
