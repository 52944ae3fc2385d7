import { AppError } from "@/lib/errors";
import { checkOrigin, json, route } from "@/lib/http";
import { projectOf } from "@/lib/store/session";
import { receiveUpload } from "@/lib/store/uploads";

/** Receives one file as the raw body. Answers 201, or 200 when the project has the same bytes already. */
export const POST = route(async (request) => {
  checkOrigin(request);
  const scope = await projectOf(request);
  const answer = await receiveUpload(scope, {
    name: new URL(request.url).searchParams.get("name") ?? "",
    body: request.body,
    contentLength: readLength(request.headers.get("content-length")),
    sha256: readSha256(request.headers.get("x-misstep-sha256")),
  });
  return json(answer, answer.duplicate ? 200 : 201);
});

function readLength(header: string | null): number | null {
  if (header === null) return null;
  if (!/^\d{1,15}$/.test(header)) throw new AppError("bad_request", "content-length is not a number.");
  return Number(header);
}

function readSha256(header: string | null): string | null {
  if (header === null) return null;
  if (!/^[0-9a-f]{64}$/i.test(header)) throw new AppError("bad_request", "x-misstep-sha256 is not a SHA-256 in hex.");
  return header.toLowerCase();
}
