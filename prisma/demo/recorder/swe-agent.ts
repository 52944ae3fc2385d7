import { numbered, Workspace } from "./workspace";

/** One step of a story. What the tools answer is not written down: it is what really happens in the workspace. */
export type Step =
  | { thought: string; bash: string }
  | { thought: string; view: string; range?: [number, number] }
  | { thought: string; create: string; text: string }
  | { thought: string; replace: string; old: string; new: string }
  | { thought: string; insert: string; line: number; text: string }
  | { thought: string; submit: true };

export interface SweAgentStory {
  instance: string;
  model: string;
  task: string;
  files: Record<string, string>;
  steps: Step[];
}

const ROOT = "/testbed";
const SNIPPET_LINES = 4;

type Arguments = Record<string, string | number | number[]>;

/** Plays a story in a workspace and writes it down as a SWE-agent 1.x `.traj` file. */
export function recordSweAgent(story: SweAgentStory): string {
  const workspace = new Workspace(ROOT, story.files);
  try {
    return JSON.stringify(play(story, workspace), null, 1);
  } finally {
    workspace.close();
  }
}

function play(story: SweAgentStory, workspace: Workspace): object {
  const system = "You are a helpful assistant that can interact with a computer to solve tasks.";
  const prompt = `<uploaded_files>\n${ROOT}\n</uploaded_files>\nI've uploaded a code repository in the directory ${ROOT}. Consider the following issue:\n\n<issue>\n${story.task}\n</issue>\n\nPlease change the code so that the issue is resolved, and submit when you are done.`;
  const history: object[] = [
    { role: "system", content: system, agent: "main", message_type: "system_prompt" },
    { role: "user", content: [{ type: "text", text: prompt }], agent: "main", message_type: "observation" },
  ];
  const trajectory: object[] = [];
  let submissions = 0;
  let diff = "";
  story.steps.forEach((step, i) => {
    const { tool, args, action } = callOf(step);
    let observation: string;
    if ("submit" in step) {
      submissions += 1;
      observation = submissions === 1 ? checklist(workspace.diff()) : workspace.diff();
    } else observation = perform(step, workspace);
    diff = workspace.diff();
    const callId = `call_${String(i + 1).padStart(3, "0")}`;
    const state = { working_dir: ROOT, diff: diff.trimEnd() };
    trajectory.push({
      action,
      observation,
      response: step.thought,
      thought: step.thought,
      execution_time: Math.round((0.1 + ((i * 37) % 90) / 100) * 100) / 100,
      state,
      query: [{}],
      extra_info: {},
    });
    history.push(
      {
        role: "assistant",
        content: step.thought,
        thought: step.thought,
        action,
        agent: "main",
        tool_calls: [{ index: 0, id: callId, type: "function", function: { name: tool, arguments: JSON.stringify(args) } }],
        message_type: "action",
        thinking_blocks: [],
      },
      {
        role: "tool",
        content: [{ type: "text", text: `OBSERVATION:\n${observation}` }],
        agent: "main",
        message_type: "observation",
        tool_call_ids: [callId],
      },
    );
  });
  const tokens = JSON.stringify(history).length;
  return {
    trajectory,
    history,
    info: {
      swe_agent_version: "1.1.0",
      swe_agent_hash: "unavailable",
      submission: diff,
      exit_status: "submitted",
      model_stats: {
        instance_cost: Math.round(tokens * story.steps.length * 0.00000015 * 100) / 100,
        tokens_sent: Math.round((tokens * story.steps.length) / 8),
        tokens_received: Math.round(tokens / 12),
        api_calls: story.steps.length,
      },
    },
    replay_config: JSON.stringify({
      env: { repo: { repo_name: "testbed", base_commit: "HEAD", type: "preexisting" } },
      agent: { model: { name: story.model, temperature: 0 }, type: "default" },
      problem_statement: { type: "text", text: story.task, id: story.instance },
    }),
    environment: story.instance,
  };
}

function callOf(step: Step): { tool: string; args: Arguments; action: string } {
  if ("bash" in step) return { tool: "bash", args: { command: step.bash }, action: step.bash };
  if ("submit" in step) return { tool: "submit", args: {}, action: "submit" };
  const editor = (command: string, path: string, more: Arguments, flags: string) => ({
    tool: "str_replace_editor",
    args: { command, path, ...more },
    action: `str_replace_editor ${command} ${path} ${flags}`.trimEnd(),
  });
  if ("view" in step) {
    const range = step.range;
    return range === undefined
      ? editor("view", step.view, {}, "")
      : editor("view", step.view, { view_range: range }, `--view_range ${range.join(" ")}`);
  }
  if ("create" in step) return editor("create", step.create, { file_text: step.text }, `--file_text ${quote(step.text)}`);
  if ("replace" in step) {
    return editor("str_replace", step.replace, { old_str: step.old, new_str: step.new }, `--old_str ${quote(step.old)} --new_str ${quote(step.new)}`);
  }
  return editor("insert", step.insert, { insert_line: step.line, new_str: step.text }, `--insert_line ${step.line} --new_str ${quote(step.text)}`);
}

function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`;
}

function perform(step: Exclude<Step, { submit: true }>, workspace: Workspace): string {
  if ("bash" in step) return workspace.run(step.bash).output;
  if ("view" in step) {
    // The tool splits at line breaks, so that a file with a final one ends in an empty numbered line.
    const lines = workspace.read(step.view).split("\n");
    const [from, to] = step.range ?? [1, lines.length];
    const shown = lines.slice(from - 1, to === -1 ? lines.length : to);
    return `Here's the result of running \`cat -n\` on ${step.view}:\n${numbered(shown, from)}\n`;
  }
  if ("create" in step) {
    if (workspace.exists(step.create)) {
      return `File already exists at: ${step.create}. Cannot overwrite files using command \`create\`.\n`;
    }
    workspace.put(step.create, step.text);
    return `File created successfully at: ${step.create}\n`;
  }
  const path = "replace" in step ? step.replace : step.insert;
  const before = workspace.read(path);
  if ("replace" in step) {
    const pieces = before.split(step.old);
    if (pieces.length === 1) return `No replacement was performed, old_str \`${step.old}\` did not appear verbatim in ${path}.\n`;
    if (pieces.length > 2) {
      const lines = pieces.slice(0, -1).map((_, i) => pieces.slice(0, i + 1).join(step.old).split("\n").length);
      return `No replacement was performed. Multiple occurrences of old_str \`${step.old}\` in lines [${lines.join(", ")}]. Please ensure it is unique\n`;
    }
    workspace.put(path, pieces.join(step.new));
    const line = (pieces[0] ?? "").split("\n").length - 1;
    return edited(workspace, path, line, step.new, `a snippet of ${path}`, "");
  }
  const lines = before.split("\n");
  lines.splice(step.line, 0, ...step.text.split("\n"));
  workspace.put(path, lines.join("\n"));
  return edited(workspace, path, step.line, step.text, "a snippet of the edited file", " (correct indentation, no duplicate lines, etc)");
}

function edited(workspace: Workspace, path: string, line: number, text: string, what: string, hint: string): string {
  const from = Math.max(1, line - SNIPPET_LINES);
  const to = line + SNIPPET_LINES + text.split("\n").length - 1;
  const shown = workspace.read(path).split("\n").slice(from - 1, to);
  return `The file ${path} has been edited. Here's the result of running \`cat -n\` on ${what}:\n${numbered(shown, from)}\nReview the changes and make sure they are as expected${hint}. Edit the file again if necessary.\n`;
}

function checklist(diff: string): string {
  return `Thank you for your work on this issue. Please carefully follow the steps below to help review your changes.

1. If you made any changes to your code after running the reproduction script, please run the reproduction script again.
2. Remove your reproduction script (if you haven't done so already).
3. If you have modified any TEST files, please revert them to the state they had before you started fixing the issue.
4. Run the submit command again to confirm.

Here is a list of all of your changes:

<diff>
${diff}
</diff>
`;
}
