import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import OpenAI from "openai";
import { UnreadableAnswer } from "./failures";
import { checkAddresses, type OutboundUrl } from "./outbound-url";

/** Larger than any answer within the limits on tokens; an endpoint that sends more is not read to its end. */
const BODY_MAX_BYTES = 8 * 1024 * 1024;
const KEPT_HEADERS = ["content-type", "retry-after", "retry-after-ms"];

/** An endpoint that may be asked. */
export interface Endpoint {
  url: OutboundUrl;
  apiKey: string;
  allowPrivate: boolean;
}

/** The model's host leads to an address that must not be asked. */
export class AddressRefused extends Error {}

/**
 * Sends one chat completion, once, and gives back the answer's JSON. The client neither retries (that is ours) nor reads
 * settings of its own from the environment; redirects are not followed (security test O3).
 * @param signal ends it at any point, also while the body is read.
 * @throws what the client throws; AddressRefused.
 */
export async function sendOnce(
  endpoint: Endpoint,
  body: OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming,
  signal: AbortSignal,
): Promise<unknown> {
  await checkHost(endpoint);
  const isAzure = "api-version" in endpoint.url.query;
  const client = new OpenAI({
    apiKey: endpoint.apiKey,
    baseURL: endpoint.url.base,
    defaultQuery: endpoint.url.query,
    // Azure's keys go into a header of their own; in Authorization it expects a token of its directory.
    defaultHeaders: isAzure ? { "api-key": endpoint.apiKey, authorization: null } : {},
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 0,
    logLevel: "off",
    fetch: fetchWhole,
  });
  const answer: unknown = await client.chat.completions.create(body, { signal });
  // With another content type than JSON the client gives the text.
  return typeof answer === "string" ? parseAnswer(answer) : answer;
}

async function checkHost({ url, allowPrivate }: Endpoint): Promise<void> {
  if (isIP(url.hostname) !== 0) return; // was checked when it was read
  let addresses: string[];
  try {
    addresses = (await lookup(url.hostname, { all: true })).map(({ address }) => address);
  } catch {
    return; // the request itself meets the same, and says it in its own way
  }
  const wrong = checkAddresses(url, addresses, allowPrivate);
  if (wrong !== null) throw new AddressRefused(wrong);
}

/** Reads the whole answer under the signal, which the client's own reading is not, and up to a bound. */
async function fetchWhole(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: "manual" });
  const text = await readText(response);
  const headers = new Headers();
  for (const name of KEPT_HEADERS) {
    const value = response.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  if (response.ok) return new Response(text === "" ? null : text, { status: 200, headers });
  headers.set("content-type", "application/json");
  return new Response(JSON.stringify({ error: oneShape(text) }), { status: response.status, headers });
}

async function readText(response: Response): Promise<string> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let [text, bytes] = ["", 0];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    bytes += part.value.byteLength;
    if (bytes > BODY_MAX_BYTES) {
      await reader.cancel();
      throw new UnreadableAnswer("the answer is too large");
    }
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * An endpoint's words about a failure in OpenAI's shape: `{"error": {...}}`, Ollama's `{"error": "..."}`, older vLLM's
 * `{"object": "error", "message": ...}`, FastAPI's `{"detail": ...}`, or any text.
 */
function oneShape(text: string): Record<string, unknown> {
  const said = objectIn(text);
  if (said === null) return { message: text.slice(0, 4_000) };
  const inner = typeof said.error === "object" && said.error !== null ? { ...said.error } : said;
  const message =
    "message" in inner && typeof inner.message === "string"
      ? inner.message
      : typeof said.error === "string"
        ? said.error
        : JSON.stringify(said.detail ?? said);
  return { ...inner, message: message.slice(0, 4_000) };
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableAnswer("not JSON");
  }
}
