import { isAbsolute, resolvePath } from "./paths";
import type { LineFiles } from "./shell-line-files";
import type { ShellPlace } from "./shell-place";
import { opaqueWrite, type PlacedWrite, type ShellWrite } from "./shell-surroundings";

/** What is known of whether a command runs, but for what stands in the command itself. */
export type Standing = Omit<PlacedWrite, "write" | "by">;

/** How many writes and reads of a line stand before a place in it. */
export interface LineMark {
  writes: number;
  reads: number;
}

const NOT_TOLD = "the working directory is not told";

/** The files that a line writes and reads, in order. */
export class LineWrites {
  readonly all: PlacedWrite[] = [];
  readonly #reads: string[] = [];
  /** Files that the pipe at hand writes. */
  #pipe: Set<string> | null = null;
  /** How many reads stand before the pipe at hand. */
  #pipeStart = 0;
  readonly #place: ShellPlace;
  readonly #files: LineFiles;

  constructor(place: ShellPlace, files: LineFiles) {
    this.#place = place;
    this.#files = files;
  }

  /** This place in the line. */
  mark(): LineMark {
    return { writes: this.all.length, reads: this.#reads.length };
  }

  /** The keys of the files that were written and read since a place. */
  since({ writes, reads }: LineMark): { written: Set<string>; read: Set<string> } {
    const written = this.all.slice(writes).map(({ write }) => resolvePath(write.path, null).key);
    return { written: new Set(written), read: new Set(this.#reads.slice(reads)) };
  }

  /** The text of a file that a command reads, when all of it is known. */
  read(path: string): string | null {
    const { directory } = this.#place;
    this.#reads.push(resolvePath(path, directory).key);
    const content = this.#files.contentOf(path, directory);
    return content?.kind === "whole" ? content.text : null;
  }

  /** Begins a list of commands in which pipes stand. Returns how to come back to the pipe around it. */
  enter(): () => void {
    const start = this.#pipeStart;
    return () => {
      this.#pipeStart = start;
    };
  }

  /** A command begins that reads no pipe; `feeds` when one begins with it. Returns whether it is the outermost. */
  begin(feeds: boolean): boolean {
    this.#pipeStart = this.#reads.length;
    if (!feeds || this.#pipe !== null) return false;
    this.#pipe = new Set();
    return true;
  }

  /** The outermost pipe ends. */
  endPipe(): void {
    this.#pipe = null;
  }

  /** A pipe that reads the file which its end writes may read it empty. */
  atOnce(path: string): ShellWrite | null {
    const { key } = resolvePath(path, this.#place.directory);
    return this.#reads.includes(key, this.#pipeStart)
      ? opaqueWrite(path, "the file is read and written at once")
      : null;
  }

  add(write: ShellWrite, standing: Standing, by: string): void {
    const { directory, moved } = this.#place;
    const relative = directory === null && moved && !isAbsolute(write.path);
    const doubt = relative ? NOT_TOLD : this.#inPipe(write.path);
    const placed = doubt === null ? write : opaqueWrite(write.path, doubt);
    const { shown } = resolvePath(placed.path, directory);
    const anchored = { ...placed, path: shown };
    const { effect } = anchored;
    if (effect.kind === "move" || effect.kind === "copy") {
      anchored.effect = { ...effect, from: resolvePath(effect.from, directory).shown };
    }
    this.#files.make(shown, null, this.#files.after(anchored, standing.conditional));
    if (write.linksTo !== undefined) this.#files.links.add(resolvePath(write.linksTo, directory).shown, shown);
    this.all.push({ write: anchored, by, ...standing });
  }

  /** Writes as they are where the shell stands in one folder; from each of several none of them is certain. */
  inEachFolder(make: () => ShellWrite[]): ShellWrite[] {
    const { directory, elsewhere } = this.#place;
    if (elsewhere.length === 0) return make();
    const back = this.#place.save();
    const paths = [directory, ...elsewhere].flatMap((folder) => {
      this.#place.stand(folder);
      return make().map((write) => resolvePath(write.path, folder).shown);
    });
    back();
    return [...new Set(paths)].map((path) => opaqueWrite(path, NOT_TOLD));
  }

  /** Why a write in a pipe is not told: the commands of a pipe run at once. */
  #inPipe(path: string): string | null {
    if (this.#pipe === null) return null;
    const { key } = resolvePath(path, this.#place.directory);
    if (this.#pipe.has(key)) return "two commands of a pipe write the file";
    this.#pipe.add(key);
    return null;
  }
}
