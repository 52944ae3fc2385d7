import { foldParts } from "@/lib/folding/fold";
import { renderParts } from "@/lib/folding/render";
import type { Item, Trajectory } from "@/lib/trajectory/schema";
import { textOf } from "@/lib/trajectory/texts";

/** A sign and a space before the text of an item. */
const SIGN_CHARS = 2;
const LINE_BREAK_CHARS = 1;

/**
 * The folded size of a trajectory in characters: what it takes to write it down folded. Every text stands in lines of its
 * own behind a sign for what it is, observations as folding renders them (nothing is kept open because somebody quotes it);
 * a turn has a line with its number, a call says its tool, and what else is no thought, message or result its kind. The
 * texts alone, without any of this, could not be read.
 */
export function foldedSize(trajectory: Trajectory): number {
  let size = 0;
  for (const entry of trajectory.entries) {
    if (entry.kind === "context") {
      size += entry.contextKind.length + entry.text.length + SIGN_CHARS + 2 * LINE_BREAK_CHARS;
      continue;
    }
    size += `#${entry.index + 1}`.length + LINE_BREAK_CHARS;
    for (const item of entry.items) size += itemSize(item) + LINE_BREAK_CHARS;
  }
  return size;
}

function itemSize(item: Item): number {
  const text = textOf(item, "text") ?? textOf(item, "arguments") ?? "";
  switch (item.kind) {
    case "thought":
      return text.length;
    case "message":
      return SIGN_CHARS + text.length;
    case "result":
      return SIGN_CHARS + renderParts(text, foldParts(text), item.id).length;
    case "call":
      return SIGN_CHARS + item.tool.length + LINE_BREAK_CHARS + text.length;
    default:
      return SIGN_CHARS + item.kind.length + text.length;
  }
}
