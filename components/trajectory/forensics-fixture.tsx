import type { ReactNode } from "react";
import { vi } from "vitest";
import type { Diagnosis } from "@/lib/views/investigation";
import type { RunView } from "@/lib/views/run";
import type { ItemView, TextView } from "@/lib/views/turn";
import { type Address, EMPTY_ADDRESS, type FoldMode, formatAddress } from "./address";
import { Answers } from "./answers";
import { flagsOf } from "./flags";
import { ForensicsProvider } from "./forensics-context";
import { quotationsOf } from "./quotations";

/** For tests: a text that is here as a whole. */
export function wholeText(text: string): TextView {
  return {
    head: text,
    tail: "",
    totalChars: text.length,
    totalLines: text.split("\n").length,
    omittedChars: 0,
    omittedLines: 0,
  };
}

/** For tests: an item with nothing but what is given. */
export function itemWith(more: Partial<ItemView> & Pick<ItemView, "id" | "kind">): ItemView {
  return {
    author: { role: "agent", name: null },
    text: null,
    tool: null,
    callKind: null,
    arguments: null,
    summary: null,
    answers: null,
    isError: null,
    exitCode: null,
    isCut: false,
    fold: null,
    durationMs: null,
    reason: null,
    arrivedLate: false,
    ...more,
  };
}

/** For tests: the head of a run of four turns. */
export function runWith(more: Partial<RunView> = {}): RunView {
  const lane = (letter: string) => letter.repeat(4);
  return {
    row: {
      id: "run",
      name: "run.traj",
      status: "ready",
      progress: null,
      failure: null,
      parts: null,
      file: null,
      isDemo: false,
      format: null,
      framework: "SWE-agent",
      frameworkVersion: null,
      model: null,
      task: null,
      outcome: "failed",
      exitStatus: null,
      turnCount: 4,
      writeCount: 1,
      notUnderstood: 0,
      runStrip: null,
      verdict: null,
      sizeBytes: 1,
      uploadedAt: "2026-01-01T00:00:00Z",
    },
    importId: "import",
    importedAt: "2026-01-01T00:00:00Z",
    parserVersion: "1",
    title: "run",
    taskStatement: null,
    taskSource: "trace",
    totals: { inputTokens: null, outputTokens: null, costUsd: null, durationMs: null },
    agents: [{ id: "main", name: "main", startedByTurn: null }],
    notes: [],
    hasDeliveredPatch: false,
    strip: {
      turns: 4,
      activity: lane("r"),
      size: lane("1"),
      write: lane("."),
      test: lane("."),
      error: lane("."),
      suspicion: lane("0"),
      agent: lane("0"),
    },
    verdict: null,
    verdictId: null,
    sentence: [],
    root: null,
    files: [],
    contexts: [],
    versionsByCertainty: {},
    checks: null,
    failure: { passed: 0, failed: 0, unsaid: 0, texts: 0, labels: 0 },
    conflicts: [],
    baseline: { files: 0, differing: 0 },
    folding: null,
    omitted: { files: 0, contexts: 0, notes: 0, conflicts: 0 },
    permissions: { share: true, download: true, attachBaseline: true, giveFailure: true, investigate: true, raw: true },
    shared: null,
    ...more,
  };
}

/** For tests: everything that a part of the page needs, with `go` to look at. */
export function InForensics({
  run,
  turn = 0,
  go = vi.fn(),
  item = null,
  fold = EMPTY_ADDRESS.fold,
  address: more = {},
  diagnosis = null,
  children,
}: {
  run: RunView;
  turn?: number;
  go?: (address: Address) => void;
  item?: string | null;
  fold?: FoldMode;
  address?: Partial<Address>;
  diagnosis?: Diagnosis | null;
  children: ReactNode;
}): ReactNode {
  const address: Address = { ...EMPTY_ADDRESS, turn, item, fold, ...more };
  return (
    <ForensicsProvider
      value={{
        run,
        api: "/api",
        answers: new Answers("/api", []),
        address,
        turn,
        flags: flagsOf(run.verdict),
        quotations: quotationsOf(run.verdict, diagnosis),
        go,
        goTurn: vi.fn(),
        href: (to) => `/t/run?${formatAddress(to)}`,
        copyLink: vi.fn(),
        pane: "turn",
        showPane: vi.fn(),
      }}
    >
      {children}
    </ForensicsProvider>
  );
}
