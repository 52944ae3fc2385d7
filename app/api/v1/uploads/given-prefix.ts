import { parseBody } from "@/app/api/v1/body";
import { GIVEN_TEXT_MAX_BYTES } from "@/lib/catalogue/limits";
import { AppError } from "@/lib/errors";
import { type GivenChange, givenChangeSchema } from "@/lib/views/failure";

/** Four texts and their escapes. */
const GIVEN_MAX_BYTES = 4 * 2 * GIVEN_TEXT_MAX_BYTES;

/**
 * Takes what a person says about the failure from the beginning of a body, `sizeBytes` of JSON, and leaves the file.
 * @returns `given` null and the body as it came when it begins with the file.
 * @throws AppError `too_large` with the limit, `bad_request` when the body ends before it or it is no such JSON.
 */
export async function takeGiven(
  body: ReadableStream<Uint8Array> | null,
  sizeBytes: number,
): Promise<{ given: GivenChange | null; rest: ReadableStream<Uint8Array> | null }> {
  if (sizeBytes === 0 || body === null) return { given: null, rest: body };
  if (sizeBytes > GIVEN_MAX_BYTES) {
    throw new AppError("too_large", `What is said about the failure may have at most ${GIVEN_MAX_BYTES} bytes.`);
  }
  const reader = body.getReader();
  const pieces: Uint8Array[] = [];
  let left = sizeBytes;
  let first = new Uint8Array(0);
  while (left > 0) {
    const next = await reader.read().catch((error: unknown) => {
      throw new AppError("bad_request", "The connection ended before the upload was complete.", { cause: error });
    });
    if (next.done) throw new AppError("bad_request", "The body ends before what is said about the failure does.");
    pieces.push(next.value.subarray(0, left));
    if (next.value.length > left) first = next.value.slice(left);
    left -= Math.min(left, next.value.length);
  }
  const given = givenChangeSchema.safeParse(parseBody(Buffer.concat(pieces).toString("utf8")));
  if (!given.success) {
    await reader.cancel().catch(() => undefined);
    const [problem] = given.error.issues;
    throw new AppError("bad_request", `This cannot be said about a failure: ${problem?.message ?? "unknown parts"}.`);
  }
  return { given: given.data, rest: restOf(first, reader) };
}

function restOf(
  first: Uint8Array<ArrayBuffer>,
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      if (first.length > 0) controller.enqueue(first);
    },
    async pull(controller) {
      const next = await reader.read();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
