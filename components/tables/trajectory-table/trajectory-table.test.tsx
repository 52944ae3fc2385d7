import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ListPage, TrajectoryRow } from "@/lib/views/trajectory-list";
import type { UploadEntry, UploadState } from "../upload/upload-queue";
import { UploadQueue } from "../upload/upload-queue";
import { parseListAddress } from "./list-address";
import { TrajectoryTable, type TrajectoryTableProps } from "./trajectory-table";

afterEach(cleanup);

const NOW = Date.parse("2026-11-30T13:00:00Z");

function row(change: Partial<TrajectoryRow>): TrajectoryRow {
  return {
    id: "a1",
    name: "run.traj",
    status: "ready",
    progress: null,
    failure: null,
    parts: null,
    file: null,
    isDemo: false,
    format: { id: "swe-agent", variant: "1.x", score: 0.98, reason: "has trajectory and info" },
    framework: "SWE-agent",
    frameworkVersion: null,
    model: "a-model",
    task: "owner__repo-1",
    outcome: "failed",
    exitStatus: "submitted",
    turnCount: 64,
    writeCount: 7,
    notUnderstood: 0,
    runStrip: "..xW",
    verdict: { status: "determined", turn: 26, engine: "structural" },
    sizeBytes: 1_000,
    uploadedAt: "2026-11-30T12:00:00Z",
    ...change,
  };
}

function page(change: Partial<ListPage>): ListPage {
  return {
    rows: [],
    pinned: [],
    pinnedTotal: change.pinned?.length ?? 0,
    matching: change.rows?.length ?? 0,
    pinnedFailed: change.pinned?.filter(({ status }) => status === "failed").length ?? 0,
    total: 1,
    insideFiles: 0,
    file: null,
    counts: { undetermined: 0, failedImports: 0 },
    frameworks: [],
    ...change,
  };
}

function show(change: Partial<ListPage>, props: Partial<TrajectoryTableProps> = {}) {
  const queue = new UploadQueue({
    hash: () => Promise.reject(new Error("not here")),
    send: () => Promise.reject(new Error("not here")),
    nowMs: () => 0,
  });
  const onSort = vi.fn();
  const onRetry = vi.fn();
  render(
    <TrajectoryTable
      page={page(change)}
      query={parseListAddress([])}
      now={NOW}
      uploads={[]}
      queue={queue}
      isBehind={false}
      onSort={onSort}
      onRetry={onRetry}
      empty={<p>nothing</p>}
      {...props}
    />,
  );
  return { onSort, onRetry };
}

const cells = (name: RegExp) =>
  within(screen.getByRole("row", { name }))
    .getAllByRole("cell")
    .map((cell) => cell.textContent);

function upload(key: number, name: string, state: UploadState, sizeBytes = 10): UploadEntry {
  return { key, name, sizeBytes, hasGiven: false, state };
}

describe("a ready row", () => {
  it("says everything that the list knows, with the turn as people count it", () => {
    show({ rows: [row({ notUnderstood: 3 })] });
    expect(cells(/run\.traj/)).toEqual([
      "run.traj",
      "SWE-agent a-model",
      "owner__repo-1",
      "Failed",
      "",
      "Decisive error#27by structural rule",
      "64 turns",
      "7 writes",
      "Ready3 not read",
      "1 h",
    ]);
    expect(screen.getByRole("img", { name: "64 turns, decisive error at #27" })).toBeTruthy();
    expect(screen.getByRole("link", { name: "run.traj" }).getAttribute("href")).toBe("/t/a1");
    expect(screen.getByRole("link", { name: /#27/ }).getAttribute("href")).toBe("/t/a1?turn=27");
  });

  it("does not turn what is not known into an answer", () => {
    show({
      rows: [
        row({
          outcome: null,
          task: null,
          turnCount: null,
          writeCount: null,
          runStrip: null,
          verdict: { status: "undetermined", turn: null, engine: "structural" },
        }),
      ],
    });
    const [, , task, outcome, run, verdict, turns, writes] = cells(/run\.traj/);
    expect([task, outcome, run, turns, writes]).toEqual(["–", "Unknown", "", "–", "–"]);
    expect(verdict).toContain("none");
    expect(screen.queryByRole("link", { name: /#/ })).toBeNull();
  });

  it("shows hostile names as text", () => {
    const name = '<img src=x onerror="alert(1)">.traj';
    show({ rows: [row({ name })] });
    expect(screen.getByRole("link", { name }).textContent).toBe(name);
    expect(document.querySelector("img")).toBeNull();
  });
});

describe("what is in progress", () => {
  it("stands above the results with how far it is", () => {
    show({
      rows: [row({})],
      pinned: [
        row({
          id: "i",
          name: "going.jsonl",
          status: "importing",
          progress: { phase: "reading", done: 43, total: 100, turns: 2_612 },
        }),
        row({ id: "q", name: "next.jsonl", status: "queued", format: null, framework: null }),
      ],
    });
    const names = screen.getAllByRole("row").map((line) => line.textContent ?? "");
    expect(names.findIndex((text) => text.includes("going.jsonl"))).toBeLessThan(
      names.findIndex((text) => text.includes("run.traj")),
    );
    expect(screen.getByRole("rowheader", { name: /In progress, 2/ })).toBeTruthy();
    expect(screen.getByText("Importing 43 %")).toBeTruthy();
    expect(screen.getByText("43 B of 100 B read, 2,612 turns so far")).toBeTruthy();
    expect(screen.getByRole("progressbar", { name: "Import of going.jsonl" }).getAttribute("aria-valuenow")).toBe("43");
    expect(screen.getByText("Queued")).toBeTruthy();
  });

  it("says why and where an import failed, gives the upload back and tries again", () => {
    const failure = {
      code: "malformed",
      message: "the JSON ends inside a string.",
      at: { line: 18_204, byte: 41, pointer: null },
    };
    const { onRetry } = show({
      pinned: [row({ id: "f", name: "bad.jsonl", status: "failed", failure })],
      counts: { undetermined: 0, failedImports: 1 },
    });
    expect(screen.getByRole("rowheader", { name: /^Import failed, 1/ })).toBeTruthy();
    expect(
      screen.getByText(/^Line 18,204, byte 41: the JSON ends inside a string\. A copy that was cut off/),
    ).toBeTruthy();
    expect(screen.getByRole("link", { name: "Download the upload bad.jsonl" }).getAttribute("href")).toBe(
      "/api/v1/trajectories/f/upload",
    );
    fireEvent.click(screen.getByRole("button", { name: "Retry bad.jsonl" }));
    expect(onRetry).toHaveBeenCalledWith("f");
  });

  it("folds many failures, and counts those that it does not show", () => {
    const pinned = Array.from({ length: 6 }, (_, i) => row({ id: `f${i}`, name: `bad-${i}.traj`, status: "failed" }));
    show({ pinned, pinnedTotal: 9, counts: { undetermined: 0, failedImports: 9 } });
    expect(screen.getAllByText("Import failed")).toHaveLength(3);
    expect(screen.getByText("and 3 not shown here")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "3 more failed" }));
    expect(screen.getAllByText("Import failed")).toHaveLength(6);
  });

  it("shows uploads of this browser: a bar, a refusal, a file that is here already", () => {
    show(
      {},
      {
        uploads: [
          upload(1, "big.jsonl", { kind: "sending", sentBytes: 500_000 }, 2_000_000),
          upload(2, "old.traj", { kind: "stored", id: "first", duplicate: true, givenRefused: null, atMs: 0 }),
          upload(3, "no.traj", { kind: "failed", reason: "The file is empty.", canRetry: false }),
        ],
      },
    );
    expect(screen.getByText("500.0 kB of 2.0 MB")).toBeTruthy();
    expect(screen.getByRole("progressbar", { name: "Upload of big.jsonl" }).getAttribute("aria-valuenow")).toBe("25");
    expect(screen.getByRole("link", { name: "Open the first" }).getAttribute("href")).toBe("/t/first");
    expect(screen.getByText("The file is empty.")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Retry no.traj" })).toBeNull();
    expect(screen.getByRole("button", { name: "Dismiss no.traj" })).toBeTruthy();
  });

  it("says what became of what was said about the failure", () => {
    const stored = (duplicate: boolean, givenRefused: string | null) =>
      ({ kind: "stored", id: "first", duplicate, givenRefused, atMs: 0 }) as const;
    const uploads = [stored(false, null), stored(true, null), stored(true, "It holds several.")].map((state, n) => ({
      ...upload(n, `${n}.traj`, state),
      hasGiven: true,
    }));
    show({}, { uploads });
    expect(screen.getByText("in line for import, with what is known about the failure")).toBeTruthy();
    expect(screen.getByText(/what you said about the failure stands there now/)).toBeTruthy();
    expect(screen.getByText(/was not taken: It holds several\./)).toBeTruthy();
  });
});

describe("the head", () => {
  it("says by which column the server ordered, and asks for another order", () => {
    const { onSort } = show({ rows: [row({})] }, { query: parseListAddress([["sort", "turns"]]) });
    expect(screen.getByRole("columnheader", { name: "Turns" }).getAttribute("aria-sort")).toBe("descending");
    expect(screen.getByRole("columnheader", { name: "Name" }).getAttribute("aria-sort")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Name" }));
    expect(onSort).toHaveBeenCalledWith("name");
    expect(within(screen.getByRole("columnheader", { name: "Run" })).queryByRole("button")).toBeNull();
  });

  it("keeps the order of the server", () => {
    show({ rows: [row({ id: "b", name: "b" }), row({ id: "a", name: "a" }), row({ id: "c", name: "c" })] });
    expect([...document.querySelectorAll("[data-row-link]")].map((link) => link.textContent)).toEqual(["b", "a", "c"]);
  });
});

it("shows what is empty in words", () => {
  show({});
  expect(screen.getByText("nothing")).toBeTruthy();
});

describe("a file with several trajectories", () => {
  const format = { id: "chat-messages", variant: "", score: 0.6, reason: "lines with messages" };
  const file = (parts: NonNullable<TrajectoryRow["parts"]>): TrajectoryRow =>
    row({
      ...{ id: "f1", name: "rows.jsonl", status: "several", parts, format, framework: null, model: null, task: null },
      ...{ outcome: null, exitStatus: null, turnCount: null, writeCount: null, runStrip: null, verdict: null },
    });

  it("says as a result how many it holds, what became of them, and nothing that only a run has", () => {
    show({ rows: [file({ total: 1_133, ready: 1_121, failed: 12, waiting: 0 })] });
    expect(cells(/rows\.jsonl/)).toEqual([
      "rows.jsonl1,133 runs",
      "Chat messages",
      "–",
      "",
      "",
      "–",
      "–",
      "–",
      "1,121 imported, 12 failed",
      "1 h",
    ]);
    expect(screen.getByRole("link", { name: "rows.jsonl" }).getAttribute("href")).toBe("/t/f1");
  });

  it("stands above the results with how far they are while some are left to do", () => {
    show({ pinned: [file({ total: 45, ready: 12, failed: 1, waiting: 32 })] });
    expect(screen.getByText("In progress, 1. Shown whatever the filters")).toBeTruthy();
    const [name, , work] = cells(/rows\.jsonl/);
    expect([name, work]).toEqual(["rows.jsonl45 runs", "Importing 28 %12 of 45 imported, 1 failed"]);
    expect(screen.getByRole("progressbar", { name: "Import of rows.jsonl" }).getAttribute("aria-valuenow")).toBe("29");
  });

  it("is named by the rows of its trajectories, but for the list of that file", () => {
    const part = row({ name: "task 7", file: { id: "f1", name: "rows.jsonl", index: 6, total: 45 } });
    show({ rows: [part] });
    expect(cells(/task 7/)[0]).toBe("task 7in rows.jsonl");
    cleanup();
    show({ rows: [part], pinned: [row({ name: "broken", status: "failed" })] }, { isOneFile: true });
    expect(cells(/task 7/)[0]).toBe("task 7");
    expect(screen.getByText("Results, in the order of the file")).toBeTruthy();
  });
});
