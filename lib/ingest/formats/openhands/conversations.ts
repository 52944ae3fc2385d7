import { type Content, isJsonContent } from "../../content";
import { namedLines } from "../../named-lines";
import type { Part } from "../../parts";
import { isObject, type JsonValue, stringMember } from "../../safe-json";
import { conversationFolders } from "./opened-run";
import { isRow } from "./shapes";

/** The member that names a row. */
const NAME = "instance_id";

/** The runs of a file of an evaluation, one a row, or of a folder with several conversations. */
export function splitOpenHands(content: Content): Part[] {
  if (content.kind === "files") {
    const folders = conversationFolders(content.files);
    return folders.map((folder) => ({ key: folder, name: folder.replace(/\/$/, "") || "conversation", range: null }));
  }
  if (!isJsonContent(content)) return [];
  if (content.kind === "document") return splitList(content.json.value, content);
  const rows = content.sample.filter(({ parsed }) => isRow(parsed?.value)).length;
  if (rows * 2 <= content.sample.length) return [];
  return [...namedLines(content, [NAME])].map(({ line, start, end, value }) => {
    const name = nameOf(value ?? undefined) ?? `line ${line}`;
    return { key: `line ${line}`, name, range: { start, end, line, pointer: "" } };
  });
}

function splitList(value: JsonValue, content: Extract<Content, { kind: "document" }>): Part[] {
  if (!Array.isArray(value) || value.filter(isRow).length * 2 <= value.length) return [];
  const { elements } = content.json.layout;
  const { bytes } = content.source;
  const parts: Part[] = [];
  let [line, counted] = [1, 0];
  for (const [n, { start, end }] of elements.entries()) {
    for (let at = bytes.indexOf(0x0a, counted); at !== -1 && at < start; at = bytes.indexOf(0x0a, at + 1)) line++;
    counted = start;
    parts.push({
      key: `row ${n}`,
      name: nameOf(value[n]) ?? `row ${n + 1}`,
      range: { start, end, line, pointer: `/${n}` },
    });
  }
  return parts;
}

function nameOf(value: JsonValue | undefined): string | null {
  const name = isObject(value) ? stringMember(value, NAME) : null;
  return name === null || name.trim() === "" ? null : name;
}
