import type { Metadata } from "next";
import { unstable_rethrow } from "next/navigation";
import { cache, type ReactNode } from "react";
import { drawPage } from "@/app/drawn-page";
import NotFound from "@/app/not-found";
import { TopBar } from "@/components/shell/top-bar";
import { FileList } from "@/components/tables/trajectory-table/file-list";
import { formatListAddress, parseListSearch } from "@/components/tables/trajectory-table/list-address";
import { ImportStatus } from "@/components/trajectory/import-status";
import { FILE_KEY_HELP, KEY_HELP } from "@/components/trajectory/key-commands";
import { PartBar } from "@/components/trajectory/part-bar";
import { TrajectoryPage } from "@/components/trajectory/trajectory-page";
import { AppError } from "@/lib/errors";
import { getNeighbours } from "@/lib/store/file-reads";
import { getBar } from "@/lib/store/projects";
import type { ProjectScope } from "@/lib/store/scope";
import { requireProject } from "@/lib/store/session";
import { getFile, getListPage, getRow } from "@/lib/store/trajectories";
import type { TrajectoryRow } from "@/lib/views/trajectory-list";
import { addressOf, isStripClosed, loadForensics, type Search } from "./forensics";

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<Search>;
}

const TITLE_CHARS = 80;
const TASK_CHARS = 50;

/** What a tab is called: the task as the list has it, which follows what a person states, and the file. */
function titleOf({ task, name }: TrajectoryRow): string {
  const parts = task === null || task === name ? [name] : [cutAt(task, TASK_CHARS), name];
  return cutAt(parts.join(" · "), TITLE_CHARS);
}

function cutAt(text: string, chars: number): string {
  return text.length > chars ? `${text.slice(0, chars - 1).toWellFormed()}…` : text;
}

/** The list row, read once for the title and the page; null when there is none. Other failures are no "not found". */
const findRow = cache(async (id: string): Promise<TrajectoryRow | null> => {
  try {
    return await getRow(await requireProject(), id);
  } catch (error) {
    if (error instanceof AppError && error.code === "not_found") return null;
    throw error;
  }
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { id } = await params;
  try {
    const row = await findRow(id);
    return { title: row === null ? "Not found" : titleOf(row) };
  } catch (error) {
    unstable_rethrow(error);
    // The page meets the same, and says it.
    return {};
  }
}

/** One trajectory: the verdict, the turns, and the code as it was at each turn. For a file with several: the list of them. */
export default function TrajectoryRoute(props: Props): Promise<ReactNode> {
  return drawPage(<NotFound />, () => drawTrajectory(props));
}

async function drawTrajectory({ params, searchParams }: Props): Promise<ReactNode | null> {
  const scope = await requireProject();
  const { id } = await params;
  const row = await findRow(id);
  if (row === null) return null;
  if (row.parts !== null) return drawFile(scope, id, await searchParams);
  const [bar, neighbours, loaded, closed] = await Promise.all([
    getBar(scope),
    getNeighbours(scope, id),
    loadForensics(scope, id, addressOf(await searchParams)),
    isStripClosed(),
  ]);
  const api = `/api/v1/trajectories/${encodeURIComponent(id)}`;
  const keys = [...(loaded === null ? [] : KEY_HELP), ...(neighbours === null ? [] : FILE_KEY_HELP)];
  const top = <TopBar {...bar} current="trajectories" keys={keys} />;
  if (loaded === null) {
    return (
      <div className="flex min-h-full flex-col">
        {top}
        {row.file !== null && <PartBar file={row.file} neighbours={neighbours} />}
        <ImportStatus api={api} initial={row} />
      </div>
    );
  }
  return (
    <div className="grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] narrow:block narrow:h-auto">
      <div>
        {top}
        {row.file !== null && <PartBar file={row.file} neighbours={neighbours} />}
      </div>
      <TrajectoryPage key={loaded.run.importId} api={api} {...loaded} isStripClosed={closed} />
    </div>
  );
}

/** A file that holds several trajectories: what it is, and the list of them, which its address sorts, filters and pages. */
async function drawFile(scope: ProjectScope, id: string, search: Search): Promise<ReactNode | null> {
  const query = { ...parseListSearch(search), file: id };
  const [bar, file, page] = await Promise.all([getBar(scope), getFile(scope, id), getListPage(scope, query)]);
  if (file === null) return null;
  const initial = { address: formatListAddress(query), page };
  return <FileList file={file} bar={bar} initial={initial} madeAt={Date.now()} rules={{ formats: [] }} />;
}
