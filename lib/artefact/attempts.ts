import type { CallItem, ResultItem } from "@/lib/trajectory/schema";
import { CallArguments } from "./call-arguments";
import { type Attempt, withoutContent } from "./effect";
import { patchCommandIn } from "./shell-patch";
import type { ShellSurroundings } from "./shell-surroundings";
import { COMMAND_KEYS, isShellTool } from "./shell-tools";
import { readShellWrites, readShellWritesInEither } from "./shell-writes";
import { isAiderCall, readAiderWrite } from "./write-aider";
import { isPatchCall, readApplyPatch, readPatchCommand } from "./write-apply-patch";
import { isClaudeWriteCall, readClaudeWrite } from "./write-claude";
import { readUncertainKeystrokes } from "./write-keystrokes";
import { isRuntimeWrite, readRuntimeWrite } from "./write-openhands";
import { isPatchEditCall, readPatchEdits } from "./write-patch-edits";
import { codeOf, isNotebookCall, readSkills } from "./write-skills";
import { isStrReplaceCall, readStrReplace } from "./write-str-replace";
import { readUnreadWrite } from "./write-unread";
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
  /** The folder in which the call left the shell, when it changed it; null when it did not. */
  movedTo: string | null;
}

/**
 * Reads the writes of a call with the one grammar that it belongs to.
 * @param elsewhere where the shell may stand instead of the folder that the state tells; null when that is certain
 */
export function readCall(
  call: CallItem,
  result: ResultItem | null,
  state: ToolState,
  around: ShellSurroundings,
  elsewhere: string | null,
): CallReading {
  const reading = readByGrammar(call, result, state, around, elsewhere);
  return call.isCut === true ? { ...reading, attempts: reading.attempts.map(withoutContent) } : reading;
}

function readByGrammar(
  call: CallItem,
  result: ResultItem | null,
  state: ToolState,
  around: ShellSurroundings,
  elsewhere: string | null,
): CallReading {
  if (isStrReplaceCall(call)) return { attempts: readStrReplace(call, result), after: state, movedTo: null };
  if (isAiderCall(call)) return { attempts: readAiderWrite(call, result), after: state, movedTo: null };
  if (isRuntimeWrite(call)) return { attempts: readRuntimeWrite(call, result), after: state, movedTo: null };
  if (isClaudeWriteCall(call)) return { attempts: readClaudeWrite(call, result), after: state, movedTo: null };
  if (isPatchEditCall(call)) return { attempts: readPatchEdits(call, result), after: state, movedTo: null };
  if (isPatchCall(call)) {
    return { attempts: readApplyPatch(call, result, around, state.directory), after: state, movedTo: null };
  }
  if (isWindowedCall(call)) {
    const attempts = readWindowed(call, result, state.editor);
    return { attempts, after: { ...state, editor: nextEditorState(call, result, state.editor) }, movedTo: null };
  }
  if (isNotebookCall(call)) {
    const { attempts, hasOther } = readSkills(call, result);
    const others = hasOther
      ? readShellWrites(programLine(codeOf(call) ?? ""), result, around, state.directory).attempts
      : [];
    return { attempts: [...attempts, ...others], after: state, movedTo: null };
  }
  const line = commandLineOf(call);
  if (line === null) {
    const attempts = [...readUnreadWrite(call, result), ...readUncertainKeystrokes(call, around, state.directory)];
    return { attempts, after: state, movedTo: null };
  }
  const patch = patchCommandIn(line, state.directory);
  if (patch !== null) return { attempts: readPatchCommand(patch, result, around), after: state, movedTo: null };
  const { attempts, directory, moved } =
    elsewhere === null
      ? readShellWrites(line, result, around, state.directory)
      : readShellWritesInEither(line, result, around, state.directory, elsewhere);
  return { attempts, after: { ...state, directory }, movedTo: moved ? directory : null };
}

/** The command line that runs a program of Python as a notebook does: what it writes is told in the same way. */
function programLine(code: string): string {
  let end = "END_OF_CELL";
  while (code.includes(end)) end += "_";
  return `python3 - <<'${end}'\n${code}\n${end}`;
}

/** The command line of a call that goes to a shell, null when it is no such call. */
export function commandLineOf(call: CallItem): string | null {
  if (!isShellTool(call.tool) && call.callKind !== "execute") return null;
  // Keys for a program that runs already.
  if (new CallArguments(call).flag("is_input")) return null;
  return new CallArguments(call).text(...COMMAND_KEYS) ?? call.text;
}
