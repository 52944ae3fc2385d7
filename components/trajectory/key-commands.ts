/** What a key asks for. */
export type KeyCommand =
  | "next"
  | "previous"
  | "next-flagged"
  | "previous-flagged"
  | "first"
  | "last"
  | "view-1"
  | "view-2"
  | "view-3"
  | "find"
  | "copy-link"
  | "close";

export interface KeyPress {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** `pending` is the first `g` of `g g`, with the time at which it was pressed. */
export interface KeyState {
  pendingSinceMs: number | null;
}

const SEQUENCE_MS = 1_000;

const SINGLE: Record<string, KeyCommand> = {
  j: "next",
  k: "previous",
  e: "next-flagged",
  E: "previous-flagged",
  G: "last",
  "1": "view-1",
  "2": "view-2",
  "3": "view-3",
  "/": "find",
  y: "copy-link",
  Escape: "close",
};

/** The keys and what they do, in the order in which they are listed for a person. `?` and `Esc` are added where the list is shown. */
export const KEY_HELP: { keys: string[]; does: string }[] = [
  { keys: ["j"], does: "Next turn" },
  { keys: ["k"], does: "Previous turn" },
  { keys: ["e"], does: "Next flagged turn" },
  { keys: ["Shift", "E"], does: "Previous flagged turn" },
  { keys: ["g g"], does: "First turn" },
  { keys: ["G"], does: "Last turn" },
  { keys: ["1"], does: "Turn and code" },
  { keys: ["2"], does: "Files" },
  { keys: ["3"], does: "Raw records of the turn" },
  { keys: ["/"], does: "Find in all turns" },
  { keys: ["Enter"], does: "Next match, in the field of finding" },
  { keys: ["Shift", "Enter"], does: "Previous match, there too" },
  { keys: ["y"], does: "Copy a link to what is open" },
];

/** The keys of a trajectory that came in a file with others, on its page too when it could not be imported. */
export const FILE_KEY_HELP: { keys: string[]; does: string }[] = [
  { keys: ["["], does: "Previous trajectory of the file" },
  { keys: ["]"], does: "Next trajectory of the file" },
];

/** The command of a key press, and the state for the next one. Keys with Ctrl, Alt or Meta belong to the browser. */
export function keyCommand(
  press: KeyPress,
  state: KeyState,
  nowMs: number,
): { command: KeyCommand | null; state: KeyState } {
  const none: KeyState = { pendingSinceMs: null };
  if (press.ctrlKey || press.metaKey || press.altKey) return { command: null, state: none };
  if (press.key === "g") {
    const isSecond = state.pendingSinceMs !== null && nowMs - state.pendingSinceMs <= SEQUENCE_MS;
    return isSecond ? { command: "first", state: none } : { command: null, state: { pendingSinceMs: nowMs } };
  }
  if (press.key === "Shift") return { command: null, state };
  return { command: SINGLE[press.key] ?? null, state: none };
}
