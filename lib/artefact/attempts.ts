import type { CallItem, ResultItem } from "@/lib/trajectory/schema";
import type { Attempt } from "./effect";
import { isClaudeWriteCall, readClaudeWrite } from "./write-claude";
import { isStrReplaceCall, readStrReplace } from "./write-str-replace";
import { type EditorState, isWindowedCall, nextEditorState, readWindowed } from "./write-windowed";

/** What one agent's tools remember between calls. */
export interface ToolState {
  directory: string | null;
  editor: EditorState;
}

/** The writes of a call, and what its tools remember afterwards. */
export interface CallReading {
  attempts: Attempt[];
  after: ToolState;
}

/** Reads the writes of a call with the one grammar that it belongs to. */
export function readCall(call: CallItem, result: ResultItem | null, state: ToolState): CallReading {
  if (isStrReplaceCall(call)) return { attempts: readStrReplace(call, result), after: state };
  if (isClaudeWriteCall(call)) return { attempts: readClaudeWrite(call, result), after: state };
  if (isWindowedCall(call)) {
    const attempts = readWindowed(call, result, state.editor);
    return { attempts, after: { ...state, editor: nextEditorState(call, result, state.editor) } };
  }
  return { attempts: [], after: state };
}
