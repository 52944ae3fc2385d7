import {
  countMember,
  isObject,
  type JsonObject,
  type JsonValue,
  member,
  parseNestedJson,
  storable,
  stringMember,
} from "../../safe-json";

/** What the output of a call says. */
export interface Output {
  text: string;
  isError: boolean | null;
  exitCode: number | null;
  durationMs: number | null;
  isCut: boolean;
  /** The number of the session in which the command still runs, null when it does not. */
  session: string | null;
  /** Something besides text was shown, so that the text is not just what a command printed. */
  isMixed: boolean;
}

const NOTHING = { isError: null, exitCode: null, durationMs: null, isCut: false, session: null, isMixed: false };

/** How much of an output may be its head. */
const HEAD_CHARS = 2_000;
/** Longer outputs are not looked into for JSON around them. */
const ENVELOPE_CHARS = 8_000_000;

/**
 * Reads the output of a call in all its shapes: JSON with `output` and `metadata`, a head with "Exit code:" or "Process
 * exited with code" before "Output:", plain text, a list of content parts, or an object with content.
 */
export function readOutput(given: JsonValue | undefined): Output {
  if (typeof given === "string") return readText(given);
  if (Array.isArray(given)) return readParts(given);
  if (!isObject(given)) return { text: "", ...NOTHING };
  const { content, success } = given;
  if (content === undefined) return readText(partText(given));
  const output = readOutput(content);
  return typeof success === "boolean" ? { ...output, isError: !success } : output;
}

function readParts(parts: JsonValue[]): Output {
  const isText = (part: JsonValue): boolean => stringMember(part, "text") !== null;
  const texts = parts.filter(isText).map(partText);
  const others = parts.filter((part) => !isText(part)).map(partText);
  const output = readText(texts.join("\n"));
  if (others.length === 0) return { ...output, isMixed: texts.length > 1 };
  return { ...output, text: [output.text, ...others].join("\n"), isMixed: true };
}

/** A part of an output or a message as text; a picture is named, and anything unknown keeps its JSON. */
export function partText(part: JsonValue): string {
  if (typeof part === "string") return part;
  const text = stringMember(part, "text");
  if (text !== null) return text;
  const type = stringMember(part, "type");
  if (type === "input_image" || type === "image" || type === "localImage") {
    const url = stringMember(part, "image_url") ?? stringMember(part, "data") ?? stringMember(part, "path") ?? "";
    return `[picture: ${url.startsWith("data:") || url.length > 500 ? `${url.length} characters` : url || "not kept"}]`;
  }
  return type === "encrypted_content" ? "[encrypted]" : JSON.stringify(part);
}

function readText(given: string): Output {
  return (
    readEnvelope(given) ?? readHead(given) ?? { ...NOTHING, text: given, isCut: isCut(given), ...failureOf(given) }
  );
}

function readEnvelope(given: string): Output | null {
  if (!given.startsWith("{") || given.length > ENVELOPE_CHARS) return null;
  const { output, metadata } = splitEnvelope(given) ?? envelopeIn(parseNestedJson(given));
  if (output === null || !isObject(metadata)) return null;
  const exitCode = exitCodeOf(metadata.exit_code);
  const seconds = countMember(metadata, "duration_seconds");
  return {
    text: output,
    isError: exitCode === null ? null : exitCode !== 0,
    exitCode,
    durationMs: seconds === null ? null : seconds * 1_000,
    isCut: isCut(output),
    session: null,
    isMixed: false,
  };
}

interface Envelope {
  output: string | null;
  metadata: JsonValue | undefined;
}

function envelopeIn(value: JsonValue | undefined): Envelope {
  return { output: stringMember(value, "output"), metadata: member(value, "metadata") };
}

const OPENED = '{"output":';
const METADATA = ',"metadata":';

/**
 * The envelope in the form in which it is always written: the output first, as one string, and behind it what is known of
 * it. Nearly all of a run's bytes stand in such strings, and this way they are read once, not twice. Null for any other
 * form.
 */
function splitEnvelope(given: string): Envelope | null {
  if (!given.startsWith(`${OPENED}"`) || !given.endsWith("}")) return null;
  // Quotes in a string are escaped, so that this cannot stand in the output.
  const end = given.lastIndexOf(METADATA);
  if (end === -1 || given.length - end > HEAD_CHARS) return null;
  const metadata = parseNestedJson(given.slice(end + METADATA.length, -1));
  let output: unknown;
  try {
    output = JSON.parse(given.slice(OPENED.length, end));
  } catch {
    // A string that is no JSON is left to the reader that repairs it.
    return null;
  }
  if (typeof output !== "string" || metadata === undefined) return null;
  const isStorable = output.isWellFormed() && !output.includes("\u0000");
  return { output: isStorable ? output : storable(output), metadata };
}

/** The line that ends the head, and the lines that may stand in it. */
const HEAD_END = /(?:^|\n)Output:(?:\n|$)/;
const HEAD_LINE =
  /^(?:Chunk ID|Exit code|Wall time|Total output lines|Original token count|Process exited with code|Process running with session ID|Command)\b/;

function readHead(given: string): Output | null {
  const start = given.slice(0, HEAD_CHARS);
  const end = start.includes("Output:") ? HEAD_END.exec(start) : null;
  if (end === null) return null;
  const head = given.slice(0, end.index);
  if (!head.split("\n").every((line) => line.trim() === "" || HEAD_LINE.test(line))) return null;
  const text = given.slice(end.index + end[0].length);
  const code = /^(?:Exit code:|Process exited with code) (-?\d{1,10})\s*$/m.exec(head)?.[1];
  const seconds = /^Wall time: (\d{1,9}(?:\.\d{1,9})?)/m.exec(head)?.[1];
  const session = /^Process running with session ID (\S+)/m.exec(head)?.[1] ?? null;
  const total = /^Total output lines: \d+$/m.exec(head)?.[0];
  const exitCode = code === undefined ? null : Number(code);
  return {
    // How many lines there were tells where a cut text stood.
    text: total === undefined ? text : `${total}\n\n${text}`,
    isError: exitCode === null ? null : exitCode !== 0,
    exitCode,
    durationMs: seconds === undefined ? null : Number(seconds) * 1_000,
    isCut: isCut(text),
    session,
    isMixed: false,
  };
}

const FAILED =
  /^(?:apply_patch verification failed|exec_command failed|execution error|failed to parse function arguments|unsupported call|aborted|command rejected|patch rejected|exec command rejected|Error:|err: )/i;

function failureOf(text: string): { isError: boolean | null } {
  return { isError: FAILED.test(text) ? true : null };
}

const CUT =
  /\[\.\.\. (?:omitted \d+ of \d+ lines|output truncated to fit)|…\s?\d+ (?:tokens|chars|lines) truncated|\[Output truncated/;

/** Searches for signs that are rare come first: they are many times faster than the pattern on long texts that are not cut. */
function isCut(text: string): boolean {
  return (text.includes("[... o") || text.includes("[Output") || text.includes("…")) && CUT.test(text);
}

/** A number as an exit code, null when it is none. */
export function exitCodeOf(value: JsonValue | undefined): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : null;
}

/** A duration as events state it, `{"secs", "nanos"}`, in milliseconds. */
export function durationOf(payload: JsonObject): number | null {
  const seconds = countMember(payload.duration, "secs");
  return seconds === null ? null : seconds * 1_000 + (countMember(payload.duration, "nanos") ?? 0) / 1e6;
}
