import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GIVEN_TEXT_MAX_BYTES } from "@/lib/catalogue/limits";
import type { FailureView, KnownTextView } from "@/lib/views/failure";
import type { RunView } from "@/lib/views/run";
import { FailureDialog } from "./failure-dialog";
import { InForensics, runWith } from "./forensics-fixture";

const refresh = vi.fn();
vi.mock("next/navigation", () => ({ useRouter: () => ({ refresh }) }));

const UNSAID: Pick<KnownTextView, "source" | "by" | "at" | "places"> = {
  ...{ source: null, by: null, at: null, places: [] },
};
const HOSTILE = '<img src=x onerror="window.__pwned=1">';

const text = (what: KnownTextView["what"], more: Partial<KnownTextView> = {}): KnownTextView => ({
  ...{ what, text: "", totalChars: 0, ownChars: null },
  ...UNSAID,
  ...more,
});

function failureWith(more: Partial<FailureView> = {}, texts: KnownTextView[] = []): FailureView {
  const of = (what: KnownTextView["what"]) => texts.find((one) => one.what === what) ?? text(what);
  return {
    outcome: { value: "unknown", own: "unknown", ...UNSAID },
    texts: [of("taskStatement"), of("errorReport"), of("failingTestCode"), of("referencePatch")],
    ...{ checks: [], omittedChecks: 0, labels: [], foundAt: [] },
    ...more,
  };
}

const FROM_TRACE = text("errorReport", {
  ...{ text: HOSTILE, totalChars: HOSTILE.length, ownChars: HOSTILE.length },
  ...{ source: "trace", places: ["/report"] },
});
const FROM_PERSON = text("errorReport", {
  ...{ text: "mine", totalChars: 4, ownChars: 18 },
  ...{ source: "person", by: "Ada", at: "2026-12-07T18:00:00Z" },
});

/** What the server answers, by method and path. */
let answers: Record<string, () => Response>;
const fetched = vi.fn<(url: string, init?: RequestInit) => Promise<Response>>();
const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });

beforeEach(() => {
  answers = {};
  fetched.mockImplementation(async (url, init) => {
    const answer = answers[`${init?.method ?? "GET"} ${url}`];
    if (answer === undefined) throw new Error(`nobody answers ${url}`);
    return answer();
  });
  vi.stubGlobal("fetch", fetched);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

async function show(failure: FailureView, run: Partial<RunView> = {}) {
  answers["GET /api/failure"] = () => json(failure);
  const onOpenChange = vi.fn();
  const onReadAgain = vi.fn();
  render(
    <InForensics run={runWith(run)}>
      <FailureDialog open onOpenChange={onOpenChange} onReadAgain={onReadAgain} />
    </InForensics>,
  );
  await screen.findByText(/^(The run failed|The task was resolved|How the run ended is not known)$/);
  return { onOpenChange, onReadAgain };
}

async function edit(): Promise<void> {
  fireEvent.click(screen.getByRole("button", { name: /^(Say how it ended|Add or change)$/ }));
  await screen.findByRole("button", { name: "Save" });
}

const field = (name: string) => screen.getByLabelText<HTMLTextAreaElement>(name);
const write = (name: string, value: string) => fireEvent.change(field(name), { target: { value } });
const save = () => fireEvent.click(screen.getByRole("button", { name: "Save" }));
const bodies = () =>
  fetched.mock.calls
    .filter(([, init]) => init?.method === "PUT")
    .map(([, init]): { seen: unknown } => JSON.parse(String(init?.body)));
const sent = () => {
  const { seen: _, ...change } = bodies()[0] ?? { seen: null };
  return change;
};

describe("what is known of how a run ended", () => {
  it("shows each part as text, with who said it and where, and names what is not known", async () => {
    await show(failureWith({ outcome: { ...UNSAID, value: "failed", own: "failed", source: "trace" } }, [FROM_TRACE]));
    expect(within(screen.getByRole("region", { name: "Error report" })).getByText(HOSTILE)).toBeTruthy();
    expect(screen.getByText("/report")).toBeTruthy();
    expect(screen.getByText("Not known: task statement, failing test, reference patch.")).toBeTruthy();
    expect(document.querySelector("img")).toBeNull();
  });

  it("says that a person said a part, when, and that the trace says something else", async () => {
    const outcome = { ...UNSAID, value: "resolved", own: "failed", source: "person", by: "Ada" } as const;
    await show(failureWith({ outcome }, [FROM_PERSON]));
    expect(screen.getByText("given by Ada, 7 December 2026, 18:00 UTC")).toBeTruthy();
    expect(screen.getByText("It stands before the trace's own, of 18 characters.")).toBeTruthy();
    expect(screen.getByText("The trace says that it failed.")).toBeTruthy();
  });

  it("shows the rest of a long text piece by piece", async () => {
    const long = text("errorReport", { text: "abc", totalChars: 6, ownChars: 6, source: "trace" });
    await show(failureWith({}, [long]));
    const piece = { what: "errorReport", offset: 3, text: "def", totalChars: 6, nextOffset: null };
    answers["GET /api/failure/text?what=errorReport&offset=3"] = () => json(piece);
    expect(screen.getByText("3 more characters")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Show more" }));
    expect(await screen.findByText("abcdef")).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
  });

  it("cannot be edited where nobody may", async () => {
    const { permissions } = runWith();
    await show(failureWith({}, [FROM_TRACE]), { permissions: { ...permissions, giveFailure: false } });
    expect(screen.queryByRole("button", { name: /Add or change|Say how it ended/ })).toBeNull();
  });
});

describe("words that are quoted from it", () => {
  it("are marked in their text, which is read until they are there", async () => {
    Object.assign(Element.prototype, { scrollIntoView: vi.fn() });
    const long = text("errorReport", { text: "first of all ", totalChars: 26, ownChars: 26, source: "trace" });
    const piece = { what: "errorReport", offset: 13, text: "assert 1 == 2", totalChars: 26, nextOffset: null };
    answers["GET /api/failure/text?what=errorReport&offset=13"] = () => json(piece);
    answers["GET /api/failure"] = () => json(failureWith({}, [long]));
    render(
      <InForensics run={runWith()}>
        <FailureDialog
          open
          quoted={{ what: "errorReport", start: 13, text: "assert 1" }}
          onOpenChange={vi.fn()}
          onReadAgain={vi.fn()}
        />
      </InForensics>,
    );
    expect((await screen.findByText("assert 1")).tagName).toBe("MARK");
  });
});

describe("editing it", () => {
  it("tells who comes second that somebody else changed the same, keeps both texts, and saves over it only knowingly", async () => {
    await show(failureWith({}, [FROM_PERSON]));
    await edit();
    write("Error report", "what I saw");
    const theirs = { ...FROM_PERSON, text: "what Ines saw", totalChars: 13, by: "Ines", at: "2026-12-07T19:00:00Z" };
    answers["PUT /api/failure"] = () => json({ error: { message: "Ines has changed the error report." } }, 409);
    answers["GET /api/failure"] = () => json(failureWith({}, [theirs]));
    save();
    expect(await screen.findByText("Meanwhile given by Ines, 7 December 2026, 19:00 UTC:")).toBeTruthy();
    expect(screen.getByRole("alert").textContent).toBe("Ines has changed the error report.");
    expect(screen.getByText("what Ines saw")).toBeTruthy();
    expect(field("Error report").value).toBe("what I saw");
    answers["PUT /api/failure"] = () => json({ failure: failureWith({}, [theirs]), readsAgain: false });
    save();
    await screen.findByRole("button", { name: "Add or change" });
    expect(bodies().map(({ seen }) => seen)).toMatchObject([
      { errorReport: FROM_PERSON.at },
      { errorReport: theirs.at },
    ]);
  });

  it("lets who comes second take the other's words, with nothing left to save", async () => {
    await show(failureWith({}, [FROM_PERSON]));
    await edit();
    write("Error report", "what I saw");
    const theirs = { ...FROM_PERSON, text: "what Ines saw", totalChars: 13, by: "Ines", at: "2026-12-07T19:00:00Z" };
    answers["PUT /api/failure"] = () => json({ error: { message: "changed" } }, 409);
    answers["GET /api/failure"] = () => json(failureWith({}, [theirs]));
    save();
    fireEvent.click(await screen.findByRole("button", { name: "Take this one" }));
    expect(field("Error report").value).toBe("what Ines saw");
    expect(screen.getByRole("button", { name: "Save" })).toHaveProperty("disabled", true);
  });

  it("sends what was changed, shows what is known then, and says that the run is read again", async () => {
    const { onReadAgain } = await show(failureWith());
    await edit();
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Save" }).disabled).toBe(true);
    fireEvent.click(screen.getByRole("button", { name: "Failed" }));
    write("Error report", "AssertionError");
    const outcome = { ...UNSAID, value: "failed", own: "unknown", source: "person" } as const;
    answers["PUT /api/failure"] = () => json({ failure: failureWith({ outcome }, [FROM_PERSON]), readsAgain: true });
    save();
    expect(await screen.findByText("The run failed")).toBeTruthy();
    expect(sent()).toEqual({ outcome: "failed", errorReport: "AssertionError" });
    expect(onReadAgain).toHaveBeenCalledOnce();
    expect(refresh).toHaveBeenCalledOnce();
    expect(document.activeElement?.textContent).toBe("Add or change");
  });

  it("takes a part back when it is emptied, and says whose counts then", async () => {
    await show(failureWith({}, [FROM_PERSON]));
    await edit();
    expect(field("Error report").value).toBe("mine");
    expect(screen.getByText(/Emptied, the trace's counts again/)).toBeTruthy();
    write("Error report", "");
    expect(screen.getByText(/The trace's own counts, of 18 characters/)).toBeTruthy();
    answers["PUT /api/failure"] = () => json({ failure: failureWith({}, [FROM_TRACE]), readsAgain: false });
    fireEvent.keyDown(field("Error report"), { key: "Enter", ctrlKey: true });
    await screen.findByRole("button", { name: "Add or change" });
    expect(sent()).toEqual({ errorReport: null });
  });

  it("can start from the trace's own text", async () => {
    await show(failureWith({}, [FROM_TRACE]));
    await edit();
    expect(field("Error report").value).toBe("");
    fireEvent.click(screen.getByRole("button", { name: "Start from it" }));
    expect(field("Error report").value).toBe(HOSTILE);
  });

  it("begins with all of a long text that a person gave", async () => {
    const cut = { ...FROM_PERSON, text: "ab", totalChars: 4 };
    await show(failureWith({}, [cut]));
    const piece = (offset: number, more: string, nextOffset: number | null) => () =>
      json({ what: "errorReport", offset, text: more, totalChars: 4, nextOffset });
    answers["GET /api/failure/text?what=errorReport&offset=0"] = piece(0, "abc", 3);
    answers["GET /api/failure/text?what=errorReport&offset=3"] = piece(3, "d", null);
    await edit();
    expect(field("Error report").value).toBe("abcd");
  });

  it("says of a label what it means and who gave it, as text", async () => {
    const label = { kind: "point of no return", step: "4", convention: "i", agent: null, reason: "It forgot." };
    const definition = { text: "No later step could have helped.", source: HOSTILE };
    const labels = [{ ...label, definition, origin: "human, one annotator", turns: [4] }];
    await show(failureWith({ labels: [...labels, { ...label, step: "5", turns: [] }] }));
    expect(screen.getByText(`No later step could have helped. (${HOSTILE})`)).toBeTruthy();
    expect(screen.getByText("Labelled by: human, one annotator")).toBeTruthy();
    expect(screen.getByText("on no turn")).toBeTruthy();
  });

  it("keeps what was written when it cannot be saved, and says why", async () => {
    await show(failureWith());
    await edit();
    write("Task statement", "My task.");
    answers["PUT /api/failure"] = () => json({ error: { message: "It is being imported." } }, 409);
    save();
    expect((await screen.findByRole("alert")).textContent).toBe("It is being imported.");
    expect(field("Task statement").value).toBe("My task.");
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Save" }).disabled).toBe(false);
  });

  it("asks before it loses what is not saved, and leaves at once when nothing is", async () => {
    const { onOpenChange } = await show(failureWith());
    await edit();
    write("Failing test", "def test(): ...");
    fireEvent.keyDown(field("Failing test"), { key: "Escape" });
    expect(screen.getByRole("alert").textContent).toContain("This is not saved yet.");
    expect(onOpenChange).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole("button", { name: "Keep editing" }));
    expect(field("Failing test").value).toBe("def test(): ...");
    fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
    fireEvent.click(screen.getByRole("button", { name: "Discard it" }));
    expect(screen.queryByLabelText("Failing test")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Close" }));
    await waitFor(() => expect(onOpenChange).toHaveBeenCalledWith(false));
  });

  it("saves no text over the limit", async () => {
    await show(failureWith());
    await edit();
    write("Reference patch", "x".repeat(GIVEN_TEXT_MAX_BYTES + 1));
    expect(screen.getByText("Reference patch is larger than it may be.")).toBeTruthy();
    expect(field("Reference patch").getAttribute("aria-invalid")).toBe("true");
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Save" }).disabled).toBe(true);
  });
});
