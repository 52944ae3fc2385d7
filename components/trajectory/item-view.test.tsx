import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { ItemView, TurnView } from "@/lib/views/turn";
import { InForensics, itemWith, runWith, wholeText } from "./forensics-fixture";
import { ItemList } from "./item-view";

afterEach(cleanup);

const turnOf = (items: ItemView[], more: Partial<TurnView> = {}): TurnView => ({
  index: 0,
  total: 4,
  title: "",
  activity: "execute",
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
  items,
  writes: [],
  reads: [],
  omitted: { items: 0, writes: 0, reads: 0 },
  ...more,
});

const show = (turn: TurnView) =>
  render(
    <InForensics run={runWith()}>
      <ItemList turn={turn} />
    </InForensics>,
  );

describe("the items of a turn", () => {
  it("say how each call ended, in the order of the trace", () => {
    const { container } = show(
      turnOf([
        itemWith({ id: "a", kind: "call", callKind: "execute", summary: "make test", text: wholeText("make test") }),
        itemWith({ id: "b", kind: "call", callKind: "execute", summary: "make lint", text: wholeText("make lint") }),
        itemWith({
          id: "c",
          kind: "result",
          answers: "b",
          exitCode: 2,
          isCut: true,
          arrivedLate: true,
          text: wholeText("no"),
        }),
        itemWith({ id: "d", kind: "result", answers: null, isError: true, text: wholeText("") }),
      ]),
    );
    expect([...container.querySelectorAll("[data-item]")].map((each) => each.getAttribute("data-item"))).toEqual([
      "a",
      "b",
      "c",
      "d",
    ]);
    expect(screen.getByText("Result 2")).toBeDefined();
    expect(screen.getByText("exit 2, 2 characters")).toBeDefined();
    expect(screen.getByText("cut by the source")).toBeDefined();
    expect(screen.getByText("arrived late")).toBeDefined();
    expect(screen.getByText("Result without a call")).toBeDefined();
    expect(screen.getByText("failed, no output")).toBeDefined();
  });

  it("say of a call that the source cut it", () => {
    const call = { kind: "call" as const, callKind: "write" as const, summary: "edit", text: wholeText("edit 1:2") };
    show(turnOf([itemWith({ id: "a", ...call, isCut: true }), itemWith({ id: "b", ...call })]));
    expect(screen.getAllByTitle("The trace holds only a part of this call.")).toHaveLength(1);
  });

  it("X1: keep hostile names, arguments, results and reasons words", () => {
    const hostile = '"><img src=x onerror="window.__pwned=1"><script>1</script>';
    const { container } = show(
      turnOf([
        itemWith({ id: hostile, kind: "thought", text: wholeText(hostile.repeat(3)) }),
        itemWith({
          id: "b",
          kind: "message",
          author: { role: "harness", name: hostile },
          text: wholeText(hostile.repeat(3)),
        }),
        itemWith({ id: "c", kind: "call", tool: hostile, summary: hostile, arguments: wholeText(hostile) }),
        itemWith({ id: "d", kind: "result", answers: "c", text: wholeText(hostile) }),
        itemWith({ id: "e", kind: "opaque", reason: hostile, text: wholeText(hostile) }),
      ]),
    );
    expect(container.querySelector("img, script")).toBeNull();
    expect(container.textContent?.split(hostile).length).toBeGreaterThan(8);
  });

  it("fold a long result with a count, and say what was not sent", () => {
    const long = wholeText(Array.from({ length: 60 }, (_, i) => `line ${i + 1}`).join("\n"));
    show(
      turnOf([
        itemWith({ id: "a", kind: "result", answers: null, text: long }),
        itemWith({
          id: "b",
          kind: "result",
          answers: null,
          text: {
            head: "first",
            tail: "last",
            totalChars: 12_000_000,
            totalLines: 200_000,
            omittedChars: 11_999_991,
            omittedLines: 199_998,
          },
        }),
      ]),
    );
    expect(screen.getByRole("button", { name: /^40 lines/ })).toBeDefined();
    expect(screen.getByRole("button", { name: /199,998 lines, 11,999,991 characters not shown\s*Open/ })).toBeDefined();
  });
});
