/**
 * The languages that the editor is given. The name comes from the server, which reads it from the file's ending; anything
 * else is plain text, so that no name from a trace can choose what is loaded (X10).
 */
export const EDITOR_LANGUAGES = [
  "c",
  "cpp",
  "csharp",
  "css",
  "dockerfile",
  "go",
  "html",
  "ini",
  "java",
  "javascript",
  "kotlin",
  "markdown",
  "php",
  "python",
  "ruby",
  "rust",
  "scala",
  "shell",
  "sql",
  "swift",
  "typescript",
  "xml",
  "yaml",
] as const;

/** The language when the editor knows it, else plain text. */
export function editorLanguage(name: string): string {
  return EDITOR_LANGUAGES.find((language) => language === name) ?? "plaintext";
}
