import type { ArtefactHistory, FileHistory, Write } from "@/lib/artefact/model";
import { type Trajectory, turnsOf } from "@/lib/trajectory/schema";
import { displayPath, patchedPaths } from "./paths";

/** Why a file is, or is not, the run's own scratch file. The first reason that applies, in this order. */
export type ScratchReason =
  | "temporary_folder"
  | "existed_before"
  | "not_written"
  | "removed_again"
  | "outside_repository"
  | "scratch_name"
  | "delivered"
  | "trial_name"
  | "not_delivered"
  | "new_source";

export interface ScratchDecision {
  isScratch: boolean;
  reason: ScratchReason;
}

/** What the decision is made from; `null` in `delivered` means that the run left no patch to look into. */
export interface ScratchFacts {
  /** Relative to the repository's folder where it is inside, else as the trace spells it. */
  path: string;
  inRepository: boolean;
  written: boolean;
  existedBefore: boolean;
  removedAgain: boolean;
  delivered: boolean | null;
}

const TEMPORARY = /^(?:\/private)?\/(?:tmp|var\/tmp|dev)\//;
/** Names that people and agents give to throw-away files whatever the project. */
const SCRATCH_STEM =
  /^(?:repro(?:duce[drs]?|duction|ducer)?|debug(?:ging)?|te?mp|scratch|playground|sandbox|throwaway|delete_?me|foo|bar|baz|untitled)(?:[_\-.\d]|$)/;
const SCRATCH_TAIL =
  /(?:[_-](?:repro|reproduce|reproduction|debug|scratch|tmp|temp)\d*|~|\.(?:bak|backup|orig|rej|tmp|swp|log))$/;
/** Names of files made to try something: tests of one's own, checks, demonstrations. They can be real deliverables. */
const TRIAL_STEM =
  /^(?:tests?|check|verify|validate|try|demo|example|simple|quick|minimal|final|run|edge|issue|bug)(?:[_\-.\d]|$)/;
const TRIAL_TAIL = /[_-](?:test|check|demo|example)\d*$/;

const BEFORE_EXTENSION = /^(.[^.]*)/;

/**
 * Decides whether a file is scratch: made by the run for its own use, not part of what it works on.
 *
 * 1. Anything in a temporary folder is scratch.
 * 2. A file that was there before the run is not, whatever its name; nor is one that was never written.
 * 3. A file that the run made and removed again is scratch, and so is one that it made outside the repository.
 * 4. `reproduce`, `debug`, `tmp` and their like are scratch even when they were left behind in the delivered patch.
 * 5. Otherwise what the delivered patch holds is a deliverable.
 * 6. A `test_`, `check`, `demo` file is scratch at the top of the repository or when a known patch leaves it out; deeper
 *    in the tree and without a patch to look into it counts as a test that belongs to the work.
 * 7. Any other new file is scratch only when a known patch leaves it out.
 */
export function isScratchFile(facts: ScratchFacts): ScratchDecision {
  const { path } = facts;
  if (TEMPORARY.test(path)) return { isScratch: true, reason: "temporary_folder" };
  if (facts.existedBefore) return { isScratch: false, reason: "existed_before" };
  if (!facts.written) return { isScratch: false, reason: "not_written" };
  if (facts.removedAgain) return { isScratch: true, reason: "removed_again" };
  if (!facts.inRepository && path.startsWith("/")) return { isScratch: true, reason: "outside_repository" };

  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const stem = BEFORE_EXTENSION.exec(name)?.[1] ?? name;
  if (SCRATCH_STEM.test(name) || SCRATCH_TAIL.test(stem) || SCRATCH_TAIL.test(name)) {
    return { isScratch: true, reason: "scratch_name" };
  }
  if (facts.delivered === true) return { isScratch: false, reason: "delivered" };
  const looksLikeTrial = TRIAL_STEM.test(name) || TRIAL_TAIL.test(stem);
  if (looksLikeTrial && (facts.delivered === false || !path.includes("/"))) {
    return { isScratch: true, reason: "trial_name" };
  }
  if (facts.delivered === false) return { isScratch: true, reason: "not_delivered" };
  return { isScratch: false, reason: "new_source" };
}

/**
 * The decision for every file of a run, keyed by the history's path.
 * A file existed before the run when the baseline holds it, when the run read it before its first write, or when its
 * first write is an edit of something. `create` and a first overwrite of a file that nothing has shown count as made.
 */
export function scratchFiles(trajectory: Trajectory, history: ArtefactHistory): Map<string, ScratchDecision> {
  const delivered = patchedPaths(trajectory.deliveredPatch);
  const writesByPath = new Map<string, Write[]>();
  for (const write of history.writes) {
    if (write.status === "refused") continue;
    const list = writesByPath.get(write.path);
    if (list === undefined) writesByPath.set(write.path, [write]);
    else list.push(write);
  }
  const refusedAsExisting = new Set(
    history.writes.filter((write) => write.status === "refused" && write.operation === "create").map((w) => w.path),
  );
  const firstReads = readsBeforeWrites(trajectory, history);

  const decisions = new Map<string, ScratchDecision>();
  for (const [path, file] of history.files) {
    const writes = writesByPath.get(path) ?? [];
    const first = writes[0];
    const display = displayPath(path, history.root);
    decisions.set(
      path,
      isScratchFile({
        path: display,
        inRepository: history.root === null || display !== path || !path.startsWith("/"),
        written: first !== undefined,
        existedBefore:
          hasContentBefore(file, first) ||
          (first !== undefined &&
            (first.operation === "edit" || first.operation === "append") &&
            !makes(first, file)) ||
          refusedAsExisting.has(path) ||
          firstReads.has(path),
        removedAgain: writes[writes.length - 1]?.operation === "delete",
        delivered: delivered === null ? null : delivered.has(display),
      }),
    );
  }
  return decisions;
}

/** True when the version before an edit says that there was no file: then the edit made it. */
function makes(write: Write, file: FileHistory): boolean {
  const before = write.versionBefore === null ? undefined : file.versions[write.versionBefore];
  return before?.content.kind === "absent";
}

/** True when a version older than the first write shows a file: the baseline, or a read. */
function hasContentBefore(file: FileHistory, first: Write | undefined): boolean {
  const before = first?.versionAfter ?? file.versions.length;
  return file.versions
    .slice(0, before)
    .some(
      (version) => version.operation === "baseline" || (version.operation === "observe" && shows(version.content.kind)),
    );
}

function shows(kind: "absent" | "unknown" | "whole" | "partial"): boolean {
  return kind === "whole" || kind === "partial";
}

/** Paths that a result showed, or recorded as existing, before the run wrote them. */
function readsBeforeWrites(trajectory: Trajectory, history: ArtefactHistory): Set<string> {
  const spelling = new Map<string, string>();
  for (const file of history.files.values()) {
    spelling.set(file.path, file.path);
    for (const alias of file.aliases) spelling.set(alias, file.path);
  }
  const firstWrite = new Map<string, number>();
  for (const write of history.writes) {
    if (write.status !== "refused" && !firstWrite.has(write.path)) firstWrite.set(write.path, write.arrival);
  }
  const found = new Set<string>();
  for (const turn of turnsOf(trajectory)) {
    for (const item of turn.items) {
      if (item.kind !== "result") continue;
      for (const recorded of item.recorded) {
        const path = spelling.get(recorded.path) ?? recorded.path;
        if (recorded.existedBefore === true && item.arrival <= (firstWrite.get(path) ?? Infinity)) found.add(path);
      }
      if (item.isError === true) continue;
      for (const read of item.reads) {
        const path = spelling.get(read.path) ?? read.path;
        if (item.arrival < (firstWrite.get(path) ?? Infinity)) found.add(path);
      }
    }
  }
  return found;
}
