import { COMMAND_KEYS, isShellTool } from "@/lib/artefact/shell-tools";
import type { CallItem } from "@/lib/trajectory/schema";

/**
 * The command line that a call runs, or null when it is not a command line (an editor tool, a search).
 * An editor tool's `command` argument is a sub-command and never counts.
 */
export function commandLineOf(call: CallItem): string | null {
  const isShell = isShellTool(call.tool);
  if (call.arguments !== null && (isShell || call.callKind === "execute")) {
    for (const key of COMMAND_KEYS) {
      const value = Object.hasOwn(call.arguments, key) ? call.arguments[key] : undefined;
      if (typeof value === "string") return value;
      if (Array.isArray(value)) {
        const words = value.filter((word): word is string => typeof word === "string");
        if (words.length > 0)
          return words[words.length - 1]?.includes(" ") ? (words[words.length - 1] ?? null) : words.join(" ");
      }
    }
  }
  if (call.text !== null && (isShell || call.callKind !== "write" || call.arguments === null)) return call.text;
  return null;
}
