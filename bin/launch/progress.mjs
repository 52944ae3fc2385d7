import { stripVTControlCharacters } from "node:util";

/** How often a line is repeated where the terminal cannot rewrite it (a log file, a CI). */
const REPEAT_MS = 15_000;

/**
 * Shows numbered steps: what is being done, for how long, and how far it is. On a terminal a step is one line that is
 * rewritten; elsewhere it is a line at the beginning, one every 15 seconds, and one at the end.
 */
export class Progress {
  /**
   * @param {number} total number of steps
   * @param {NodeJS.WriteStream} [out]
   */
  constructor(total, out = process.stdout) {
    this.total = total;
    this.out = out;
    this.n = 0;
    this.rewrites = Boolean(out.isTTY) && process.env.TERM !== "dumb";
    /** @type {{ title: string, detail: string, startedAt: number, shownAt: number, timer: NodeJS.Timeout } | null} */
    this.step = null;
    /** Set when somebody asked to stop: what then ends did not fail. */
    this.isStopping = false;
  }

  /**
   * Runs one step and says how it went; `tell` changes what is shown behind its title.
   * @template T
   * @param {string} title
   * @param {(tell: (detail: string) => void) => Promise<T> | T} work
   * @returns {Promise<T>}
   */
  async run(title, work) {
    this.begin(title);
    try {
      const result = await work((detail) => {
        if (this.step) this.step.detail = detail;
      });
      this.end("done");
      return result;
    } catch (error) {
      this.end(this.isStopping ? "stopped" : "failed");
      throw error;
    }
  }

  /**
   * A step that had nothing to do.
   * @param {string} sentence
   */
  skip(sentence) {
    this.n += 1;
    this.line(`[${this.n}/${this.total}] ${sentence}`);
  }

  /**
   * Writes a line of its own, above the step that is being shown.
   * @param {string} text
   */
  line(text) {
    this.write(this.rewrites && this.step ? `\r\x1b[2K${text}\n` : `${text}\n`);
    if (this.rewrites) this.draw();
  }

  /** @param {string} title */
  begin(title) {
    this.n += 1;
    const timer = setInterval(() => this.tick(), this.rewrites ? 200 : 1_000);
    timer.unref();
    this.step = { title, detail: "", startedAt: Date.now(), shownAt: Date.now(), timer };
    if (this.rewrites) this.draw();
    else this.write(`[${this.n}/${this.total}] ${title}\n`);
  }

  /** @param {"done" | "failed" | "stopped"} how */
  end(how) {
    const step = this.step;
    if (!step) return;
    clearInterval(step.timer);
    this.step = null;
    const text = `[${this.n}/${this.total}] ${step.title} ... ${how}, ${seconds(step.startedAt)}`;
    if (this.rewrites) this.write(`\r\x1b[2K${text}\n`);
    else if (how !== "done" || Date.now() - step.startedAt > 1_000) this.write(`${text}\n`);
  }

  tick() {
    if (this.rewrites) this.draw();
    else if (this.step && Date.now() - this.step.shownAt >= REPEAT_MS) {
      this.step.shownAt = Date.now();
      this.write(`${this.text()}\n`);
    }
  }

  draw() {
    if (!this.step) return;
    const width = (this.out.columns || 80) - 1;
    this.write(`\r\x1b[2K${this.text().slice(0, width)}`);
  }

  text() {
    if (!this.step) return "";
    const { title, detail, startedAt } = this.step;
    return `[${this.n}/${this.total}] ${title} ... ${seconds(startedAt)}${detail ? `, ${plain(detail)}` : ""}`;
  }

  /** @param {string} text */
  write(text) {
    // The terminal may be gone (EIO, EPIPE); what is running goes on to its orderly end.
    if (this.out.writable) this.out.write(text);
  }
}

/** @param {number} since */
function seconds(since) {
  const value = (Date.now() - since) / 1_000;
  return value < 10 ? `${value.toFixed(1)} s` : `${Math.round(value)} s`;
}

/**
 * The words of another program, without what would move the cursor or change colours.
 * @param {string} text
 * @returns {string}
 */
export function plain(text) {
  return stripVTControlCharacters(text)
    .replace(/\p{Cc}/gu, " ")
    .trim();
}
