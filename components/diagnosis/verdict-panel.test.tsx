import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { type ComponentProps, type ReactNode, useState } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Verdict } from "@/components/trajectory/flags";
import { InForensics, runWith } from "@/components/trajectory/forensics-fixture";
import { VerdictPanel } from "./verdict-panel";

afterEach(cleanup);

const HOSTILE = '<img src=x onerror="window.__pwned=1">';

const verdict = (more: Partial<Verdict> = {}): Verdict => ({
  engine: "structural",
  engineVersion: "structural@2",
  status: "determined",
  undeterminedReason: null,
  reliability: { class: "lower", reason: "It is not known whether the run failed." },
  candidates: [
    {
      rank: 1,
      turn: 2,
      score: 1,
      reasonCode: "first_source_write",
      reason: `The first write, ${HOSTILE}`,
      quotations: [{ item: "t2.1", turn: 2, field: "text", start: 0, end: 5, text: HOSTILE }],
      file: null,
      line: null,
    },
  ],
  suspicion: [],
  ...more,
});

/** The panel with the state that the page keeps for it. */
function OpenablePanel(props: Omit<ComponentProps<typeof VerdictPanel>, "isOpen" | "onOpenChange">): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return <VerdictPanel {...props} isOpen={isOpen} onOpenChange={setOpen} />;
}

describe("the verdict", () => {
  it("says who says it, how reliable it is, and leads to its turn and its quotation", () => {
    const go = vi.fn();
    const said = verdict();
    render(
      <InForensics run={runWith({ verdict: said })} go={go}>
        <OpenablePanel
          verdict={said}
          sentence={[
            { kind: "text", text: "It went wrong at " },
            { kind: "turn", turn: 2, role: "decisive" },
          ]}
        />
      </InForensics>,
    );
    expect(screen.getByText("rule structural@2")).toBeDefined();
    expect(screen.getByText("Lower reliability")).toBeDefined();
    fireEvent.click(screen.getByRole("link", { name: /^Decisive error\s*#3$/ }));
    expect(go).toHaveBeenLastCalledWith(expect.objectContaining({ turn: 2 }));
    fireEvent.click(screen.getByRole("link", { name: /img src/ }));
    expect(go).toHaveBeenLastCalledWith(expect.objectContaining({ turn: 2, item: "t2.1" }));
  });

  it("X1, M6: shows reasons and quotations as words", () => {
    const said = verdict();
    const { container } = render(
      <InForensics run={runWith({ verdict: said })}>
        <OpenablePanel verdict={said} sentence={[{ kind: "text", text: HOSTILE }]} />
      </InForensics>,
    );
    fireEvent.click(screen.getByRole("button", { name: /1 candidate turn/ }));
    expect(container.querySelector("img")).toBeNull();
    expect(screen.getByRole("list", { name: "Candidate turns" }).textContent).toContain(HOSTILE);
  });

  it("X8: shows what turns or hides letters in reasons and quotations", () => {
    const turned = "if \u202etrue\u202c x\u200b \u2066y\u2069\u{e0041}";
    const [first] = verdict().candidates;
    const quotations = (first?.quotations ?? []).map((quotation) => ({ ...quotation, text: turned }));
    const said = verdict({ candidates: first ? [{ ...first, reason: turned, quotations }] : [] });
    const { container } = render(
      <InForensics run={runWith({ verdict: said })}>
        <OpenablePanel verdict={said} sentence={[{ kind: "text", text: turned }]} />
      </InForensics>,
    );
    fireEvent.click(screen.getByRole("button", { name: /1 candidate turn/ }));
    expect(container.textContent).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b-\u200f\u{e0000}-\u{e007f}]/u);
    const list = screen.getByRole("list", { name: "Candidate turns" });
    for (const element of [list, list.querySelector("q")]) {
      for (const label of ["U+202E", "U+202C", "U+200B", "U+2066", "U+2069", "U+E0041"]) {
        expect(element?.textContent).toContain(label);
      }
    }
  });

  it("says that it is undetermined and why, and claims no reliability", () => {
    const said = verdict({ status: "undetermined", undeterminedReason: "No file was written.", candidates: [] });
    render(
      <InForensics run={runWith({ verdict: said })}>
        <OpenablePanel verdict={said} sentence={[{ kind: "text", text: "Undetermined. No file was written." }]} />
      </InForensics>,
    );
    expect(screen.getByText(/^Undetermined/)).toBeDefined();
    expect(screen.queryByText(/reliability$/)).toBeNull();
    expect(screen.queryByRole("button", { name: /candidate/ })).toBeNull();
  });
});
