/**
 * Names of editor languages by file extension: our own list, so that nothing a trace says chooses a language. The names
 * are those of the editor's built-in grammars; everything else is plain text.
 */
const BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  Object.entries({
    bat: "bat",
    c: "cpp",
    cc: "cpp",
    cfg: "ini",
    cjs: "javascript",
    clj: "clojure",
    cmd: "bat",
    coffee: "coffeescript",
    cpp: "cpp",
    cs: "csharp",
    css: "css",
    cts: "typescript",
    cxx: "cpp",
    dart: "dart",
    dockerfile: "dockerfile",
    ex: "elixir",
    exs: "elixir",
    fs: "fsharp",
    go: "go",
    gql: "graphql",
    graphql: "graphql",
    h: "cpp",
    hbs: "handlebars",
    hcl: "hcl",
    hh: "cpp",
    hpp: "cpp",
    htm: "html",
    html: "html",
    ini: "ini",
    java: "java",
    jl: "julia",
    js: "javascript",
    json: "json",
    jsonl: "json",
    jsx: "javascript",
    kt: "kotlin",
    kts: "kotlin",
    less: "less",
    lua: "lua",
    m: "objective-c",
    markdown: "markdown",
    md: "markdown",
    mdx: "markdown",
    mjs: "javascript",
    mts: "typescript",
    php: "php",
    pl: "perl",
    pm: "perl",
    proto: "protobuf",
    ps1: "powershell",
    py: "python",
    pyi: "python",
    pyx: "python",
    r: "r",
    rb: "ruby",
    rs: "rust",
    rst: "restructuredtext",
    scala: "scala",
    scss: "scss",
    sh: "shell",
    bash: "shell",
    sol: "sol",
    sql: "sql",
    svg: "xml",
    swift: "swift",
    tcl: "tcl",
    tf: "hcl",
    toml: "ini",
    ts: "typescript",
    tsx: "typescript",
    vb: "vb",
    xml: "xml",
    yaml: "yaml",
    yml: "yaml",
    zsh: "shell",
  }),
);

const BY_NAME: ReadonlyMap<string, string> = new Map([
  ["dockerfile", "dockerfile"],
  ["containerfile", "dockerfile"],
  ["gemfile", "ruby"],
  ["rakefile", "ruby"],
  [".bashrc", "shell"],
  [".gitconfig", "ini"],
]);

export const PLAIN_TEXT = "plaintext";

/** The editor's language for a file, by its name or extension; `plaintext` for everything that is not on our list. */
export function languageOf(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1).toLowerCase();
  const byName = BY_NAME.get(name);
  if (byName !== undefined) return byName;
  const dot = name.lastIndexOf(".");
  return (dot < 0 ? undefined : BY_EXTENSION.get(name.slice(dot + 1))) ?? PLAIN_TEXT;
}
