import http from "node:http";
import { productOrigin } from "../harness/watched-page";

/** An answer as it came over the wire. */
export interface Answer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string;
}

export interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** One request by node:http: without a browser's cookies, and with the path exactly as it is written. */
export function ask(path: string, { method = "GET", headers: given = {}, body }: Asked = {}): Promise<Answer> {
  const { hostname, port } = new URL(productOrigin());
  const headers = body === undefined ? given : { "content-length": String(Buffer.byteLength(body)), ...given };
  return new Promise((resolve, reject) => {
    const request = http.request(
      { hostname, port, path, method, headers, agent: false, timeout: 30_000 },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", reject);
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(
              Object.entries(response.headers).map(([name, value]) => [
                name,
                Array.isArray(value) ? value.join("\n") : `${value}`,
              ]),
            ),
            body: Buffer.concat(parts).toString("utf8"),
          }),
        );
      },
    );
    request.on("timeout", () => request.destroy(new Error(`no answer in 30 s: ${method} ${path.slice(0, 200)}`)));
    request.on("error", reject);
    request.end(body);
  });
}

/** A page's data as the router of the browser asks for it. */
export async function askRsc(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const asked = { headers: { ...headers, rsc: "1" } };
  const first = await ask(`${path}${path.includes("?") ? "&" : "?"}_rsc=`, asked);
  const next = first.headers.location;
  // The framework sends a request with another `_rsc` than it computes itself to the right one, before any page runs.
  return first.status === 307 && next?.includes("_rsc") ? ask(next, asked) : first;
}

const ENTITIES: Record<string, string> = { "&quot;": '"', "&#x27;": "'", "&lt;": "<", "&gt;": ">", "&amp;": "&" };
const ESCAPES: Record<string, string> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

function withoutJsonEscapes(text: string): string {
  return text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_all, hex: string | undefined, char: string) =>
    hex === undefined ? (ESCAPES[char] ?? char) : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/**
 * An answer as somebody could read it who looks for something hidden: as it is, with the pieces of the page's data put
 * together, without HTML's entities, and without one and two levels of JSON's escapes.
 */
export function readingsOf(body: string): string {
  const joined = body.replaceAll(/"\]\)<\/script><script[^>]*>self\.__next_f\.push\(\[1,"/g, "");
  const plain = joined.replaceAll(/&(?:quot|#x27|lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? entity);
  const once = withoutJsonEscapes(plain);
  const twice = withoutJsonEscapes(once);
  return [...new Set([body, plain, once, twice])].join("\n\0\n");
}
