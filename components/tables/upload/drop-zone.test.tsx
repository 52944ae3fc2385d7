import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { createRef } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { GIVEN_TEXT_MAX_BYTES } from "@/lib/catalogue/limits";
import type { GivenChange } from "@/lib/views/failure";
import { DropZone } from "./drop-zone";

afterEach(cleanup);

function show() {
  const onFiles = vi.fn<(files: File[], given: GivenChange | null) => boolean>(() => true);
  render(<DropZone rules={{ formats: ["One", "Two"] }} picker={createRef()} onFiles={onFiles} />);
  return onFiles;
}

const transfer = (files: File[]) => ({ types: ["Files"], items: [], files });

describe("DropZone", () => {
  it("says the formats and the limit before anything is sent", () => {
    show();
    expect(screen.getByText(/Up to 256 MiB each, .* found by content: One, Two/)).toBeTruthy();
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

  it("packs a dropped folder into one archive, hidden files too, without what holds no traces", async () => {
    const onFiles = show();
    const fileEntry = (name: string) => ({
      name,
      isFile: true,
      isDirectory: false,
      file: (resolve: (file: File) => void) => resolve(new File(["x"], name)),
    });
    const folderEntry = (name: string, children: unknown[]) => {
      // A reader gives its entries in batches, an empty one last.
      const batches = [children, []];
      const createReader = () => ({
        readEntries: (resolve: (entries: unknown[]) => void) => resolve(batches.shift() ?? []),
      });
      return { name, isFile: false, isDirectory: true, createReader };
    };
    const folder = folderEntry("runs", [
      fileEntry("one.traj"),
      fileEntry(".aider.chat.history.md"),
      folderEntry("node_modules", [fileEntry("index.js")]),
      folderEntry("deep", [fileEntry("two.traj")]),
    ]);
    const items = [{ kind: "file", webkitGetAsEntry: () => folder }];
    fireEvent.drop(document.body, { dataTransfer: { types: ["Files"], items, files: [] } });
    await waitFor(() => expect(onFiles.mock.calls[0]?.[0].map((file) => file.name)).toEqual(["runs.zip"]));
    const packed = onFiles.mock.calls[0]?.[0][0];
    const text = new TextDecoder("latin1").decode(await packed?.arrayBuffer());
    for (const path of ["runs/one.traj", "runs/.aider.chat.history.md", "runs/deep/two.traj"]) {
      expect(text).toContain(path);
    }
    expect(text).not.toContain("index.js");
  });

  it("packs a chosen folder", async () => {
    const onFiles = show();
    const files = ["run/a.json", "run/.git/config", "run/b.json"].map((path) => {
      const file = new File(["x"], path.slice(path.lastIndexOf("/") + 1));
      Object.defineProperty(file, "webkitRelativePath", { value: path });
      return file;
    });
    fireEvent.change(screen.getByLabelText("A folder of a trajectory"), { target: { files } });
    await waitFor(() => expect(onFiles.mock.calls[0]?.[0].map((file) => file.name)).toEqual(["run.zip"]));
  });

  it("packs a database with its write-ahead log, chosen or dropped together", async () => {
    const onFiles = show();
    const files = ["state.db", "state.db-wal", "a.traj"].map((name) => new File(["x"], name));
    fireEvent.change(screen.getByLabelText("Trajectory files"), { target: { files } });
    await waitFor(() => expect(onFiles).toHaveBeenCalledTimes(1));
    fireEvent.drop(document.body, { dataTransfer: transfer(files) });
    await waitFor(() => expect(onFiles).toHaveBeenCalledTimes(2));
    for (const [taken] of onFiles.mock.calls) expect(taken.map(({ name }) => name)).toEqual(["a.traj", "state.db.zip"]);
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

describe("what is known about the failure", () => {
  const trigger = () => screen.getByRole("button", { name: /What is known about the failure/ });
  const send = () =>
    fireEvent.change(screen.getByLabelText("Trajectory files"), { target: { files: [new File(["a"], "a.traj")] } });
  const write = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });

  it("goes with the next files and with no others, and is empty and closed then", () => {
    const onFiles = show();
    fireEvent.click(trigger());
    fireEvent.click(screen.getByRole("button", { name: "Failed" }));
    write("Error report", "AssertionError");
    expect(trigger().textContent).toContain("2 parts");
    send();
    expect(onFiles.mock.lastCall?.[1]).toEqual({ outcome: "failed", errorReport: "AssertionError" });
    expect(trigger().getAttribute("aria-expanded")).toBe("false");
    send();
    expect(onFiles.mock.lastCall?.[1]).toBeNull();
    fireEvent.click(trigger());
    expect(screen.getByLabelText<HTMLTextAreaElement>("Error report").value).toBe("");
  });

  it("stays when none of the files was taken, or none was chosen", () => {
    const onFiles = show();
    onFiles.mockReturnValue(false);
    fireEvent.click(trigger());
    write("Reference patch", "--- a");
    send();
    fireEvent.change(screen.getByLabelText("Trajectory files"), { target: { files: [] } });
    expect(onFiles).toHaveBeenCalledOnce();
    expect(screen.getByLabelText<HTMLTextAreaElement>("Reference patch").value).toBe("--- a");
  });

  it("sends nothing while a text is larger than it may be, and says which", () => {
    const onFiles = show();
    fireEvent.click(trigger());
    write("Failing test", "x".repeat(GIVEN_TEXT_MAX_BYTES + 1));
    send();
    expect(onFiles).not.toHaveBeenCalled();
    expect(screen.getByRole("alert").textContent).toContain("the failing test is larger");
    write("Failing test", "x");
    expect(screen.queryByRole("alert")).toBeNull();
  });

  it("takes a file that is dropped on a field as its text, and leaves it to no upload", async () => {
    const onFiles = show();
    fireEvent.click(trigger());
    const field = screen.getByLabelText<HTMLTextAreaElement>("Error report");
    fireEvent.drop(field, { dataTransfer: transfer([new File(["E   3 != 4"], "report.txt")]) });
    await waitFor(() => expect(field.value).toBe("E   3 != 4"));
    expect(onFiles).not.toHaveBeenCalled();
    const bytes = new File([new Uint8Array([0xff, 0xfe, 0x80])], "photo.png");
    fireEvent.drop(field, { dataTransfer: transfer([bytes]) });
    expect((await screen.findByRole("alert")).textContent).toContain("photo.png is not text");
    expect(field.value).toBe("E   3 != 4");
  });
});
