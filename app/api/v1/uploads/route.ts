import { AppError } from "@/lib/errors";
import { checkOrigin, json, route } from "@/lib/http";
import { projectOf } from "@/lib/store/session";
import { receiveUpload } from "@/lib/store/uploads";
import { takeGiven } from "./given-prefix";

/**
 * Receives one file as the raw body. Answers 201, or 200 when the project has the same bytes already. What is known about the
 * failure can stand before the file in the same body, so that both arrive or neither does: as many bytes of JSON as
 * `x-misstep-given-bytes` says. Length and checksum of the file are without them.
 */
export const POST = route(async (request) => {
  checkOrigin(request);
  const scope = await projectOf(request);
  const contentLength = readCount("content-length", request.headers.get("content-length"));
  const givenBytes = readCount("x-misstep-given-bytes", request.headers.get("x-misstep-given-bytes")) ?? 0;
  const { given, rest } = await takeGiven(request.body, givenBytes);
  const answer = await receiveUpload(scope, {
    name: new URL(request.url).searchParams.get("name") ?? "",
    body: rest,
    contentLength: contentLength === null ? null : Math.max(0, contentLength - givenBytes),
    ...(given === null ? {} : { given }),
    sha256: readSha256(request.headers.get("x-misstep-sha256")),
  });
  return json(answer, answer.duplicate ? 200 : 201);
});

function readCount(name: string, header: string | null): number | null {
  if (header === null) return null;
  if (!/^\d{1,15}$/.test(header)) throw new AppError("bad_request", `${name} is not a number.`);
  return Number(header);
}

function readSha256(header: string | null): string | null {
  if (header === null) return null;
  if (!/^[0-9a-f]{64}$/i.test(header)) throw new AppError("bad_request", "x-misstep-sha256 is not a SHA-256 in hex.");
  return header.toLowerCase();
}
