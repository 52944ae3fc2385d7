import { createTwoFilesPatch } from "diff";
import { rangesOf } from "@/lib/artefact/known-content";
import type { ArtefactHistory, FileHistory, FileVersion, KnownContent, Write } from "@/lib/artefact/model";
import { pathInside } from "@/lib/artefact/paths";

/** A diff of two versions that differ more is shown as the fragments that the call gives. */
const EDITS_MAX = 2_000;

/** What the writes of a turn did, as unified diffs where both sides are known, else in the words of their calls. */
export function diffOfTurn(history: ArtefactHistory, turn: number, path: string | null): string | null {
  const writes = history.writes.filter(
    (write) => write.turn === turn && (path === null || isNamed(write.path, path, history.root)),
  );
  return writes.length === 0 ? null : writes.map((write) => diffOfWrite(history, write)).join("\n");
}

function diffOfWrite(history: ArtefactHistory, write: Write): string {
  const head = `${write.operation} ${write.path}, ${write.status}${write.reason === null ? "" : `: ${write.reason}`}`;
  const versions = history.files.get(write.path)?.versions;
  const before = contentOf(versions, write.versionBefore);
  const after = contentOf(versions, write.versionAfter);
  const left = before === null || before.kind === "absent" ? "" : wholeText(before);
  const right = after === null ? null : after.kind === "absent" ? "" : wholeText(after);
  if (left !== null && right !== null) {
    const patch = createTwoFilesPatch(write.path, write.path, left, right, "", "", {
      context: 3,
      maxEditLength: EDITS_MAX,
    });
    if (patch !== undefined) return `${head}\n${patch}`;
  }
  const { before: gone, after: come } = write.fragment ?? { before: null, after: null };
  if (gone === null && come === null) return `${head}\n(what it changed is not known)`;
  return [head, "(the whole file is not known; the call itself says)", marked("-", gone), marked("+", come)]
    .filter((part) => part !== "")
    .join("\n");
}

function marked(sign: string, text: string | null): string {
  return text === null || text === "" ? "" : text.replace(/^/gm, sign);
}

function contentOf(versions: readonly FileVersion[] | undefined, n: number | null): KnownContent | null {
  return n === null ? null : (versions?.[n]?.content ?? null);
}

function wholeText(content: KnownContent): string | null {
  return content.kind === "whole" ? content.text : null;
}

/** A file as it was after a turn: its known lines with their numbers, and how sure they are. Null: no such file. */
export function fileAfterTurn(
  history: ArtefactHistory,
  path: string,
  turn: number,
): { path: string; head: string; lines: { number: number; text: string }[] } | null {
  const file = findFile(history, path);
  const version = file?.versions.findLast((each) => each.turn === null || each.turn <= turn);
  if (file === undefined || version === undefined) return null;
  const { content } = version;
  const since = version.turn === null ? "as it was before the run" : `as #${version.turn + 1} left it`;
  const head = `${file.path} after #${turn + 1}, ${since}, ${version.certainty}`;
  if (content.kind === "absent") return { path: file.path, head: `${head}: the file is not there`, lines: [] };
  const ranges = rangesOf(content);
  const known = content.kind === "whole" ? "" : ranges.length === 0 ? ": nothing of it is known" : ": known in parts";
  const lines = ranges.flatMap(({ startLine, lines: texts }) =>
    texts.map((text, i) => ({ number: startLine + i, text: text.replace(/\r?\n$/, "") })),
  );
  return { path: file.path, head: `${head}${known}`, lines };
}

function findFile(history: ArtefactHistory, path: string): FileHistory | undefined {
  const exact = history.files.get(path);
  if (exact !== undefined) return exact;
  const named = [...history.files.values()].filter(
    (file) => isNamed(file.path, path, history.root) || file.aliases.includes(path),
  );
  return named.length === 1 ? named[0] : undefined;
}

/** True when `name` is the path, the path inside the repository, or a unique end of it as people write it. */
function isNamed(path: string, name: string, root: string | null): boolean {
  const inside = root === null ? null : pathInside(path, root);
  const wanted = name.replace(/^\.\//, "");
  return path === wanted || inside === wanted || path.endsWith(`/${wanted}`);
}
