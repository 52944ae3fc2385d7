import { Decoder, ExtData } from "@msgpack/msgpack";
import { JSON_MAX_DEPTH } from "@/lib/catalogue/limits";
import { IngestError } from "@/lib/errors";
import { type JsonObject, type JsonValue, parseJson, storable } from "../../safe-json";
import type { HeldValue } from "../../source";

/** A value out of a checkpointer's column, or why it cannot be read. */
export type Serialised = { ok: true; value: JsonValue } | { ok: false; why: string };

/** Constructors inside of constructors; a message holds a handful. */
const NESTING_MAX = 64;
const encoder = new TextEncoder();

/**
 * Reads a value as LangGraph's serialiser wrote it. Constructors of Python become the same wrapper as in its JSON,
 * `{lc, type: "constructor", id, kwargs | args}`: they are described and never called. Pickles and what is encrypted are
 * refused.
 * @param type what the column `type` says; null in tables of older versions, which have none
 */
export function readSerialised(type: HeldValue, held: HeldValue): Serialised {
  if (held === null || type === "null" || type === "empty") return { ok: true, value: null };
  const bytes = typeof held === "string" ? encoder.encode(held) : held;
  if (!(bytes instanceof Uint8Array)) return { ok: false, why: "it is a number" };
  const kind = typeof type === "string" ? type : guessKind(bytes);
  if (kind.includes("+")) return { ok: false, why: `it is encrypted (${storable(kind)})` };
  try {
    if (kind === "msgpack") return { ok: true, value: decode(bytes, 0) };
    if (kind === "json") return { ok: true, value: parseJson(bytes, 0, bytes.length, false).value };
    if (kind === "bytes" || kind === "bytearray") return { ok: true, value: asBytes(bytes) };
    if (kind === "pickle") return { ok: false, why: "it is a pickle, which could only be read by running it" };
    return { ok: false, why: `its type ${storable(kind)} is not known` };
  } catch (error) {
    if (error instanceof IngestError) return { ok: false, why: error.message };
    // The decoder throws errors of several classes for bytes that are no msgpack; all say where it stopped.
    return { ok: false, why: error instanceof Error ? `it is no ${kind}: ${error.message}` : `it is no ${kind}` };
  }
}

function guessKind(bytes: Uint8Array): string {
  const [first] = bytes;
  if (first === 0x7b || first === 0x5b || first === 0x22) return "json";
  return first === 0x80 && (bytes[1] ?? 0) <= 5 && bytes.at(-1) === 0x2e ? "pickle" : "msgpack";
}

function decode(bytes: Uint8Array, depth: number): JsonValue {
  if (depth > NESTING_MAX) throw new IngestError("too_deep", `constructors are nested deeper than ${NESTING_MAX}`);
  const most = bytes.length;
  const limits = { maxArrayLength: most, maxMapLength: most };
  const extensionCodec = {
    tryToEncode: () => null,
    decode: (data: Uint8Array, code: number) => new ExtData(code, data),
  };
  // Keys of Python may be of any kind; `toJson` needs texts.
  const mapKeyConverter = (key: unknown): string =>
    typeof key === "string" ? key : JSON.stringify(toJson(key, depth));
  const decoder = new Decoder({ useBigInt64: true, extensionCodec, mapKeyConverter, ...limits });
  return toJson(decoder.decode(bytes), depth);
}

/** Codes of LangGraph's extension types; each holds msgpack again. */
const [SINGLE_ARG, POSITIONAL, KEYWORDS, METHOD, PYDANTIC_V1, PYDANTIC_V2, NUMPY] = [0, 1, 2, 3, 4, 5, 6];

function readExtension({ type: code, data: given }: ExtData, depth: number): JsonValue {
  const data = typeof given === "function" ? given(0) : given;
  if (code < 0 || code > NUMPY) return { type: "extension", code, ...asBytes(data) };
  const parts = decode(data, depth + 1);
  if (code === NUMPY || !Array.isArray(parts)) return { type: "extension", code, parts };
  const [module, name, held = null] = parts;
  if (typeof module !== "string" || typeof name !== "string") return { type: "extension", code, parts };
  const wrapper: JsonObject = { lc: 2, type: "constructor", id: [...module.split("."), name] };
  if (code === KEYWORDS || code === PYDANTIC_V1 || code === PYDANTIC_V2) return { ...wrapper, kwargs: held };
  if (code === POSITIONAL) return { ...wrapper, args: held };
  if (code === METHOD) return { ...wrapper, method: parts[3] ?? null, args: [held] };
  return { ...wrapper, args: code === SINGLE_ARG ? [held] : held };
}

/** What msgpack gives, as JSON. `depth` counts constructors, `level` lists and maps inside one. */
function toJson(value: unknown, depth: number, level = 0): JsonValue {
  if (level > JSON_MAX_DEPTH) throw new IngestError("too_deep", `it is nested deeper than ${JSON_MAX_DEPTH}`);
  if (value === null || value === undefined || typeof value === "boolean") return value ?? null;
  if (typeof value === "string") return storable(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof Uint8Array) return asBytes(value);
  if (value instanceof ExtData) return readExtension(value, depth);
  if (Array.isArray(value)) return value.map((one) => toJson(one, depth, level + 1));
  if (typeof value === "object") {
    return Object.fromEntries(
      Object.entries(value).map(([key, held]) => [storable(key), toJson(held, depth, level + 1)]),
    );
  }
  return null;
}

function asBytes(bytes: Uint8Array): JsonObject {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return { type: "bytes", base64: btoa(binary) };
}
