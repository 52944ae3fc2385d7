import type { Metadata } from "next";
import type { ReactNode } from "react";
import { formatListAddress, parseListSearch } from "@/components/tables/trajectory-table/list-address";
import { TrajectoryList } from "@/components/tables/trajectory-table/trajectory-list";
import { TRACE_FORMATS } from "@/lib/catalogue/formats";
import { getBar } from "@/lib/store/projects";
import { requireProject } from "@/lib/store/session";
import { getListPage } from "@/lib/store/trajectories";
import { drawPage } from "./drawn-page";

export const metadata: Metadata = { title: "Trajectories" };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** All trajectories of the project. */
export default function TrajectoriesPage({ searchParams }: Props): Promise<ReactNode> {
  return drawPage(null, () => drawList(searchParams));
}

async function drawList(searchParams: Props["searchParams"]): Promise<ReactNode> {
  const scope = await requireProject();
  const query = parseListSearch(await searchParams);
  const [bar, page] = await Promise.all([getBar(scope), getListPage(scope, query)]);
  return (
    <TrajectoryList bar={bar} initial={{ address: formatListAddress(query), page }} madeAt={Date.now()} rules={rules} />
  );
}

const rules = { formats: TRACE_FORMATS.map(({ name, extensions }) => `${name} ${extensions.join(", ")}`) };
