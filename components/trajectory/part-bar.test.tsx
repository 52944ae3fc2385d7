import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { toast } from "@/components/ui/toast";
import { PartBar } from "./part-bar";

let search = "";
vi.mock("next/navigation", () => ({
  usePathname: () => "/t/p1",
  useSearchParams: () => new URLSearchParams(search),
}));
vi.mock("@/components/ui/toast", () => ({ toast: vi.fn() }));

afterEach(() => {
  cleanup();
  vi.mocked(toast).mockClear();
  search = "";
});

const file = { id: "f1", name: "rows.jsonl", index: 1, total: 1_133 };

it("leads to the file and to what stands before and behind", () => {
  render(<PartBar file={file} neighbours={{ previous: "p0", next: "p2" }} />);
  const to = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
  expect(to("rows.jsonl")).toBe("/t/f1");
  expect(to("Previous trajectory of the file")).toBe("/t/p0");
  expect(to("Next trajectory of the file")).toBe("/t/p2");
  expect(screen.getByRole("navigation", { name: "File" }).textContent).toContain("2 of 1,133");
});

it("has no way past the ends, and says when the file does not hold it any more", () => {
  render(<PartBar file={{ ...file, index: 0 }} neighbours={{ previous: null, next: "p1" }} />);
  expect(screen.queryByRole("link", { name: /Previous/ })).toBeNull();
  expect(screen.getByRole("link", { name: /Next/ })).toBeTruthy();
  cleanup();
  render(<PartBar file={{ ...file, index: null }} neighbours={null} />);
  expect(screen.getAllByRole("link")).toHaveLength(1);
  expect(screen.getByText(/does not find this one any more/)).toBeTruthy();
});

it("keeps how the trajectory is looked at, and lets go of what belongs to this one", () => {
  search = "turn=7&view=files&file=src%2Fa.py&line=3&list=writes&find=locale";
  render(<PartBar file={file} neighbours={{ previous: "p0", next: "p2" }} />);
  const next = screen.getByRole("link", { name: "Next trajectory of the file" });
  expect(next.getAttribute("href")).toBe("/t/p2?view=files&list=writes&find=locale");
});

/** The links that the keys followed, by name; the router of the browser is not here. */
function followed(): string[] {
  const names: string[] = [];
  document.addEventListener(
    "click",
    (event) => {
      event.preventDefault();
      if (event.target instanceof HTMLElement) names.push(event.target.getAttribute("aria-label") ?? "");
    },
    { capture: true },
  );
  return names;
}

it("steps by [ and ], once a press, and says where the file ends", () => {
  const names = followed();
  render(<PartBar file={file} neighbours={{ previous: "p0", next: null }} />);
  fireEvent.keyDown(document.body, { key: "[" });
  expect(names).toEqual(["Previous trajectory of the file"]);
  fireEvent.keyDown(document.body, { key: "[", repeat: true });
  expect(names).toHaveLength(1);
  expect(toast).not.toHaveBeenCalled();
  fireEvent.keyDown(document.body, { key: "]" });
  expect(names).toHaveLength(1);
  expect(toast).toHaveBeenCalledWith("This is the last trajectory of the file");
});

it("does nothing by keys where the trajectory has no place in the file", () => {
  render(<PartBar file={{ ...file, index: null }} neighbours={null} />);
  fireEvent.keyDown(document.body, { key: "]" });
  expect(toast).not.toHaveBeenCalled();
});
