import { IngestError } from "@/lib/errors";
import type { RawSpan } from "@/lib/trajectory/schema";
import { type Content, isJsonContent } from "../../content";
import { NoteBook } from "../../notes";
import type { Part } from "../../parts";
import { Places } from "../../rows/places";
import { unitsOf } from "../../rows/rows";
import { isObject, type JsonObject, parseJson, stringMember } from "../../safe-json";
import type { HeldFile } from "../../source";
import { decodeUtf8 } from "../../text-decoding";

/** One document of the format with where it stands. */
export interface AtifDocument {
  value: JsonObject;
  places: Places;
  /** The file in an archive or a folder; undefined for an upload that is the document. */
  path: string | undefined;
}

/** A trajectory, the documents that it may name, and what a trial keeps beside them. */
export interface Documents {
  root: AtifDocument;
  /** By path, for references from the root and from each other. */
  linked: ReadonlyMap<string, AtifDocument>;
  around: HeldFile[];
  notes: NoteBook;
}

/** The files of one trial: its main trajectory, those that it names, and the others of its folder. */
export interface Trial {
  root: string;
  linked: string[];
  around: string[];
}

const HEAD_BYTES = 4_096;
const REFERENCE = /"(?:trajectory_path|continued_trajectory_ref)"\s*:\s*"([^"\\]{1,500})"/g;
const RESULT = /(?:^|\/)result\.json$/;

/**
 * The trials among the files of an archive: each trajectory that no other names is the main one of a trial. Its folder is
 * where it stands, or the one above when it stands in `agent`.
 */
export function trialsIn(files: readonly HeldFile[]): Trial[] {
  const texts = new Map<string, string>();
  for (const { path, bytes } of files) {
    const isOne = path.endsWith(".json") && /"ATIF-v\d/.test(decodeUtf8(bytes.subarray(0, HEAD_BYTES)).text);
    if (isOne) texts.set(path, decodeUtf8(bytes).text);
  }
  const names = new Map([...texts].map(([path, text]) => [path, namedIn(path, text, texts)]));
  const named = new Set([...names.values()].flat());
  const roots = [...texts.keys()].filter((path) => !named.has(path));
  return roots.map((root) => {
    const linked = reachable(root, names);
    const folder = folderOf(root);
    const isOwn = (path: string): boolean =>
      roots.length === 1 ? true : path.startsWith(folder) && (folder !== "" || !path.includes("/"));
    const around = files.map(({ path }) => path).filter((path) => !texts.has(path) && isOwn(path));
    return { root, linked, around: around.some((path) => RESULT.test(path)) || roots.length === 1 ? around : [] };
  });
}

function namedIn(path: string, text: string, texts: ReadonlyMap<string, string>): string[] {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return [...text.matchAll(REFERENCE)].flatMap(([, name = ""]) => {
    const found = [`${folder}${name}`, `${folder}${name.slice(name.lastIndexOf("/") + 1)}`].find((one) =>
      texts.has(one),
    );
    return found === undefined || found === path ? [] : [found];
  });
}

function reachable(root: string, names: ReadonlyMap<string, string[]>): string[] {
  const seen = new Set<string>([root]);
  const open = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const path of names.get(next) ?? []) {
      if (seen.has(path)) continue;
      seen.add(path);
      open.push(path);
    }
  }
  seen.delete(root);
  return [...seen].sort();
}

/** The folder of a trial with its `/`, empty at the top. */
function folderOf(path: string): string {
  const folder = path.slice(0, path.lastIndexOf("/") + 1);
  return folder.replace(/(?:^|(?<=\/))agent\/$/, "");
}

/** The trials of an archive as parts; nothing when there is one. */
export function splitTrials(content: Content): Part[] {
  if (content.kind !== "files") return [];
  const trials = trialsIn(content.files);
  if (trials.length < 2) return [];
  return trials.map(({ root }) => ({ key: root, name: folderOf(root).replace(/\/$/, "") || root, range: null }));
}

/**
 * The documents that an upload, or the trial of it that `key` names, is read from.
 * @throws IngestError `malformed` when there is none, or when it is no JSON.
 */
export function documentsOf(content: Content, key: string | null): Documents {
  const notes = new NoteBook();
  if (isJsonContent(content)) {
    for (const { row } of unitsOf(content, notes)) {
      if (row === null) continue;
      const root = { value: row.value, places: row.places, path: undefined };
      return { root, linked: new Map(), around: [], notes };
    }
  }
  const files = content.kind === "files" ? content.files : [];
  const trials = trialsIn(files);
  const trial = key === null ? trials[0] : trials.find(({ root }) => root === key);
  const byPath = new Map(files.map((file) => [file.path, file]));
  const held = trial === undefined ? undefined : byPath.get(trial.root);
  if (trial === undefined || held === undefined)
    throw new IngestError("malformed", "there is no trajectory of ATIF here");
  const linked = new Map<string, AtifDocument>();
  for (const path of trial.linked) {
    const file = byPath.get(path);
    const document = file === undefined ? null : linkedDocument(file, notes);
    if (document) linked.set(path, document);
  }
  const around = trial.around.flatMap((path) => byPath.get(path) ?? []);
  return { root: readDocument(held, notes), linked, around, notes };
}

function readDocument({ path, bytes }: HeldFile, notes: NoteBook): AtifDocument {
  const { value, layout, repairs } = parseJson(bytes);
  const raw: RawSpan = { line: null, pointer: "", start: 0, end: bytes.length, file: path };
  notes.addRepairs(repairs, raw);
  if (!isObject(value)) throw new IngestError("malformed", `${path} is no trajectory of ATIF`);
  return { value, places: new Places(raw, layout, bytes), path };
}

/** A document that another names; one that is broken is noted and left out. */
function linkedDocument(file: HeldFile, notes: NoteBook): AtifDocument | null {
  try {
    return readDocument(file, notes);
  } catch (error) {
    if (!(error instanceof IngestError)) throw error;
    const raw = { line: null, pointer: null, start: 0, end: file.bytes.length, file: file.path };
    notes.add("file_not_read", "not_understood", "Trajectories that another names and that could not be read", raw);
    return null;
  }
}

/** Whom a document belongs to, for references inside a run. */
export function identityOf(document: JsonObject): string | null {
  return stringMember(document, "trajectory_id") ?? stringMember(document, "session_id");
}
