import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { CertaintySection } from "./certainty-section";
import { runWith } from "./forensics-fixture";

afterEach(cleanup);

describe("how sure the code is", () => {
  it("says nothing of a run without files", () => {
    const { container } = render(<CertaintySection run={runWith()} />);
    expect(container.textContent).toBe("");
  });

  it("counts the versions and shows what was compared, and only that", () => {
    const checks = {
      recorded: { agreed: 1_200, differed: 1 },
      read: { agreed: 0, differed: 0 },
      diff: { agreed: 0, differed: 0 },
      delivered: { agreed: 2, differed: 0, unknown: 3 },
    };
    render(<CertaintySection run={runWith({ versionsByCertainty: { recorded: 4, unknown: 1 }, checks })} />);
    expect(screen.getByText("Versions of files: 4 recorded by the trace, 1 not known.")).toBeTruthy();
    const rows = within(screen.getByRole("table")).getAllByRole("row").slice(1);
    expect(
      rows.map((row) =>
        within(row)
          .getAllByRole("cell")
          .map((cell) => cell.textContent),
      ),
    ).toEqual([
      ["1,200", "1", "0"],
      ["2", "0", "3"],
    ]);
  });

  it("says when nothing could be compared, and when it was not counted", () => {
    const none = { agreed: 0, differed: 0 };
    const checks = { recorded: none, read: none, diff: none, delivered: { ...none, unknown: 0 } };
    const { rerender } = render(<CertaintySection run={runWith({ versionsByCertainty: { replayed: 1 }, checks })} />);
    expect(screen.getByText(/holds nothing that the writes could be compared with/)).toBeTruthy();
    rerender(<CertaintySection run={runWith({ versionsByCertainty: { replayed: 1 }, checks: null })} />);
    expect(screen.getByText(/before comparisons were counted/)).toBeTruthy();
  });
});
