/** A stretch of one line of code with its kind. */
export interface CodeToken {
  text: string;
  kind: "plain" | "keyword" | "string" | "comment";
}

interface Syntax {
  keywords: ReadonlySet<string>;
  lineComment: string | null;
  quotes: string;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const PYTHON: Syntax = {
  keywords: words(
    "and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield None True False match case",
  ),
  lineComment: "#",
  quotes: "\"'",
};
const SCRIPT: Syntax = {
  keywords: words(
    "async await break case catch class const continue default delete do else export extends finally for from function if implements import in instanceof interface let new null of return static super switch this throw true false try type typeof undefined var void while yield",
  ),
  lineComment: "//",
  quotes: "\"'`",
};
const C_LIKE: Syntax = {
  keywords: words(
    "abstract auto bool break case catch char class const continue default defer do double else enum extern false final finally float fn for func go goto if impl implements import int interface let long match mod mut namespace new nil null package private protected pub public return short sizeof static struct super switch template this throw throws trait true try type typedef union unsigned use using var virtual void volatile where while",
  ),
  lineComment: "//",
  quotes: "\"'",
};
const SHELL: Syntax = {
  keywords: words("case do done elif else esac exit export fi for function if in local return then until while"),
  lineComment: "#",
  quotes: "\"'",
};
const RUBY: Syntax = {
  keywords: words(
    "alias and begin break case class def do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield require",
  ),
  lineComment: "#",
  quotes: "\"'",
};

const SYNTAX = new Map<string, Syntax>(
  Object.entries({
    python: PYTHON,
    javascript: SCRIPT,
    typescript: SCRIPT,
    java: C_LIKE,
    go: C_LIKE,
    rust: C_LIKE,
    c: C_LIKE,
    cpp: C_LIKE,
    csharp: C_LIKE,
    kotlin: C_LIKE,
    swift: C_LIKE,
    php: C_LIKE,
    scala: C_LIKE,
    shell: SHELL,
    ruby: RUBY,
  }),
);

/** Lines longer than this are shown without colours. */
const LINE_MAX_CHARS = 2_000;
const IS_WORD = /[\p{L}\p{N}_$]/u;

/**
 * Keywords, strings and comments of one line, for the plain view. It looks at one line at a time, so the inside of a
 * text over several lines stays plain: the editor knows more. Linear in the line.
 */
export function codeTokens(line: string, language: string): CodeToken[] {
  const syntax = SYNTAX.get(language);
  if (!syntax || line.length > LINE_MAX_CHARS) return line === "" ? [] : [{ text: line, kind: "plain" }];
  const tokens: CodeToken[] = [];
  let plain = "";
  const push = (text: string, kind: CodeToken["kind"]) => {
    if (plain !== "") tokens.push({ text: plain, kind: "plain" });
    plain = "";
    if (text !== "") tokens.push({ text, kind });
  };
  let i = 0;
  while (i < line.length) {
    const character = line[i] ?? "";
    if (syntax.lineComment !== null && line.startsWith(syntax.lineComment, i)) {
      push(line.slice(i), "comment");
      return tokens;
    }
    if (syntax.quotes.includes(character)) {
      let end = i + 1;
      while (end < line.length && line[end] !== character) end += line[end] === "\\" ? 2 : 1;
      push(line.slice(i, Math.min(end + 1, line.length)), "string");
      i = Math.min(end + 1, line.length);
    } else if (IS_WORD.test(character)) {
      let end = i + 1;
      while (end < line.length && IS_WORD.test(line[end] ?? "")) end++;
      const word = line.slice(i, end);
      if (syntax.keywords.has(word)) push(word, "keyword");
      else plain += word;
      i = end;
    } else {
      plain += character;
      i++;
    }
  }
  push("", "plain");
  return tokens;
}
