import { z } from "zod";
import { type UploadAnswer, uploadAnswerSchema } from "@/lib/views/trajectory-list";
import { UploadRefused } from "./upload-queue";

const errorSchema = z.object({ error: z.object({ message: z.string() }) });

/**
 * Sends a file as it is to the server. XMLHttpRequest and not fetch, because fetch does not say how many bytes have left.
 * @throws UploadRefused with the server's reason; TypeError when the connection broke; DOMException `AbortError`.
 */
export function sendFile(
  file: File,
  sha256: string,
  signal: AbortSignal,
  report: (sentBytes: number) => void,
): Promise<UploadAnswer> {
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
    request.upload.onprogress = (event) => report(Math.min(event.loaded, file.size));
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
    request.send(file);
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
