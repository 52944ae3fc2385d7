import { parseSed } from "./sed-command";
import { expand } from "./shell-files";
import { opaqueWrite, type ShellSurroundings, type ShellWrite } from "./shell-surroundings";
import type { ShellWord } from "./shell-syntax";

/** The writes of `sed -i`: followed where the script is simple, else opaque for each file that is named. */
export function sedWrites(
  words: readonly ShellWord[],
  around: ShellSurroundings,
  directory: string | null,
): ShellWrite[] {
  const reading = readSed(words);
  if (reading === null || !reading.inPlace) return [];
  const { scripts, files, plain, extended } = reading;
  const commands = plain ? parseSed(scripts.join("\n"), extended) : null;
  const script = scripts.join("\n");
  return expand(files, around, directory).map((path) => {
    if (commands === null) return opaqueWrite(path, "a sed script that is not followed changes the file");
    const fragment = { before: null, after: script, startLine: null };
    return { path, operation: "edit", effect: { kind: "script", commands }, fragment, opaque: null };
  });
}

interface SedReading {
  inPlace: boolean;
  extended: boolean;
  /** False when an option or an expansion makes the script something that we do not know. */
  plain: boolean;
  scripts: string[];
  files: ShellWord[];
}

function readSed(words: readonly ShellWord[]): SedReading | null {
  const reading: SedReading = { inPlace: false, extended: false, plain: true, scripts: [], files: [] };
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
    else if (/^(?:-i|--in-place)/.test(text)) reading.inPlace = true;
    else if (/^-[nErsuz]+i?/.test(text) && text !== "--") {
      if (text.includes("i")) reading.inPlace = true;
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
