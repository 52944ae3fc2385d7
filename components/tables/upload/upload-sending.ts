import { z } from "zod";
import { type UploadAnswer, uploadAnswerSchema } from "@/lib/views/trajectory-list";
import { type Sent, UploadRefused } from "./upload-queue";

const errorSchema = z.object({ error: z.object({ message: z.string() }) });

/**
 * Sends a file as it is to the server, behind what is known about its failure: in one request, so that a page that is closed
 * meanwhile sends both or neither. XMLHttpRequest and not fetch, because fetch does not say how many bytes have left.
 * @throws UploadRefused with the server's reason; TypeError when the connection broke; DOMException `AbortError`.
 */
export function sendFile(
  { file, given }: Sent,
  sha256: string,
  signal: AbortSignal,
  report: (sentBytes: number) => void,
): Promise<UploadAnswer> {
  const before = given === null ? new Blob() : new Blob([JSON.stringify(given)]);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = (): void => request.abort();
    const settle = (finish: () => void): void => {
      signal.removeEventListener("abort", abort);
      finish();
    };
    signal.addEventListener("abort", abort, { once: true });
    request.open("POST", `/api/v1/uploads?name=${encodeURIComponent(wellFormed(file.name))}`);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.setRequestHeader("x-misstep-sha256", sha256);
    if (before.size > 0) request.setRequestHeader("x-misstep-given-bytes", String(before.size));
    request.upload.onprogress = (event) => report(Math.max(0, Math.min(event.loaded - before.size, file.size)));
    request.onload = () =>
      settle(() => {
        try {
          resolve(answerOf(request));
        } catch (error) {
          reject(error);
        }
      });
    request.onerror = () => settle(() => reject(new TypeError("connection broke")));
    request.onabort = () => settle(() => reject(new DOMException("cancelled", "AbortError")));
    if (signal.aborted) return reject(new DOMException("cancelled", "AbortError"));
    request.send(before.size === 0 ? file : new Blob([before, file]));
  });
}

/** @throws UploadRefused when the answer is not a stored upload. */
function answerOf(request: XMLHttpRequest): UploadAnswer {
  const body = parseJson(request.responseText);
  const answer = uploadAnswerSchema.safeParse(body);
  if (request.status >= 200 && request.status < 300 && answer.success) return answer.data;
  if (request.status === 401) {
    throw new UploadRefused("You are signed out. Sign in again, then send the file again.");
  }
  const refused = errorSchema.safeParse(body);
  throw new UploadRefused(
    refused.success
      ? refused.data.error.message
      : `The server answered ${request.status} and no reason. Send it again.`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON is an answer too (a proxy's error page): the caller finds no reason in it and says the status.
    return null;
  }
}

/** A name without lone surrogates, which `encodeURIComponent` refuses. */
function wellFormed(name: string): string {
  return name.replace(/\p{Surrogate}/gu, "\uFFFD");
}
