/** Control characters and tmux's names of keys: what they do to a line that stands there is not told. */
const KEYS =
  /^(?:(?:C|M|S)-\S+|Escape|Enter|Tab|BTab|Space|BSpace|Up|Down|Left|Right|Home|End|PageUp|PageDown|F\d{1,2})$/;
const INTERRUPTS: ReadonlySet<string> = new Set(["C-c", "C-d", "\u0003", "\u0004"]);

/** Programs that read what is typed after them, when they are started without an argument that ends them at once. */
const READERS =
  /^(?:sudo\s+)?(?:vim?|nvim|nano|emacs|ed|ex|less|more|man|top|htop|watch|ssh|telnet|ftp|gdb|pdb|tmux|screen|mysql|psql|irb|ghci|lua)\b/;
/** Interpreters that are asked for a line when nothing names a program. */
const INTERPRETERS = /^(?:sudo\s+)?(?:python[\d.]*|node|bash|sh|zsh|sqlite3\s+\S+)\s*$/;
/** The end of a screen on which a shell waits. */
const PROMPT = /(?:^|\n)[^\n]*[\w)\]/~:][#$] ?$/;

/**
 * Follows what an agent types into a terminal, as far as it is certain that a shell reads it: a whole line, typed at once
 * into a shell that waits, without keys that edit it.
 */
export class Terminal {
  /** True while a program other than the shell may read what is typed. */
  private isTypedInto = false;
  /** What stands on the line that is not ended yet, and whether keys have edited it. */
  private pending = "";
  private isEdited = false;

  /** The command line that these keystrokes complete; null when that is not certain, or when they end no line. */
  type(keystrokes: string): string | null {
    if (KEYS.test(keystrokes) || hasControls(keystrokes)) {
      this.isEdited = !INTERRUPTS.has(keystrokes);
      if (!this.isEdited) this.pending = "";
      return null;
    }
    const typed = this.pending + keystrokes;
    if (!keystrokes.endsWith("\n")) {
      this.pending = typed;
      return null;
    }
    const line = typed.replace(/(?<!\n)\n+$/, "");
    const isCertain = !this.isEdited && !this.isTypedInto && line.trim() !== "";
    this.pending = "";
    this.isEdited = false;
    const last = line.slice(line.lastIndexOf("\n") + 1).trim();
    if (READERS.test(last) || INTERPRETERS.test(last)) this.isTypedInto = true;
    return isCertain ? line : null;
  }

  /** Looks at the screen after the keystrokes: where it ends in a prompt, a shell waits again. */
  see(screen: string): void {
    if (!PROMPT.test(screen.trimEnd().slice(-200)) && !PROMPT.test(screen.slice(-200))) return;
    this.isTypedInto = false;
    this.isEdited = false;
    this.pending = "";
  }
}

function hasControls(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((code < 0x20 && code !== 0x0a && code !== 0x09) || code === 0x7f) return true;
  }
  return text.includes("\t");
}
