import { spliceText, wholeContent } from "./known-content";
import { parseSed } from "./sed-command";
import { scriptSplices } from "./sed-script";
import { writesTo } from "./shell-files";
import { opaqueWrite, type ShellSurroundings, type ShellWrite } from "./shell-surroundings";
import type { ShellWord } from "./shell-variables";

/** The writes of `sed -i`: followed where the script is simple, else opaque for each file that is named. */
export function sedWrites(
  words: readonly ShellWord[],
  around: ShellSurroundings,
  directory: string | null,
): ShellWrite[] {
  const reading = readSed(words);
  if (reading === null || !reading.inPlace) return [];
  const { scripts, files, plain, extended, suffix } = reading;
  const commands = plain ? parseSed(scripts.join("\n"), extended) : null;
  const script = scripts.join("\n");
  const edits = writesTo(files, around, directory, (path) => {
    if (commands === null) return opaqueWrite(path, "a sed script that is not followed changes the file");
    const fragment = { before: null, after: script, startLine: null };
    return { path, operation: "edit", effect: { kind: "script", commands }, fragment, opaque: null };
  });
  if (suffix === "") return edits;
  // A copy of the file is kept under another name; with a star in it, the name is made in another way.
  const copies = writesTo(files, around, directory, (path) => {
    if (/[*/]/.test(suffix)) return opaqueWrite(path + suffix, "sed keeps a copy under a name that is not followed");
    const effect = { kind: "copy" as const, from: path };
    return { path: path + suffix, operation: "overwrite", effect, fragment: null, opaque: null };
  });
  return [...copies.filter((copy) => copy.path.endsWith(suffix)), ...edits];
}

/**
 * What `sed` without `-i` prints of one text, null when the script is not followed.
 * @param input what it reads when it names no file
 */
export function sedOutput(
  words: readonly ShellWord[],
  input: string | null,
  textOf: (path: string) => string | null,
): string | null {
  const reading = readSed(words);
  if (reading === null || reading.inPlace || !reading.plain) return null;
  const [file, ...others] = reading.files;
  if (others.length > 0 || (file !== undefined && (!file.literal || file.glob))) return null;
  const text = file === undefined ? input : textOf(file.text);
  const commands = parseSed(reading.scripts.join("\n"), reading.extended);
  const splices = text === null || commands === null ? null : scriptSplices(wholeContent(text), commands);
  return text === null || splices === null ? null : spliceText(text, splices);
}

interface SedReading {
  inPlace: boolean;
  /** What is put behind the name for the copy that is kept; empty when none is. */
  suffix: string;
  extended: boolean;
  /** False when an option or an expansion makes the script something that we do not know. */
  plain: boolean;
  scripts: string[];
  files: ShellWord[];
}

function readSed(words: readonly ShellWord[]): SedReading | null {
  const reading: SedReading = { inPlace: false, suffix: "", extended: false, plain: true, scripts: [], files: [] };
  const rest: ShellWord[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined) break;
    const { text } = word;
    if (text === "-e" || text === "--expression" || /^-[nErsz]+e$/.test(text)) {
      const script = words[at + 1];
      if (script === undefined) return null;
      if (!script.literal) reading.plain = false;
      reading.scripts.push(script.text);
      at += 1;
    } else if (/^--expression=/.test(text)) reading.scripts.push(text.slice("--expression=".length));
    else if (/^(?:-i|--in-place)/.test(text)) {
      reading.inPlace = true;
      reading.suffix = text.replace(/^(?:-i|--in-place=?)/, "");
    } else if (/^-[nErsuz]+i?/.test(text) && text !== "--") {
      const at = text.indexOf("i");
      if (at !== -1) {
        reading.inPlace = true;
        reading.suffix = text.slice(at + 1);
      } else if (/[^-nErsuz]/.test(text)) reading.plain = false;
      if (/[Er]/.test(text)) reading.extended = true;
      // With -n nothing but what is printed stays; with -z the whole file is one line.
      if (/[nz]/.test(text)) reading.plain = false;
    } else if (/^--regexp-extended$/.test(text)) reading.extended = true;
    else if (text.startsWith("-") && text.length > 1) reading.plain = false;
    // BSD's `-i ''`: the empty word is the ending of the copy.
    else if (text !== "" || !reading.inPlace) rest.push(word);
  }
  if (reading.scripts.length === 0) {
    const script = rest.shift();
    if (script === undefined) return null;
    if (!script.literal) reading.plain = false;
    reading.scripts.push(script.text);
  }
  reading.files = rest;
  return reading;
}
