import { describe, expect, it } from "vitest";
import type { ListPage, TrajectoryRow } from "@/lib/views/trajectory-list";
import { isStillArriving, notYetListed } from "./upload-lines";
import type { UploadEntry, UploadState } from "./upload-queue";

const row: TrajectoryRow = {
  id: "a",
  name: "a.traj",
  status: "queued",
  progress: null,
  failure: null,
  parts: null,
  file: null,
  isDemo: false,
  format: null,
  framework: null,
  frameworkVersion: null,
  model: null,
  task: null,
  outcome: null,
  exitStatus: null,
  turnCount: null,
  writeCount: null,
  notUnderstood: 0,
  runStrip: null,
  verdict: null,
  sizeBytes: 10,
  uploadedAt: "2026-11-30T12:00:00Z",
};
const page = (pinned: TrajectoryRow[], rows: TrajectoryRow[]): ListPage => ({
  rows,
  pinned,
  pinnedTotal: pinned.length,
  matching: rows.length,
  pinnedFailed: 0,
  total: 1,
  insideFiles: 0,
  file: null,
  counts: { undetermined: 0, failedImports: 0 },
  frameworks: [],
});
const entry = (state: UploadState): UploadEntry => ({ key: 1, name: "a.traj", sizeBytes: 10, hasGiven: false, state });
const stored = (id: string, duplicate = false) => entry({ kind: "stored", id, duplicate, givenRefused: null, atMs: 0 });

describe("notYetListed", () => {
  it("leaves out what the list shows, in progress or ready", () => {
    expect(notYetListed([stored("a")], page([row], []))).toEqual([]);
    expect(notYetListed([stored("a")], page([], [row]))).toEqual([]);
  });

  it("keeps what the list does not show, and what a duplicate says", () => {
    const kept = [stored("b"), stored("a", true), entry({ kind: "waiting" })];
    expect(notYetListed(kept, page([row], []))).toEqual(kept);
  });
});

describe("isStillArriving", () => {
  it("is the file whose bytes have all left", () => {
    expect(isStillArriving(row, [entry({ kind: "sending", sentBytes: 10 })])).toBe(true);
    expect(isStillArriving(row, [entry({ kind: "sending", sentBytes: 9 })])).toBe(false);
    expect(isStillArriving({ ...row, sizeBytes: 11 }, [entry({ kind: "sending", sentBytes: 10 })])).toBe(false);
    expect(isStillArriving({ ...row, name: "b" }, [entry({ kind: "sending", sentBytes: 10 })])).toBe(false);
    expect(isStillArriving(row, [stored("a")])).toBe(false);
  });
});
