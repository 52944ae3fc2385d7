import { type FindWords, findAnswerSchema } from "@/lib/views/find";
import { fetchJson } from "./answers";
import { type Found, NOTHING_FOUND, withAnswer } from "./find-results";
import { findPath } from "./paths";

/** How far a search is. */
export interface FindProgress {
  status: "searching" | "done" | "stopped" | "failed";
  /** Why it failed, for a person. */
  message: string | null;
  found: Found;
}

const BEGINNING: FindProgress = { status: "searching", message: null, found: NOTHING_FOUND };

/** A search over all turns, outward from one: asks for one step after the other until everything is searched. */
export class FindSearch {
  private progress: FindProgress = BEGINNING;
  private readonly listeners = new Set<() => void>();
  private request: AbortController | null = null;

  /** @param turn where the search begins. */
  constructor(
    private readonly api: string,
    readonly words: FindWords,
    private readonly turn: number,
  ) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly peek = (): FindProgress => this.progress;

  /** Searches on from where it is; after a stop and after a failure too. */
  start(): void {
    if (this.request !== null || this.progress.status === "done") return;
    const request = new AbortController();
    this.request = request;
    this.set({ ...this.progress, status: "searching", message: null });
    void this.run(request);
  }

  /** Leaves off: what was found stays. The server stops with the request. */
  stop(): void {
    if (this.request === null) return;
    this.request.abort();
    this.request = null;
    this.set({ ...this.progress, status: "stopped" });
  }

  private async run(request: AbortController): Promise<void> {
    try {
      for (;;) {
        const { found } = this.progress;
        const path = findPath(this.words, this.turn, found.next);
        const answer = await fetchJson(`${this.api}/${path}`, findAnswerSchema, { signal: request.signal });
        if (request.signal.aborted) return;
        const next = withAnswer(found, answer);
        this.set({ status: next.next === null ? "done" : "searching", message: null, found: next });
        if (next.next === null) break;
      }
    } catch (error) {
      if (request.signal.aborted) return;
      const message = error instanceof Error ? error.message : "The request failed.";
      this.set({ ...this.progress, status: "failed", message });
    }
    this.request = null;
  }

  private set(progress: FindProgress): void {
    this.progress = progress;
    for (const listener of this.listeners) listener();
  }
}
