import { isObject, member } from "../../safe-json";
import type { Step } from "./steps";

/** Whether a step says that what was said so far was summed up. */
export function isCompaction(step: Step): boolean {
  const management = member(step.extra, "context_management");
  return isObject(management) ? management.type === "compaction" : /context summarization/i.test(step.message);
}

/** The task inside a prompt of terminus-2, or all of the words. */
export function taskIn(text: string): string {
  const start = text.indexOf("Task Description:\n");
  if (start === -1) return text;
  const end = text.indexOf("\n\nCurrent terminal state:", start);
  const task = text.slice(start + "Task Description:\n".length, end === -1 ? text.length : end).trim();
  return task === "" ? text : task;
}
