"use client";

import { useCallback, useEffect, useSyncExternalStore } from "react";
import type { z } from "zod";

/** What is known about an answer of the server: on its way, here, or failed with a sentence for a person. */
export type Answer<T> =
  | { state: "waiting" }
  | { state: "here"; value: T }
  | { state: "failed"; message: string; status: number | null };

const WAITING: Answer<never> = { state: "waiting" };
/** Answers kept; the oldest go first. A turn's answer is at most 1 MB and usually a few kB. */
const KEPT_MAX = 150;

function messageOf(body: unknown, status: number): string {
  if (typeof body === "object" && body !== null && "error" in body) {
    const { error } = body;
    if (typeof error === "object" && error !== null && "message" in error && typeof error.message === "string") {
      return error.message;
    }
  }
  return `The server answered ${status}.`;
}

/**
 * Asks the server for JSON and reads it with a schema.
 * @throws Error with a sentence for a person, also when the answer has another shape.
 */
export async function fetchJson<T>(url: string, schema: z.ZodType<T>, init?: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(url, init);
  } catch {
    throw new AnswerError("The server could not be reached. Check that Misstep is running.", null);
  }
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw new AnswerError(messageOf(body, response.status), response.status);
  const read = schema.safeParse(body);
  if (!read.success)
    throw new AnswerError("The server's answer has an unknown shape. Reload the page.", response.status);
  return read.data;
}

/** A request that gave no usable answer; the message is for a person. */
export class AnswerError extends Error {
  override readonly name = "AnswerError";

  constructor(
    message: string,
    readonly status: number | null,
  ) {
    super(message);
  }
}

/** Answers of one trajectory by path under its API prefix, asked for once and kept while the page is open. */
export class Answers {
  private readonly kept = new Map<string, Answer<unknown>>();
  private readonly listeners = new Set<() => void>();

  constructor(
    private readonly api: string,
    initial: readonly (readonly [string, unknown])[],
  ) {
    for (const [path, value] of initial) this.kept.set(path, { state: "here", value });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  peek(path: string): Answer<unknown> {
    return this.kept.get(path) ?? WAITING;
  }

  /** The answer under a path when it is here; what stands there was read with the schema of that path. */
  value<T>(path: string, _schema: z.ZodType<T>): T | null {
    const answer = this.peek(path);
    return answer.state === "here" ? (answer.value as T) : null;
  }

  /** Asks unless the answer is here or on its way. */
  ask<T>(path: string, schema: z.ZodType<T>): void {
    if (this.kept.has(path)) return;
    this.set(path, { state: "waiting" });
    fetchJson(`${this.api}/${path}`, schema).then(
      (value) => this.set(path, { state: "here", value }),
      (error: unknown) =>
        this.set(path, {
          state: "failed",
          message: error instanceof Error ? error.message : "The request failed.",
          status: error instanceof AnswerError ? error.status : null,
        }),
    );
  }

  /** Forgets a failed answer and asks again. */
  retry<T>(path: string, schema: z.ZodType<T>): void {
    this.kept.delete(path);
    this.ask(path, schema);
  }

  /** Takes an answer that came another way: with the answer to a change. */
  put<T>(path: string, value: T, _schema: z.ZodType<T>): void {
    this.set(path, { state: "here", value });
  }

  private set(path: string, answer: Answer<unknown>): void {
    this.kept.delete(path);
    this.kept.set(path, answer);
    for (const [oldest, each] of this.kept) {
      if (this.kept.size <= KEPT_MAX) break;
      if (each.state !== "waiting") this.kept.delete(oldest);
    }
    for (const listener of this.listeners) listener();
  }
}

/** The answer under a path, asked for when it is first needed; `waiting` for a null path. */
export function useAnswer<T>(answers: Answers, path: string | null, schema: z.ZodType<T>): Answer<T> {
  const read = useCallback(() => (path === null ? WAITING : answers.peek(path)), [answers, path]);
  const answer = useSyncExternalStore(answers.subscribe, read, read);
  useEffect(() => {
    if (path !== null) answers.ask(path, schema);
  }, [answers, path, schema]);
  // What was stored under a path was read with the schema of that path.
  return answer as Answer<T>;
}
