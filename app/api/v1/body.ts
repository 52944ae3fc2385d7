import { AppError } from "@/lib/errors";

/**
 * The JSON of a body, read no further than it may be long; an empty one is an empty object.
 * @throws AppError `too_large` with the limit, `bad_request` for what is no JSON.
 */
export async function readBodyJson(request: Request, maxBytes: number): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  const reader = request.body?.getReader();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
    sizeBytes += next.value.length;
    if (sizeBytes > maxBytes) {
      await reader?.cancel();
      throw new AppError("too_large", `The request has more than the ${maxBytes} bytes that it may have.`);
    }
    parts.push(next.value);
  }
  return parseBody(Buffer.concat(parts).toString("utf8"));
}

/**
 * The JSON of a text; an empty one is an empty object.
 * @throws AppError `bad_request`.
 */
export function parseBody(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError("bad_request", "The request is not JSON.", { cause: error });
  }
}
