import { randomBytes } from "node:crypto";
import { env } from "@/lib/env";
import { AppError, type ErrorCode } from "@/lib/errors";
import { errorForLog } from "@/lib/store/error-log";

const STATUS: Record<ErrorCode, number> = {
  bad_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  integrity: 422,
  rate_limited: 429,
  unavailable: 503,
  internal: 500,
};

/** Said instead of a message that was written for the log. */
const INTERNAL_MESSAGE = "Something went wrong here. The server's log has the details under this number.";

/** On every answer of `/api`: never cached, never guessed at, never embedded, never referred to. */
const COMMON_HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
} as const;

/** A JSON answer with the headers that every answer of `/api` has. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...COMMON_HEADERS, "content-type": "application/json; charset=utf-8", ...headers },
  });
}

/**
 * Bytes of unknown content as a download: never shown by the browser, whatever they are (security test A15).
 * @param name what the client called the file; a label, put into the header in both of RFC 6266's spellings.
 */
export function attachment(
  body: ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>,
  name: string,
  sizeBytes: number | null,
): Response {
  return new Response(body, {
    headers: {
      ...COMMON_HEADERS,
      "content-type": "application/octet-stream",
      "content-security-policy": "sandbox; default-src 'none'",
      "content-disposition": contentDisposition(name),
      ...(sizeBytes === null ? {} : { "content-length": String(sizeBytes) }),
    },
  });
}

/** `attachment` with the name in ASCII, and in UTF-8 for the clients that read it. Nothing of the name can end the header. */
export function contentDisposition(name: string): string {
  const label =
    (
      name
        .replaceAll(/[\ud800-\udfff]/gu, "\ufffd")
        .split(/[\\/]/)
        .at(-1) ?? ""
    ).slice(0, 150) || "upload";
  const ascii = label.replaceAll(/[^A-Za-z0-9._ ()+-]/g, "_");
  const encoded = encodeURIComponent(label).replaceAll(
    /['()*!]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/**
 * Wraps a route handler: an AppError becomes its status and `{ error: { code, message, requestId } }`; everything else
 * becomes 500 with a number that the log has too. No stack, SQL or path ever leaves.
 */
export function route<Params extends object = Record<string, never>>(
  handler: (request: Request, params: Params) => Promise<Response>,
): (request: Request, context: { params: Promise<Params> }) => Promise<Response> {
  return async (request, context) => {
    try {
      return await handler(request, await context.params);
    } catch (error) {
      return errorAnswer(error);
    }
  };
}

/** The answer for something that was thrown. Logs what a person could not act on. */
export function errorAnswer(error: unknown): Response {
  const code: ErrorCode = error instanceof AppError ? error.code : "internal";
  const requestId = code === "internal" || code === "unavailable" ? logFailure(error) : newNumber();
  const message = error instanceof AppError && code !== "internal" ? error.message : INTERNAL_MESSAGE;
  return json({ error: { code, message, requestId } }, STATUS[code]);
}

/** Writes what was thrown to the log; gives back the number that it has there, 16 hexadecimal digits. */
export function logFailure(error: unknown): string {
  const number = newNumber();
  console.error(`[${number}]`, errorForLog(error));
  return number;
}

function newNumber(): string {
  return randomBytes(8).toString("hex");
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** The origins that may write: the configured one, and on loopback its other names with the same port. */
export function allowedOrigins(origin: string = env().origin): string[] {
  const url = new URL(origin);
  if (!LOOPBACK.has(url.hostname)) return [url.origin];
  return [...LOOPBACK].map((name) => {
    const alias = new URL(url);
    alias.hostname = name;
    return alias.origin;
  });
}

/**
 * Refuses a write that another page could have caused a browser to send. `Host` has to be ours (DNS rebinding) and
 * `Origin` too, port included, because cookies do not know ports. A form on a page with `Referrer-Policy: no-referrer`
 * sends `Origin: null`; there `Sec-Fetch-Site: same-origin` stands in, which no page can set. A request with an API key
 * needs no Origin: a browser never adds that header by itself, and such a request is never given the cookie's rights.
 * @throws AppError `forbidden`.
 */
export function checkOrigin(request: Request): void {
  if (bearerToken(request) !== null) return;
  const origins = allowedOrigins();
  const hosts = origins.map((origin) => new URL(origin).host);
  const host = request.headers.get("host");
  if (host === null || !hosts.includes(host.toLowerCase())) {
    throw new AppError("forbidden", "This address is not one that Misstep was started for (MISSTEP_ORIGIN).");
  }
  const origin = request.headers.get("origin");
  const isOurs =
    origin === null || origin === "null"
      ? request.headers.get("sec-fetch-site") === "same-origin"
      : origins.includes(origin);
  if (!isOurs) throw new AppError("forbidden", "The request comes from another origin.");
}

/** The API key of a request, null when it has no `Authorization: Bearer`. */
export function bearerToken(request: Request): string | null {
  return /^Bearer +([^\s]+)$/i.exec(request.headers.get("authorization") ?? "")?.[1] ?? null;
}
