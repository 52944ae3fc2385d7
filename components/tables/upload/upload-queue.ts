import { UPLOAD_MAX_BYTES } from "@/lib/catalogue/limits";
import type { GivenChange } from "@/lib/views/failure";
import type { UploadAnswer } from "@/lib/views/trajectory-list";
import { formatBytes, formatLimit } from "../trajectory-table/cell-text";

/** Where one file is. `stored` ends an upload: from there on the list speaks for it. */
export type UploadState =
  | { kind: "waiting" }
  | { kind: "hashing"; doneBytes: number | null }
  | { kind: "sending"; sentBytes: number }
  | { kind: "stored"; id: string; duplicate: boolean; givenRefused: string | null; atMs: number }
  | { kind: "failed"; reason: string; canRetry: boolean };

export interface UploadEntry {
  key: number;
  name: string;
  sizeBytes: number;
  /** Whether something that is known about the failure goes with it. */
  hasGiven: boolean;
  state: UploadState;
}

/** A file with what is known about its failure; null for nothing. */
export interface Sent {
  file: File;
  given: GivenChange | null;
}

/** What the queue needs from the browser; tests bring their own. */
export interface UploadPort {
  hash: (file: File, signal: AbortSignal, report: (doneBytes: number) => void) => Promise<string>;
  /** @throws UploadRefused when the server says no. */
  send: (sent: Sent, sha256: string, signal: AbortSignal, report: (sentBytes: number) => void) => Promise<UploadAnswer>;
  nowMs: () => number;
}

/** The server's no, in its own words. */
export class UploadRefused extends Error {
  override readonly name = "UploadRefused";
}

/** Files on the wire at once. More would only share the same line. */
export const UPLOADS_AT_ONCE = 2;

/** The files that a person gave, in their order, and what became of each. */
export class UploadQueue {
  private entries: readonly UploadEntry[] = [];
  private readonly files = new Map<number, Sent & { abort: AbortController }>();
  private readonly listeners = new Set<() => void>();
  private nextKey = 1;

  constructor(private readonly port: UploadPort) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** The same array until something changes. */
  readonly snapshot = (): readonly UploadEntry[] => this.entries;

  /**
   * Takes files, with what is known about the failure of each of them; those that can never arrive fail at once, with the
   * reason. Answers how many do not.
   */
  add(files: Iterable<File>, given: GivenChange | null = null): number {
    const added: UploadEntry[] = [];
    for (const file of files) {
      const key = this.nextKey++;
      const reason = refusal(file);
      if (reason === null) this.files.set(key, { file, given, abort: new AbortController() });
      added.push({
        key,
        name: file.name,
        sizeBytes: file.size,
        hasGiven: given !== null,
        state: reason === null ? { kind: "waiting" } : { kind: "failed", reason, canRetry: false },
      });
    }
    this.change([...this.entries, ...added]);
    this.start();
    return added.filter(({ state }) => state.kind !== "failed").length;
  }

  /** Stops a file and takes it out of the list. What arrived of it is not kept by the server. */
  cancel(key: number): void {
    const job = this.files.get(key);
    this.files.delete(key);
    this.change(this.entries.filter((entry) => entry.key !== key));
    job?.abort.abort();
    this.start();
  }

  /** Sends a failed file again. */
  retry(key: number): void {
    const job = this.files.get(key);
    const entry = this.entries.find((candidate) => candidate.key === key);
    if (job === undefined || entry?.state.kind !== "failed") return;
    job.abort = new AbortController();
    this.set(key, { kind: "waiting" });
    this.start();
  }

  /** Takes a finished or failed file out of the list. */
  dismiss(key: number): void {
    this.files.delete(key);
    this.change(this.entries.filter((entry) => entry.key !== key));
  }

  /** Takes out what the list itself shows now: everything stored before the list was read at `listAtMs`. */
  handOver(listAtMs: number): void {
    const keep = this.entries.filter(
      ({ state }) => state.kind !== "stored" || state.duplicate || state.atMs >= listAtMs,
    );
    if (keep.length !== this.entries.length) this.change(keep);
  }

  /** Whether leaving the page would lose something. */
  isBusy(): boolean {
    return this.entries.some(({ state }) => isRunning(state) || state.kind === "waiting");
  }

  private start(): void {
    let running = this.entries.filter((entry) => isRunning(entry.state)).length;
    for (const entry of this.entries) {
      if (running >= UPLOADS_AT_ONCE) return;
      if (entry.state.kind !== "waiting") continue;
      running++;
      void this.run(entry.key);
    }
  }

  private async run(key: number): Promise<void> {
    const job = this.files.get(key);
    if (job === undefined) return;
    const { file, given } = job;
    const { signal } = job.abort;
    const ifCurrent = (state: UploadState): void => {
      if (!signal.aborted) this.set(key, state);
    };
    ifCurrent({ kind: "hashing", doneBytes: null });
    try {
      const sha256 = await this.port.hash(file, signal, (doneBytes) => ifCurrent({ kind: "hashing", doneBytes }));
      ifCurrent({ kind: "sending", sentBytes: 0 });
      const answer = await this.port.send({ file, given }, sha256, signal, (sentBytes) =>
        ifCurrent({ kind: "sending", sentBytes }),
      );
      if (answer.sha256 !== sha256 || answer.sizeBytes !== file.size) {
        throw new UploadRefused(
          `The server holds ${formatBytes(answer.sizeBytes)} of ${formatBytes(file.size)}, or other bytes than this file has. Send it again.`,
        );
      }
      if (!signal.aborted) this.files.delete(key);
      const { id, duplicate, givenRefused } = answer;
      ifCurrent({ kind: "stored", id, duplicate, givenRefused, atMs: this.port.nowMs() });
    } catch (error) {
      ifCurrent({ kind: "failed", reason: failureWords(error), canRetry: true });
    }
    this.start();
  }

  private set(key: number, state: UploadState): void {
    this.change(this.entries.map((entry) => (entry.key === key ? { ...entry, state } : entry)));
  }

  private change(entries: readonly UploadEntry[]): void {
    this.entries = entries;
    for (const listener of this.listeners) listener();
  }
}

function isRunning(state: UploadState): boolean {
  return state.kind === "hashing" || state.kind === "sending";
}

function refusal(file: File): string | null {
  if (file.size === 0) return "The file is empty.";
  if (file.size > UPLOAD_MAX_BYTES) {
    return `${formatBytes(file.size)} is more than the ${formatLimit(UPLOAD_MAX_BYTES)} that one upload may have.`;
  }
  return null;
}

function failureWords(error: unknown): string {
  if (error instanceof UploadRefused) return error.message;
  if (error instanceof DOMException && error.name === "NotReadableError") {
    return "The file cannot be read any more: it was moved or changed since it was chosen. Choose it again.";
  }
  return "The connection broke before the file had arrived. Nothing of it was kept.";
}
