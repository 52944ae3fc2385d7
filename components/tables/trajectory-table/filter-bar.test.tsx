import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { createRef } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ListPage, ListQuery } from "@/lib/views/trajectory-list";
import { FilterBar } from "./filter-bar";
import { parseListAddress } from "./list-address";

const page: ListPage = {
  rows: [],
  pinned: [],
  pinnedTotal: 0,
  pinnedFailed: 0,
  matching: 1_284,
  total: 9_402,
  insideFiles: 0,
  file: null,
  counts: { undetermined: 0, failedImports: 0 },
  frameworks: ["SWE-agent"],
};

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function show(address: string) {
  const onChange = vi.fn<(change: Partial<ListQuery>, typed: "q" | "minTurns" | null) => void>();
  const onClear = vi.fn();
  const bar = (text: string) => (
    <FilterBar
      query={parseListAddress(new URLSearchParams(text))}
      page={page}
      box={createRef()}
      onChange={onChange}
      onClear={onClear}
    />
  );
  const { rerender } = render(bar(address));
  return { onChange, onClear, readdress: (text: string) => rerender(bar(text)) };
}

const box = () => screen.getByRole<HTMLInputElement>("searchbox", { name: "Filter by name or task" });
const type = (value: string) => fireEvent.change(box(), { target: { value } });
const settle = () => act(() => vi.advanceTimersByTime(1_000));

describe("the filter box", () => {
  it("asks once, when typing has settled", () => {
    const { onChange } = show("");
    type("m");
    type("mi");
    type("mis");
    expect(onChange).not.toHaveBeenCalled();
    settle();
    expect(onChange.mock.calls).toEqual([[{ q: "mis" }, "q"]]);
  });

  it("keeps what is typed while its own earlier words come back as the address", () => {
    const { readdress } = show("");
    type("mis");
    settle();
    type("misst");
    readdress("q=mis");
    expect(box().value).toBe("misst");
  });

  it("follows the address when it changes from outside", () => {
    const { onChange, readdress } = show("q=old");
    readdress("");
    expect(box().value).toBe("");
    settle();
    expect(onChange).not.toHaveBeenCalled();
  });

  it("is emptied by Esc, and left by a second one", () => {
    show("q=old");
    box().focus();
    fireEvent.keyDown(box(), { key: "Escape" });
    expect(box().value).toBe("");
    expect(document.activeElement).toBe(box());
    fireEvent.keyDown(box(), { key: "Escape" });
    expect(document.activeElement).not.toBe(box());
  });
});

describe("the chips", () => {
  it("are one a filter, each with its way out, and say how many match", () => {
    const { onChange, onClear } = show("outcome=failed&minTurns=20");
    expect(screen.getByRole("status").textContent).toBe("1,284 of 9,402");
    fireEvent.click(screen.getByRole("button", { name: "Remove filter Turns" }));
    expect(onChange).toHaveBeenCalledWith({ minTurns: 0 }, null);
    fireEvent.click(screen.getByRole("button", { name: "Clear all" }));
    expect(onClear).toHaveBeenCalled();
  });

  it("say nothing when nothing is filtered", () => {
    show("sort=turns");
    expect(screen.getByRole("status").textContent).toBe("");
    expect(screen.queryByRole("button", { name: "Clear all" })).toBeNull();
  });
});
