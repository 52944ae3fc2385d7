import { describe, expect, it } from "vitest";
import { UPLOAD_MAX_BYTES } from "@/lib/catalogue/limits";
import type { GivenChange } from "@/lib/views/failure";
import type { UploadAnswer } from "@/lib/views/trajectory-list";
import { UPLOADS_AT_ONCE, type UploadPort, UploadQueue, UploadRefused } from "./upload-queue";

interface Sending {
  name: string;
  given: GivenChange | null;
  signal: AbortSignal;
  report: (sentBytes: number) => void;
  answer: (answer: Partial<UploadAnswer>) => void;
  fail: (error: unknown) => void;
}

/** A browser whose network is played by hand. */
function setUp() {
  const sendings: Sending[] = [];
  let now = 100;
  const port: UploadPort = {
    hash: (file) => Promise.resolve(`hash of ${file.name}`),
    send: ({ file, given }, sha256, signal, report) =>
      new Promise((resolve, reject) => {
        sendings.push({
          name: file.name,
          given,
          signal,
          report,
          answer: (answer) =>
            resolve({
              id: `id-${file.name}`,
              duplicate: false,
              partCount: null,
              givenRefused: null,
              sha256,
              sizeBytes: file.size,
              ...answer,
            }),
          fail: reject,
        });
      }),
    nowMs: () => now,
  };
  const queue = new UploadQueue(port);
  const states = () => queue.snapshot().map(({ name, state }) => `${name} ${state.kind}`);
  const only = (name: string) => {
    const found = queue.snapshot().find((entry) => entry.name === name);
    if (found === undefined) throw new Error(`no ${name}`);
    return found;
  };
  const sending = (name: string) => {
    const found = sendings.findLast((entry) => entry.name === name);
    if (found === undefined) throw new Error(`${name} was not sent`);
    return found;
  };
  return { queue, states, only, sending, sendings, setNow: (ms: number) => (now = ms) };
}

const file = (name: string, text = "some bytes") => new File([text], name);
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

describe("UploadQueue", () => {
  it("sends two at a time and the next when one ends, in the given order", async () => {
    const { queue, states, sending, sendings } = setUp();
    queue.add(["a", "b", "c", "d"].map((name) => file(name)));
    await settle();
    expect(UPLOADS_AT_ONCE).toBe(2);
    expect(states()).toEqual(["a sending", "b sending", "c waiting", "d waiting"]);
    sending("b").answer({});
    await settle();
    expect(states()).toEqual(["a sending", "b stored", "c sending", "d waiting"]);
    sending("a").fail(new TypeError("broke"));
    await settle();
    expect(states()).toEqual(["a failed", "b stored", "c sending", "d sending"]);
    expect(sendings.map(({ name }) => name)).toEqual(["a", "b", "c", "d"]);
  });

  it("shows the bytes that have left", async () => {
    const { queue, only, sending } = setUp();
    queue.add([file("a", "0123456789")]);
    await settle();
    sending("a").report(4);
    expect(only("a").state).toEqual({ kind: "sending", sentBytes: 4 });
  });

  it("does not believe an answer about other bytes", async () => {
    const { queue, only, sending } = setUp();
    queue.add([file("hash"), file("size")]);
    await settle();
    sending("hash").answer({ sha256: "another" });
    sending("size").answer({ sizeBytes: 3 });
    await settle();
    expect(only("hash").state).toMatchObject({ kind: "failed", canRetry: true });
    expect(only("size").state).toMatchObject({ kind: "failed", reason: expect.stringContaining("3 B of 10 B") });
  });

  it("refuses at once what can never arrive", async () => {
    const { queue, only, sendings } = setUp();
    const large = file("large");
    Object.defineProperty(large, "size", { value: UPLOAD_MAX_BYTES + 1 });
    queue.add([file("empty", ""), large]);
    await settle();
    expect(only("empty").state).toEqual({ kind: "failed", reason: "The file is empty.", canRetry: false });
    expect(only("large").state).toMatchObject({ reason: expect.stringContaining("256 MiB"), canRetry: false });
    expect(sendings).toEqual([]);
    queue.retry(only("large").key);
    await settle();
    expect(only("large").state.kind).toBe("failed");
  });

  it("says the server's reason, and sends again when asked", async () => {
    const { queue, only, sending } = setUp();
    queue.add([file("a")]);
    await settle();
    sending("a").fail(new UploadRefused("The disk is full."));
    await settle();
    expect(only("a").state).toEqual({ kind: "failed", reason: "The disk is full.", canRetry: true });
    queue.retry(only("a").key);
    await settle();
    sending("a").answer({});
    await settle();
    expect(only("a").state.kind).toBe("stored");
  });

  it("says that a file is gone when it cannot be read", async () => {
    const { queue, only, sending } = setUp();
    queue.add([file("a")]);
    await settle();
    sending("a").fail(new DOMException("gone", "NotReadableError"));
    await settle();
    expect(only("a").state).toMatchObject({ reason: expect.stringContaining("Choose it again") });
  });

  it("cancels: the request is stopped, the line goes, the next one starts, a late answer changes nothing", async () => {
    const { queue, states, only, sending } = setUp();
    queue.add(["a", "b", "c"].map((name) => file(name)));
    await settle();
    queue.cancel(only("a").key);
    await settle();
    expect(sending("a").signal.aborted).toBe(true);
    expect(states()).toEqual(["b sending", "c sending"]);
    sending("a").answer({});
    await settle();
    expect(states()).toEqual(["b sending", "c sending"]);
  });

  it("hands a stored file over to a list that was read after it arrived, and keeps a duplicate until it is dismissed", async () => {
    const { queue, states, only, sending, setNow } = setUp();
    queue.add([file("new"), file("old")]);
    await settle();
    setNow(500);
    sending("new").answer({});
    sending("old").answer({ duplicate: true, id: "first" });
    await settle();
    queue.handOver(499);
    expect(states()).toEqual(["new stored", "old stored"]);
    queue.handOver(501);
    expect(states()).toEqual(["old stored"]);
    queue.dismiss(only("old").key);
    expect(states()).toEqual([]);
  });

  it("is busy as long as leaving would lose something", async () => {
    const { queue, sending } = setUp();
    expect(queue.isBusy()).toBe(false);
    queue.add([file("a")]);
    expect(queue.isBusy()).toBe(true);
    await settle();
    expect(queue.isBusy()).toBe(true);
    sending("a").answer({});
    await settle();
    expect(queue.isBusy()).toBe(false);
  });

  it("sends what is known about the failure with each file, again when it is retried, and keeps why it was not taken", async () => {
    const { queue, only, sending } = setUp();
    const given = { outcome: "failed" } as const;
    expect(queue.add([file("a"), file("empty", "")], given)).toBe(1);
    await settle();
    expect(sending("a").given).toEqual(given);
    sending("a").fail(new TypeError("broke"));
    await settle();
    queue.retry(only("a").key);
    await settle();
    expect(sending("a").given).toEqual(given);
    sending("a").answer({ duplicate: true, givenRefused: "It holds several." });
    await settle();
    expect(only("a")).toMatchObject({ hasGiven: true, state: { givenRefused: "It holds several." } });
    expect(queue.add([file("b")])).toBe(1);
    await settle();
    expect(sending("b").given).toBeNull();
  });

  it("gives the same snapshot until something changes", () => {
    const { queue } = setUp();
    expect(queue.snapshot()).toBe(queue.snapshot());
  });
});
