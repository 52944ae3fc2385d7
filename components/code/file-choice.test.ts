import { describe, expect, it } from "vitest";
import type { FileRow } from "@/lib/views/run";
import type { TurnView, WriteView } from "@/lib/views/turn";
import { chooseFile, fileAddress, fileTabs, leadFile, verdictLine } from "./file-choice";

const row = (n: number, display: string, more: Partial<FileRow> = {}): FileRow => ({
  n,
  path: `/repo/${display}`,
  display,
  versionCount: 1,
  writeCount: 1,
  isScratch: false,
  lastCertainty: "recorded",
  ...more,
});
const write = (file: number, display: string, more: Partial<WriteView> = {}): WriteView => ({
  n: 0,
  item: "t0.1",
  file,
  path: `/repo/${display}`,
  display,
  grammar: "W1",
  operation: "edit",
  status: "applied",
  isScratch: false,
  versionBefore: 0,
  versionAfter: 1,
  addedLines: 2,
  removedLines: 1,
  reason: null,
  ...more,
});
const turn = (writes: WriteView[], reads: TurnView["reads"] = []): TurnView => ({
  index: 3,
  total: 9,
  title: "",
  activity: "write",
  agent: "main",
  agentName: "main",
  parentTurn: null,
  branch: null,
  model: null,
  usage: null,
  startedAt: null,
  durationMs: null,
  sourceSteps: [],
  workingDirectory: null,
  items: [],
  writes,
  reads,
  omitted: { items: 0, writes: 0, reads: 0 },
});
const files = [
  row(0, "probe.py", { isScratch: true }),
  row(1, "src/a.py"),
  row(2, "lib/a.py"),
  row(3, "c.py", { writeCount: 0 }),
];
const run = { files, verdict: null };
const verdictOn = (file: string) => ({
  engine: "structural",
  engineVersion: "1",
  status: "determined" as const,
  undeterminedReason: null,
  reliability: { class: "lower" as const, reason: "" },
  suspicion: [],
  candidates: [{ rank: 1, turn: 3, score: 1, reasonCode: "x", reason: "", quotations: [], file, line: 17 }],
});

describe("the files of a turn", () => {
  it("puts delivered writes before scratch, and writes before reads", () => {
    const tabs = fileTabs(
      turn(
        [
          write(0, "probe.py", { isScratch: true }),
          write(2, "lib/a.py", { status: "refused", addedLines: null }),
          write(1, "src/a.py"),
          write(1, "src/a.py", { addedLines: 3 }),
        ],
        [
          { file: 3, path: "/repo/c.py", display: "c.py" },
          { file: 1, path: "/repo/src/a.py", display: "src/a.py" },
        ],
      ),
      files,
      null,
    );
    expect(tabs.map((tab) => [tab.name, tab.role, tab.addedLines, tab.removedLines])).toEqual([
      ["src/a.py", "write", 5, 2],
      ["probe.py", "write", 2, 1],
      ["lib/a.py", "refused", null, null],
      ["c.py", "read", null, null],
    ]);
  });

  it("adds the open file when the turn does not touch it", () => {
    expect(fileTabs(turn([]), files, 1).map((tab) => tab.role)).toEqual(["other"]);
  });
});

describe("the file to open", () => {
  it("is the named one, else the turn's, else the verdict's, else the first delivered one", () => {
    expect(chooseFile(run, turn([write(2, "lib/a.py")]), "src/a.py")).toBe(1);
    expect(chooseFile(run, turn([write(2, "lib/a.py")]), "/repo/c.py")).toBe(3);
    expect(chooseFile(run, turn([write(2, "lib/a.py")]), "gone.py")).toBe(2);
    expect(chooseFile(run, turn([]), null)).toBe(1);
    expect(chooseFile({ files: [], verdict: null }, turn([]), "x")).toBeNull();
  });

  it("is the one that the verdict or the quoted call is about, and its tab stands first", () => {
    const writes = [
      write(0, "probe.py", { isScratch: true, item: "t3.1" }),
      write(1, "src/a.py", { item: "t3.2" }),
      write(2, "lib/a.py", { item: "t3.3" }),
    ];
    const verdict = verdictOn("/repo/lib/a.py");
    expect(chooseFile({ files, verdict: null }, turn(writes), null)).toBe(1);
    expect(chooseFile({ files, verdict }, turn(writes), null)).toBe(2);
    expect(chooseFile({ files, verdict }, turn(writes), null, "t3.1")).toBe(0);
    expect(chooseFile({ files, verdict }, turn(writes), null, "t3.9")).toBe(2);
    expect(chooseFile({ files, verdict }, turn(writes), "src/a.py", "t3.1")).toBe(1);
    expect(chooseFile({ files, verdict }, { ...turn(writes), index: 4 }, null)).toBe(1);
    expect(fileTabs(turn(writes), files, 2, leadFile({ files, verdict }, turn(writes), null))[0]?.file).toBe(2);
    expect(leadFile({ files, verdict }, turn([write(1, "src/a.py")]), null)).toBeNull();
  });

  it("keeps its name in the address, the long one when two share the short one", () => {
    expect(fileAddress(files, 1)).toBe("src/a.py");
    const twins = [row(0, "a.py"), row(1, "a.py", { path: "/tmp/a.py" })];
    expect(fileAddress(twins, 1)).toBe("/tmp/a.py");
    expect(fileAddress(twins, 0)).toBe("a.py");
  });

  it("has the line that the verdict points to", () => {
    const verdict = verdictOn("/repo/src/a.py");
    expect(verdictLine({ files, verdict }, 3, 1)).toBe(17);
    expect(verdictLine({ files, verdict }, 4, 1)).toBeNull();
    expect(verdictLine({ files, verdict }, 3, 2)).toBeNull();
  });
});
