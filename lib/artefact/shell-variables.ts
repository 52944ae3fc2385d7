import type { DoubleQuotedChild, Command as ParsedCommand, Word, WordPart } from "unbash";

/** A word with its quotes resolved. `literal` is false when the shell would put something else in its place. */
export interface ShellWord {
  text: string;
  literal: boolean;
  /** The word holds an unquoted `*`, `?` or `[`. */
  glob: boolean;
  /** What surely stands at its end, when the word is not literal: in `$dir/a.py` that is `/a.py`. */
  ending: string;
}

/** A variable that the line itself sets. `matched`: it stands for one of the files that a pattern matches. */
interface Value {
  text: string;
  literal: boolean;
  ending: string;
  matched: boolean;
}

/** Commands that set variables to what is not told. */
const SETTERS = /^(?:read|mapfile|readarray|getopts|local|declare|typeset|readonly|export|unset|printf|let)$/;
/** Words of a `{a,b}` list with nothing in it that means more. */
const PLAIN_LIST = /^\{[\w./@%+:-]*,[\w./@%+:,-]*\}$/;

/** Reads words, with the values of variables that the command line itself has set so far. */
export class ShellWords {
  #values = new Map<string, Value>();

  /** What a subshell does to variables ends with it. */
  apart<T>(run: () => T): T {
    const before = new Map(this.#values);
    const result = run();
    this.#values = before;
    return result;
  }

  set(name: string, word: ShellWord, conditional: boolean): void {
    const { text, literal, ending, glob } = word;
    if (conditional || (!literal && ending === "")) this.#values.delete(name);
    else this.#values.set(name, { text, literal, ending, matched: glob });
  }

  forget(name: string): void {
    this.#values.delete(name);
  }

  forgetAll(): void {
    this.#values.clear();
  }

  /** What a command does to variables. */
  follow(node: ParsedCommand, words: readonly ShellWord[], conditional: boolean): void {
    const name = words[0]?.text ?? "";
    // Settings in front of a command hold for it alone.
    const lasting = words.length === 0 ? [...node.prefix] : name === "export" ? [...node.suffix] : [];
    for (const one of lasting) {
      if (one.type !== "Assignment") continue;
      const isPlain = one.append !== true && one.index === undefined && one.value.type === "Word";
      const value = isPlain && one.value.type === "Word" ? this.#one(one.value) : null;
      if (value === null) this.forget(one.name);
      else this.set(one.name, { ...value, glob: false }, conditional);
    }
    if (/^(?:eval|source|\.)$/.test(name)) this.forgetAll();
    else if (SETTERS.test(name) && name !== "export") {
      for (const word of words.slice(1)) this.forget(word.text.replace(/=.*$/s, ""));
      for (const one of node.suffix) if (one.type === "Assignment") this.forget(one.name);
    }
  }

  /** Words as the shell hands them on: lists in braces become several, and so do variables with blanks in them. */
  read(words: readonly Word[]): ShellWord[] {
    return words.flatMap((word) => {
      const [list, ...rest] = (word.parts ?? []).filter((part) => part.type === "BraceExpansion");
      if (list !== undefined && rest.length === 0 && PLAIN_LIST.test(list.text)) {
        return list.text
          .slice(1, -1)
          .split(",")
          .map((choice) => this.#one(word, choice));
      }
      const [only, ...others] = word.parts ?? [];
      if (only !== undefined && others.length === 0) {
        const value = this.#valueOf(only);
        if (value?.literal === true && !value.matched && /\s/.test(value.text)) {
          const pieces = value.text.split(/\s+/).filter((piece) => piece !== "");
          return pieces.map((text) => ({ text, literal: true, glob: /[*?[]/.test(text), ending: text }));
        }
        if (value?.text === "") return [];
      }
      return [this.#one(word)];
    });
  }

  #valueOf(part: WordPart | DoubleQuotedChild): Value | null {
    if (part.type === "SimpleExpansion") return this.#values.get(part.text.slice(1)) ?? null;
    if (part.type !== "ParameterExpansion") return null;
    const isPlain = part.prefix === undefined && part.index === undefined && part.operation === undefined;
    return isPlain ? (this.#values.get(part.parameter) ?? null) : null;
  }

  #one(word: Word, choice: string | null = null): ShellWord {
    const out: ShellWord = { text: "", literal: true, glob: false, ending: "" };
    if (word.parts === undefined) return { ...out, text: word.value, ending: word.value };
    for (const part of word.parts) {
      if (part.type === "DoubleQuoted" || part.type === "LocaleString") {
        for (const child of part.parts) this.#add(out, child, true, choice);
        if (part.type === "LocaleString") out.literal = false;
      } else this.#add(out, part, false, choice);
    }
    return out;
  }

  #add(out: ShellWord, part: WordPart | DoubleQuotedChild, quoted: boolean, choice: string | null): void {
    if (part.type === "Literal" || part.type === "SingleQuoted" || part.type === "AnsiCQuoted") {
      append(out, part.value);
    } else if (part.type === "Glob") {
      out.glob = true;
      append(out, part.text);
    } else if (part.type === "BraceExpansion" && choice !== null) {
      append(out, choice);
    } else {
      const value = this.#valueOf(part) ?? temporary(part);
      const splits = value !== null && !quoted && !value.matched && /\s/.test(value.text);
      if (value?.literal === true && !splits) {
        out.glob ||= value.matched || (!quoted && /[*?[]/.test(value.text));
        append(out, value.text);
      } else {
        out.text += part.text;
        out.literal = false;
        out.ending = value?.literal === false ? value.ending : "";
      }
    }
  }
}

/** The name that `$(mktemp)` gives is not told, but it is none of a file that stood there before. */
function temporary(part: WordPart | DoubleQuotedChild): Value | null {
  if (part.type !== "CommandExpansion") return null;
  const [name, ...options] = (/^\$\(([^()]*)\)$/.exec(part.text)?.[1] ?? "").trim().split(/\s+/);
  const isNew = name === "mktemp" && options.every((option) => /^-[dqu]+$/.test(option));
  return isNew ? { text: part.text, literal: false, ending: `/mktemp.${part.pos}`, matched: false } : null;
}

function append(out: ShellWord, text: string): void {
  out.text += text;
  out.ending += text;
}
