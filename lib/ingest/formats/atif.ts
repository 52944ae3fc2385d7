import type { Adapter, Parsed, ReportProgress } from "../adapter";
import type { Content } from "../content";
import { isJsonContent } from "../content";
import type { Part } from "../parts";
import { splitRows } from "../rows/row-parts";
import { aboutAtif } from "./atif/about";
import { sniffAtif } from "./atif/detection";
import { readRun } from "./atif/run";
import { documentsOf, splitTrials } from "./atif/trials";

/** The Agent Trajectory Interchange Format, alone or in the folder of a trial (docs/formats.md). */
export const atif: Adapter = { id: "atif", about: aboutAtif, sniff: sniffAtif, split, parse };

function split(content: Content): Part[] {
  return isJsonContent(content) ? splitRows(content) : splitTrials(content);
}

function parse(content: Content, report: ReportProgress, key: string | null): Parsed {
  report(0, 0);
  const parsed = readRun(documentsOf(content, key));
  const turns = parsed.trajectory.entries.filter((entry) => entry.kind === "turn").length;
  report(content.source.bytes.length, turns);
  return parsed;
}
