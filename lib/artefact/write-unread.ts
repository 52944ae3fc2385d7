import type { CallItem, ResultItem } from "@/lib/trajectory/schema";
import { CallArguments } from "./call-arguments";
import { type Attempt, reasonIn } from "./effect";

/**
 * A call that writes a file which it names, in a way that no grammar reads: what the file holds is not known from there
 * on. Nothing for calls that write no named file, or that the trace says failed.
 */
export function readUnreadWrite(call: CallItem, result: ResultItem | null): Attempt[] {
  const path = new CallArguments(call).text("path", "file_path", "filePath", "target_file", "filename");
  if (call.callKind !== "write" || path === null) return [];
  const isRefused = result?.isError === true;
  return [
    {
      path,
      grammar: "W3",
      operation: "opaque",
      effect: { kind: "opaque" },
      status: isRefused ? "refused" : "opaque",
      reason: isRefused ? reasonIn(result.text, 0) : "how this tool changes a file is not known",
      fragment: null,
    },
  ];
}
