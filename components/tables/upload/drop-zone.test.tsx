import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { createRef } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DropZone } from "./drop-zone";

afterEach(cleanup);

function show() {
  const onFiles = vi.fn<(files: File[]) => void>();
  render(<DropZone rules={{ formats: ["One", "Two"] }} picker={createRef()} onFiles={onFiles} />);
  return onFiles;
}

const transfer = (files: File[]) => ({ types: ["Files"], items: [], files });

describe("DropZone", () => {
  it("says the formats and the limit before anything is sent", () => {
    show();
    expect(screen.getByText(/One, Two; up to 256 MiB each/)).toBeTruthy();
  });

  it("takes many files from the picker, and the same file twice", () => {
    const onFiles = show();
    const input = screen.getByLabelText<HTMLInputElement>("Trajectory files");
    expect(input.multiple).toBe(true);
    const files = [new File(["a"], "a.traj"), new File(["b"], "b.traj")];
    fireEvent.change(input, { target: { files } });
    expect(onFiles.mock.calls[0]?.[0].map((file) => file.name)).toEqual(["a.traj", "b.traj"]);
    expect(input.value).toBe("");
  });

  it("takes files that are dropped anywhere on the page, and says so while they are held over it", async () => {
    const onFiles = show();
    const dataTransfer = transfer([new File(["a"], "a.traj"), new File(["b"], "b.traj")]);
    fireEvent.dragEnter(document.body, { dataTransfer });
    expect(screen.getByText("Drop to upload")).toBeTruthy();
    fireEvent.drop(document.body, { dataTransfer });
    expect(screen.queryByText("Drop to upload")).toBeNull();
    await waitFor(() => expect(onFiles.mock.calls[0]?.[0].map((file) => file.name)).toEqual(["a.traj", "b.traj"]));
  });

  it("takes the files inside a dropped folder, without hidden ones", async () => {
    const onFiles = show();
    const fileEntry = (name: string) => ({
      name,
      isFile: true,
      isDirectory: false,
      file: (resolve: (file: File) => void) => resolve(new File(["x"], name)),
    });
    // A reader gives its entries in batches, an empty one last.
    const batches = [[fileEntry("one.traj"), fileEntry(".hidden")], [fileEntry("two.traj")], []];
    const folder = {
      name: "runs",
      isFile: false,
      isDirectory: true,
      createReader: () => ({ readEntries: (resolve: (entries: unknown[]) => void) => resolve(batches.shift() ?? []) }),
    };
    const items = [{ kind: "file", webkitGetAsEntry: () => folder }];
    fireEvent.drop(document.body, { dataTransfer: { types: ["Files"], items, files: [] } });
    await waitFor(() => expect(onFiles.mock.calls[0]?.[0].map((file) => file.name)).toEqual(["one.traj", "two.traj"]));
  });

  it("leaves dragged text and links alone", () => {
    const onFiles = show();
    const dataTransfer = { types: ["text/plain"], items: [], files: [] };
    fireEvent.dragEnter(document.body, { dataTransfer });
    expect(screen.queryByText("Drop to upload")).toBeNull();
    expect(fireEvent.drop(document.body, { dataTransfer })).toBe(true);
    expect(onFiles).not.toHaveBeenCalled();
  });
});
