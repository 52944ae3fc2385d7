import type { Adapter } from "./adapter";

/** One row a format: what the texts below are made of. */
type Described = Pick<Adapter, "id" | "about">;

/** Where people read about formats; each holds the text between two marks, or is that text. */
export interface FormatFile {
  /** Relative to the root of the repository. */
  path: string;
  /** The file's new text, given its old one. */
  write: (old: string, adapters: readonly Described[]) => string;
}

/** The files that `npm run formats` writes from the adapters. */
export const FORMAT_FILES: readonly FormatFile[] = [
  { path: "lib/catalogue/formats.ts", write: (_, adapters) => catalogueText(adapters) },
  { path: "docs/formats.md", write: (old, adapters) => betweenMarks(old, `\n${sections(adapters)}\n`) },
  { path: "README.md", write: (old, adapters) => betweenMarks(old, sentence(adapters.map(({ about }) => about.name))) },
];

const BEGIN = "<!-- npm run formats: begin -->";
const END = "<!-- npm run formats: end -->";

/** The text with `made` between its two marks. @throws RangeError when they are not there, in this order. */
export function betweenMarks(text: string, made: string): string {
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END, begin);
  if (begin === -1 || end === -1) throw new RangeError(`the marks ${BEGIN} and ${END} are not there`);
  return text.slice(0, begin + BEGIN.length) + made + text.slice(end);
}

/** `A, B and C`. */
function sentence(names: string[]): string {
  const last = names.at(-1) ?? "";
  return names.length < 2 ? last : `${names.slice(0, -1).join(", ")} and ${last}`;
}

/** The catalogue that pages import: they may not import adapters. */
function catalogueText(adapters: readonly Described[]): string {
  const entries = adapters.map(({ id, about }) => {
    const extensions = about.extensions.map((extension) => JSON.stringify(extension)).join(", ");
    const lines = [
      `id: ${JSON.stringify(id)}`,
      `name: ${JSON.stringify(about.name)}`,
      `extensions: [${extensions}]`,
      `description: ${JSON.stringify(about.description)}`,
    ];
    return `  {\n${lines.map((line) => `    ${line},\n`).join("")}  },\n`;
  });
  return `// Written by \`npm run formats\` from what each adapter says about itself.

/** One trace format that can be uploaded, as pages show it. */
export interface TraceFormat {
  /** The adapter's id. */
  id: string;
  name: string;
  /** Usual endings of such files, as a hint for people; content decides. */
  extensions: string[];
  description: string;
}

/** The formats that can be read, in the order in which pages list them. */
export const TRACE_FORMATS: readonly TraceFormat[] = [
${entries.join("")}];
`;
}

/** The part of docs/formats.md that is about each format. */
function sections(adapters: readonly Described[]): string {
  const rows = adapters.map(
    ({ id, about }) =>
      `| ${about.name} | \`${id}\` | ${about.extensions.map((extension) => `\`${extension}\``).join(", ")} | ${about.description} |`,
  );
  const overview = ["| format | id | files | |", "| --- | --- | --- | --- |", ...rows].join("\n");
  return [overview, ...adapters.map(section)].join("\n\n");
}

function section({ id, about }: Described): string {
  const facts = [
    ["How to get a file", about.source],
    ["Detected by", about.detectedBy],
    ["Agents", about.agents],
    ["Turn", about.turns],
    ["Source steps", about.sourceSteps],
    ["Read", about.read],
    ["Not read", about.notRead],
  ].map(([name, text]) => `**${name}.** ${text}`);
  const points = [...facts, ...about.details].map((text) => wrapped(`- ${text}`, "  "));
  return `## ${about.name} (\`${id}\`)\n\n${points.join("\n")}`;
}

const WIDTH = 120;

/** Breaks a paragraph at spaces into lines of at most 120 characters where that is possible. */
function wrapped(text: string, indent: string): string {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = indent + word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join("\n");
}
