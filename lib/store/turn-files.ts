import { z } from "zod";
import type { TurnView, WriteView } from "@/lib/views/turn";
import { database } from "./client";
import type { StoredItem } from "./stored-item";

const writeStatus = z.enum(["applied", "assumed", "refused", "opaque"]);

/** The writes of a turn in trace order, each with its file. Their strings have not been masked yet. */
export async function writesOfTurn(importId: string, turn: number): Promise<WriteView[]> {
  const writes = await database().write.findMany({ where: { importId, turn }, orderBy: { n: "asc" } });
  if (writes.length === 0) return [];
  const files = await database().file.findMany({
    where: { importId, n: { in: [...new Set(writes.map((write) => write.fileN))] } },
    select: { n: true, path: true, display: true, isScratch: true },
  });
  const byNumber = new Map(files.map((file) => [file.n, file]));
  return writes.map((write) => {
    const file = byNumber.get(write.fileN);
    return {
      n: write.n,
      item: write.itemId,
      file: write.fileN,
      path: file?.path ?? "",
      display: file?.display ?? "",
      grammar: write.grammar,
      operation: write.operation,
      status: writeStatus.parse(write.status),
      isScratch: file?.isScratch ?? false,
      versionBefore: write.versionBefore,
      versionAfter: write.versionAfter,
      addedLines: write.addedLines,
      removedLines: write.removedLines,
      reason: write.reason,
    };
  });
}

/** The files that results among these items showed, in the order in which they did. Not masked yet. */
export async function readsOfItems(importId: string, items: readonly StoredItem[]): Promise<TurnView["reads"]> {
  const paths = [...new Set(items.flatMap((item) => (item.kind === "result" ? item.readPaths : [])))];
  if (paths.length === 0) return [];
  const files = await database().file.findMany({
    where: {
      importId,
      OR: [{ path: { in: paths } }, ...paths.map((path) => ({ aliases: { array_contains: [path] } }))],
    },
    select: { n: true, path: true, display: true, aliases: true },
  });
  const byPath = new Map<string, (typeof files)[number]>();
  for (const file of files) {
    for (const alias of z.array(z.string()).parse(file.aliases)) byPath.set(alias, file);
  }
  for (const file of files) byPath.set(file.path, file);
  const shown = new Map<number, TurnView["reads"][number]>();
  for (const path of paths) {
    const file = byPath.get(path);
    if (file !== undefined) shown.set(file.n, { file: file.n, path: file.path, display: file.display });
  }
  return [...shown.values()];
}
