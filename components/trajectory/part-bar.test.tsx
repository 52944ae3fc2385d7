import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { PartBar } from "./part-bar";

afterEach(cleanup);

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
