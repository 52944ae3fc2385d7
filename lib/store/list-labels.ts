import type { StoredHead } from "./stored-import";

const LABEL_CHARS = 200;

/** A text of the trace as a cell of the list: one line, cut, null when there is nothing in it. */
export function label(text: string | null): string | null {
  const line = (text ?? "").slice(0, 2_000).replaceAll(/\s+/g, " ").trim().slice(0, LABEL_CHARS);
  return line === "" ? null : line.replaceAll(/[\ud800-\udfff]/gu, "").replaceAll("\u0000", "");
}

/** What the list says a run was to do: the instance, else the trace's own title, else the first line of `statement`. */
export function taskLabel(
  { title, task }: Pick<StoredHead, "title" | "task">,
  statement: string | null,
): string | null {
  return label(task.instance ?? title ?? firstLine(statement));
}

function firstLine(text: string | null): string | null {
  return (
    text
      ?.slice(0, 4_000)
      .split("\n")
      .find((line) => line.trim() !== "") ?? null
  );
}
