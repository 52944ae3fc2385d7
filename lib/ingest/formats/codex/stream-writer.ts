import { AGENT, HARNESS } from "../../entries";
import { isObject, type JsonObject, listMember, member, stringMember } from "../../safe-json";
import { shellCallKind } from "../../shell-kind";
import { contentText } from "./call-events";
import type { CodexLine } from "./lines";
import { exitCodeOf } from "./outputs";
import type { Answer, Run } from "./run";
import { type ReadCall, readCall, scriptIn } from "./tools";
import { TokenBook } from "./usage";

const NOTHING = { isError: null, exitCode: null, durationMs: null, isCut: false, recorded: [] };

/** Turns the events of `exec --json` into entries, in the order of the file. */
export class StreamWriter {
  exitStatus: string | null = null;
  readonly tokens = new TokenBook();
  /** Calls that have begun and not ended. */
  private readonly open = new Set<string>();

  constructor(private readonly run: Run) {}

  add(line: CodexLine): void {
    const { payload, type } = line;
    const { item } = payload;
    if (isObject(item) && /^item\.(?:started|updated|completed)$/.test(type)) this.addItem(line, item, type);
    else if (type === "error" || type === "turn.failed") {
      this.exitStatus = "failed";
      const message = stringMember(payload.error, "message") ?? stringMember(payload, "message");
      this.run.context(line, "injected", HARNESS, message ?? JSON.stringify(payload));
    } else if (/^(?:thread|turn)\.(?:started|completed)$/.test(type)) {
      this.run.close();
      if (type === "turn.completed") {
        this.tokens.takeTotal(payload.usage);
        this.exitStatus = "completed";
      } else this.exitStatus = null;
      this.run.keep(line);
    } else this.run.opaque(line, `a line of type ${type}`);
  }

  private addItem(line: CodexLine, item: JsonObject, type: string): void {
    const kind = stringMember(item, "type") ?? stringMember(item, "item_type") ?? "";
    const text = stringMember(item, "text") ?? stringMember(item, "message") ?? "";
    const isDone = type === "item.completed";
    const raw = [line.raw];
    if (kind === "agent_message" || kind === "assistant_message" || kind === "reasoning" || kind === "plan") {
      if (!isDone) this.run.keep(line);
      else if (kind === "plan") this.run.item(line, { kind: "plan", author: AGENT, raw, text });
      else this.run.item(line, { kind: kind === "reasoning" ? "thought" : "message", author: AGENT, raw, text });
    } else if (kind === "todo_list") this.addPlan(line, item);
    else if (kind === "error") this.run.context(line, "injected", HARNESS, text);
    else this.addCall(line, item, kind, isDone);
  }

  /** A to-do list is said once when it is begun, and again each time it changes. */
  private addPlan(line: CodexLine, item: JsonObject): void {
    const steps = listMember(item, "items").map((step) => {
      const text = stringMember(step, "text") ?? JSON.stringify(step);
      return `- [${member(step, "completed") === true ? "x" : " "}] ${text}`;
    });
    this.run.item(line, { kind: "plan", author: AGENT, raw: [line.raw], text: steps.join("\n") });
  }

  private addCall(line: CodexLine, item: JsonObject, kind: string, isDone: boolean): void {
    const id = stringMember(item, "id") ?? `line-${line.line}`;
    const read = callOf(kind, item);
    if (read === null) {
      this.run.opaque(line, `an item of type ${kind}`);
      return;
    }
    const isOpen = this.open.has(id);
    if (!isOpen) this.run.call(line, read, id, [line.raw]);
    else if (!isDone) this.run.calls.find(id)?.item.raw.push(line.raw);
    this.open.add(id);
    if (!isDone) return;
    this.open.delete(id);
    this.run.result(line, id, answerOf(kind, item), [line.raw]);
  }
}

function callOf(kind: string, item: JsonObject): ReadCall | null {
  switch (kind) {
    case "command_execution": {
      const line = stringMember(item, "command") ?? "";
      return { ...readCall("shell", { command: line }), callKind: shellCallKind(scriptIn(line)) };
    }
    case "file_change":
      return readCall("apply_patch", { changes: item.changes ?? null });
    case "mcp_tool_call":
      return readCall(
        `mcp__${stringMember(item, "server") ?? ""}__${stringMember(item, "tool") ?? ""}`,
        item.arguments,
      );
    case "web_search":
      return readCall("web_search", {
        query: item.query ?? null,
        ...(item.action === undefined ? {} : { action: item.action }),
      });
    case "collab_tool_call":
      return { ...readCall(stringMember(item, "tool") ?? kind, { prompt: item.prompt ?? null }), callKind: "delegate" };
    default:
      return null;
  }
}

function answerOf(kind: string, item: JsonObject): Answer {
  const status = stringMember(item, "status");
  const isError = status === "failed" || status === "declined" ? true : status === "completed" ? false : null;
  if (kind === "command_execution") {
    const exitCode = exitCodeOf(item.exit_code);
    return { ...NOTHING, text: stringMember(item, "aggregated_output") ?? "", exitCode, isError };
  }
  if (kind === "mcp_tool_call") {
    const failure = stringMember(item.error, "message");
    return {
      ...NOTHING,
      text: failure ?? contentText(item.result ?? undefined),
      isError: failure === null ? isError : true,
    };
  }
  return { ...NOTHING, text: status ?? "", isError };
}
