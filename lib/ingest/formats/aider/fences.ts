import type { TextLine } from "../../text-lines";

const START = /^# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$/;
const FENCE = /^(`{3,})([^`]*)$/;
const INTERRUPTION = /^> (?:\^C|KeyboardInterrupt)/;

/** Fence lines looked at for the end of one fence: more of them mean that nothing closes it. */
const LOOKED_AT = 200;

/** The time in the line that aider writes when it starts, null for any other line. */
export function startTime(text: string): string | null {
  return START.exec(text)?.[1] ?? null;
}

/**
 * Tells which fence lines of a chat history open a block that is closed again. What stands between them is the assistant's,
 * also where it looks like aider's own lines: a history that somebody asked about, a Markdown file that is edited.
 */
export class Fences {
  readonly #fences: { line: number; ticks: number; isBare: boolean }[] = [];
  readonly #starts: { line: number; time: string }[] = [];
  /** The number of interruptions before each line. */
  readonly #interruptions: number[] = [];
  readonly #places = new Map<number, number>();

  constructor(lines: readonly TextLine[]) {
    let interruptions = 0;
    for (const [n, { text }] of lines.entries()) {
      this.#interruptions.push(interruptions);
      // Nearly every line is none of them, which its first sign tells.
      const sign = text[0];
      if (sign === ">" && INTERRUPTION.test(text)) interruptions++;
      const fence = sign === "`" ? FENCE.exec(text.trimEnd()) : null;
      if (fence) {
        this.#places.set(n, this.#fences.length);
        this.#fences.push({ line: n, ticks: fence[1]?.length ?? 0, isBare: fence[2] === "" });
      }
      const time = sign === "#" ? startTime(text) : null;
      if (time !== null) this.#starts.push({ line: n, time });
    }
  }

  /**
   * The line that closes the fence which the line opens; null when it opens none or nothing closes it: a run was
   * interrupted there, another fence opens first, or a session starts that is later than this one.
   * @param session when the session around it started; null when it is not told
   */
  closeOf(line: number, session: string | null): number | null {
    const place = this.#places.get(line);
    const opener = place === undefined ? undefined : this.#fences[place];
    if (place === undefined || opener === undefined) return null;
    const closer = this.#closer(place, opener.ticks);
    if (closer === null) return null;
    if ((this.#interruptions[closer] ?? 0) > (this.#interruptions[line] ?? 0)) return null;
    for (let n = this.#startAfter(line); (this.#starts[n]?.line ?? closer) < closer; n++) {
      const time = this.#starts[n]?.time;
      if (session === null || time === undefined || time > session) return null;
    }
    return closer;
  }

  #closer(place: number, ticks: number): number | null {
    for (const fence of this.#fences.slice(place + 1, place + 1 + LOOKED_AT)) {
      if (fence.ticks >= ticks) return fence.isBare ? fence.line : null;
    }
    return null;
  }

  /** Which start is the first behind a line, by halving. */
  #startAfter(line: number): number {
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle]?.line ?? line) > line) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
