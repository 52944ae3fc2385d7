import { HOSTILE } from "./runs";

const all = HOSTILE.join("\n");
const tag = HOSTILE[0] ?? "";

/**
 * A session in the shape of Claude Code that holds hostile strings in every field that a trace fills: identifiers, roles,
 * models, names of tools and of their arguments, paths, texts, results, what a tool recorded, titles and errors.
 */
export function hostileSession(marker: string): string {
  let count = 0;
  const line = (type: string, more: Record<string, unknown>, parent: string | null): [string, string] => {
    count += 1;
    const uuid = `${tag} ${count}`;
    const frame = {
      parentUuid: parent,
      isSidechain: false,
      userType: tag,
      cwd: `/work/${tag}`,
      sessionId: tag,
      version: tag,
      gitBranch: tag,
      uuid,
      timestamp: new Date(Date.UTC(2026, 0, 1) + count * 4_000).toISOString(),
      type,
      [tag]: all,
    };
    return [JSON.stringify({ ...frame, ...more }), uuid];
  };
  const said = (...content: unknown[]): Record<string, unknown> => ({
    message: {
      id: `${tag}${count}`,
      role: "assistant",
      model: tag,
      content,
      usage: { input_tokens: 1, output_tokens: 2 },
    },
  });
  const call = (id: string, name: string, input: unknown): unknown => ({
    type: "tool_use",
    id: `${tag}${id}`,
    name,
    input,
  });
  const answer = (id: string, content: unknown, more: Record<string, unknown> = {}): Record<string, unknown> => ({
    message: { role: tag, content: [{ type: "tool_result", tool_use_id: `${tag}${id}`, content, ...more }] },
  });
  const path = `/work/${tag}/${tag}.py`;
  const first = line("user", { message: { role: tag, content: `${marker}\n${all}` } }, null);
  const own = line(
    "assistant",
    said(
      { type: "thinking", thinking: all },
      { type: "text", text: all },
      call("1", tag, { [tag]: all, [all]: { [tag]: [all] } }),
    ),
    first[1],
  );
  const ownResult = line("user", { ...answer("1", all, { is_error: true }), toolUseResult: all }, own[1]);
  const write = line("assistant", said(call("2", "Write", { file_path: path, content: all })), ownResult[1]);
  const recorded = { type: "create", filePath: path, content: all, structuredPatch: [] };
  const written = line(
    "user",
    { ...answer("2", `File created successfully at: ${path}`), toolUseResult: recorded },
    write[1],
  );
  const shell = line("assistant", said(call("3", "Bash", { command: `cat ${tag}`, description: all })), written[1]);
  const shellResult = line(
    "user",
    answer("3", [
      { type: "text", text: all },
      { type: tag, [tag]: all },
    ]),
    shell[1],
  );
  const odd = line(
    "assistant",
    said({ type: tag, [tag]: all }, call("4", "Task", { subagent_type: tag, description: all, prompt: all })),
    shellResult[1],
  );
  const unknown = line(tag, { content: all }, odd[1]);
  const lost = line("user", answer("none", all), odd[1]);
  const summary = JSON.stringify({ type: "summary", summary: `${tag} ${all}`, leafUuid: lost[1] });
  const broken = `{"type": "${tag.replaceAll('"', "'")}", broken`;
  return [first, own, ownResult, write, written, shell, shellResult, odd, unknown, lost]
    .map(([text]) => text)
    .concat(summary, broken)
    .join("\n");
}
