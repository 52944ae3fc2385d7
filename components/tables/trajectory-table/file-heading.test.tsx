import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FileView, TrajectoryRow } from "@/lib/views/trajectory-list";
import { FileHeading, type FileHeadingProps } from "./file-heading";

const NOTE: FileView["notes"][number] = {
  code: "not_read",
  level: "not_understood",
  message: "Parts of the file that none of its trajectories holds",
  count: 3,
  positions: [{ line: 2, pointer: null, start: 10, end: 30 }],
};

const row: TrajectoryRow = {
  ...{ id: "f1", name: "rows<b>.jsonl", status: "several", progress: null, failure: null, isDemo: false, file: null },
  parts: { total: 45, ready: 44, failed: 1, waiting: 0 },
  format: { id: "chat-messages", variant: "", score: 0.6, reason: "lines with messages" },
  ...{ framework: null, frameworkVersion: null, model: null, task: null, outcome: null, exitStatus: null },
  ...{ turnCount: null, writeCount: null, notUnderstood: 3, runStrip: null, verdict: null, sizeBytes: 307_586 },
  uploadedAt: "2026-11-30T12:00:00Z",
};

const fetched = vi.fn<(url: string, init?: RequestInit) => Promise<Response>>();
beforeEach(() => {
  fetched.mockResolvedValue(new Response("{}"));
  vi.stubGlobal("fetch", fetched);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  fetched.mockReset();
});

function show(change: Partial<TrajectoryRow> = {}, props: Partial<FileHeadingProps> = {}) {
  const onAsked = vi.fn();
  const now = Date.parse("2026-11-30T13:00:00Z");
  const shown = { ...row, ...change };
  const file: FileView = { row: shown, notes: [], givenParts: 0 };
  render(
    <FileHeading
      {...{ file, row: shown, now, isWorkerAway: false, problem: null, onAsked, tabs: <i>tabs</i> }}
      {...props}
    />,
  );
  return onAsked;
}

describe("the head of a file with several trajectories", () => {
  it("says what the file is and what became of them, and gives the file", () => {
    show();
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("rows<b>.jsonl");
    for (const words of ["45 trajectories", "Chat messages", "307.6 kB", "44 imported, 1 failed"]) {
      expect(screen.getByText(words)).toBeTruthy();
    }
    const download = screen.getByRole("link", { name: "Download file" });
    expect(download.getAttribute("href")).toBe("/api/v1/trajectories/f1/upload");
    expect(screen.queryByRole("progressbar")).toBeNull();
    expect(screen.queryByRole("button", { name: /no trajectory holds/ })).toBeNull();
  });

  it("shows how far they are, and takes no other reading meanwhile", () => {
    show({ parts: { total: 45, ready: 12, failed: 1, waiting: 32 } });
    expect(screen.getByText("12 of 45 imported, 1 failed")).toBeTruthy();
    expect(screen.getByRole("progressbar").getAttribute("aria-valuenow")).toBe("29");
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Read again" }).disabled).toBe(true);
  });

  it("says that nobody works on it when no worker runs", () => {
    show({ parts: { total: 45, ready: 12, failed: 1, waiting: 32 } }, { isWorkerAway: true });
    expect(screen.getByText(/No worker is running/)).toBeTruthy();
  });

  it("opens what no trajectory holds, with its places", () => {
    show({}, { file: { row, notes: [NOTE], givenParts: 0 } });
    expect(screen.queryByText(/line 2/)).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "What no trajectory holds" }));
    expect(screen.getByText("line 2, bytes 10 to 30; and 2 more")).toBeTruthy();
  });

  it("says that what was said about the failure with the file applies to none of them", () => {
    show();
    expect(screen.queryByText(/applies to none/)).toBeNull();
    show({}, { file: { row, notes: [], givenParts: 2 } });
    expect(screen.getByText(/said about the failure with this file applies to none of its trajectories/)).toBeTruthy();
  });

  it("has the file read again, and says why an attempt failed", async () => {
    const failure = {
      code: "unsupported_format",
      message: "cannot be read",
      at: { byte: null, line: null, pointer: null },
    };
    const onAsked = show({ status: "failed", failure });
    expect(screen.getByText(/Reading the file again failed/).closest("p")?.textContent).toContain("Cannot be read");
    fireEvent.click(screen.getByRole("button", { name: "Read again" }));
    await vi.waitFor(() => expect(onAsked).toHaveBeenCalledOnce());
    expect(fetched.mock.calls.map(([url, init]) => [url, init?.method])).toEqual([
      ["/api/v1/trajectories/f1/retry", "POST"],
    ]);
    cleanup();
    const again = show();
    fireEvent.click(screen.getByRole("button", { name: "Read again" }));
    await vi.waitFor(() => expect(again).toHaveBeenCalledOnce());
    expect(fetched.mock.calls[1]?.[0]).toBe("/api/v1/trajectories/f1/read-again");
  });
});
