import type { editor } from "monaco-editor/editor";

/** A token of the page's style as the editor wants it: six hex digits. Builds shorten `#ffffff` to `#fff`. */
export function editorColour(value: string): string {
  const text = value.trim().toLowerCase();
  if (/^#[0-9a-f]{6}$/.test(text)) return text;
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/.exec(text);
  if (short)
    return `#${short
      .slice(1)
      .map((digit) => digit + digit)
      .join("")}`;
  return "#808080";
}

/** The editor in the colours of the page, read from the tokens of the theme that is on. */
export function editorTheme(styles: CSSStyleDeclaration, isDark: boolean): editor.IStandaloneThemeData {
  const of = (token: string) => editorColour(styles.getPropertyValue(token));
  const bare = (token: string) => of(token).slice(1);
  return {
    base: isDark ? "vs-dark" : "vs",
    inherit: false,
    rules: [
      { token: "", foreground: bare("--fg") },
      { token: "keyword", foreground: bare("--code-key"), fontStyle: "bold" },
      { token: "string", foreground: bare("--code-str") },
      { token: "comment", foreground: bare("--code-com") },
    ],
    colors: {
      "editor.background": of("--bg"),
      "editor.foreground": of("--fg"),
      "editorGutter.background": of("--bg"),
      "editorLineNumber.foreground": of("--fg-3"),
      "editorLineNumber.activeForeground": of("--fg-2"),
      "editor.lineHighlightBackground": "#00000000",
      "editor.lineHighlightBorder": "#00000000",
      "editor.selectionBackground": of("--accent-bg"),
      "editor.inactiveSelectionBackground": of("--bg-3"),
      "editor.findMatchBackground": of("--accent-line"),
      "editor.findMatchHighlightBackground": of("--accent-bg"),
      "editorIndentGuide.background1": "#00000000",
      "editorIndentGuide.activeBackground1": "#00000000",
      "editorWidget.background": of("--float"),
      "editorWidget.border": of("--line-2"),
      "editorWidget.foreground": of("--fg"),
      "input.background": of("--bg"),
      "input.foreground": of("--fg"),
      "input.border": of("--line-2"),
      focusBorder: of("--focus"),
      "diffEditor.insertedLineBackground": of("--add-bg"),
      "diffEditor.insertedTextBackground": of("--add-hi"),
      "diffEditor.removedLineBackground": of("--del-bg"),
      "diffEditor.removedTextBackground": of("--del-hi"),
      "diffEditor.diagonalFill": of("--bg-2"),
      "diffEditor.border": of("--line"),
      "diffEditor.unchangedRegionBackground": of("--bg-2"),
      "diffEditor.unchangedRegionForeground": of("--fg-3"),
      "diffEditor.unchangedRegionShadow": "#00000000",
      "diffEditor.unchangedCodeBackground": "#00000000",
      "diffEditorGutter.insertedLineBackground": of("--add-bg"),
      "diffEditorGutter.removedLineBackground": of("--del-bg"),
      "scrollbar.shadow": "#00000000",
      "scrollbarSlider.background": `${of("--line-3")}40`,
      "scrollbarSlider.hoverBackground": `${of("--line-3")}80`,
      "scrollbarSlider.activeBackground": `${of("--line-3")}a0`,
      ...Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`editorBracketHighlight.foreground${n}`, of("--fg")])),
      "editorBracketHighlight.unexpectedBracket.foreground": of("--fg"),
      "editorUnicodeHighlight.border": of("--line-3"),
      "editorUnicodeHighlight.background": of("--bg-3"),
      "widget.shadow": "#00000000",
    },
  };
}
