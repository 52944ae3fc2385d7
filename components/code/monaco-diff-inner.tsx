"use client";

import * as monaco from "monaco-editor/editor";
import "monaco-editor/features/codicon/register";
import "monaco-editor/features/diffEditor/register";
import "monaco-editor/features/find/register";
import "monaco-editor/features/longLinesHelper/register";
import "monaco-editor/features/unicodeHighlighter/register";
import "monaco-editor/languages/definitions/cpp/register";
import "monaco-editor/languages/definitions/csharp/register";
import "monaco-editor/languages/definitions/css/register";
import "monaco-editor/languages/definitions/dockerfile/register";
import "monaco-editor/languages/definitions/go/register";
import "monaco-editor/languages/definitions/html/register";
import "monaco-editor/languages/definitions/ini/register";
import "monaco-editor/languages/definitions/java/register";
import "monaco-editor/languages/definitions/javascript/register";
import "monaco-editor/languages/definitions/kotlin/register";
import "monaco-editor/languages/definitions/markdown/register";
import "monaco-editor/languages/definitions/php/register";
import "monaco-editor/languages/definitions/python/register";
import "monaco-editor/languages/definitions/ruby/register";
import "monaco-editor/languages/definitions/rust/register";
import "monaco-editor/languages/definitions/scala/register";
import "monaco-editor/languages/definitions/shell/register";
import "monaco-editor/languages/definitions/sql/register";
import "monaco-editor/languages/definitions/swift/register";
import "monaco-editor/languages/definitions/typescript/register";
import "monaco-editor/languages/definitions/xml/register";
import "monaco-editor/languages/definitions/yaml/register";
import "./editor.css";
import { useTheme } from "next-themes";
import { type ReactNode, useEffect, useRef } from "react";
import type { CodeView } from "@/lib/views/code";
import { blameLabel, type PointedLine } from "./code-text";
import { editorLanguage } from "./languages";
import { editorTheme } from "./monaco-theme";
import type { LineStretch, WrittenOut } from "./written-out";

const FONT_NAMES = ["--font-mono-latin", "--font-mono-whole"];

declare global {
  interface Window {
    MonacoEnvironment?: monaco.Environment;
  }
}

if (typeof window !== "undefined") {
  window.MonacoEnvironment = {
    getWorker: () => new Worker(new URL("./monaco.worker.ts", import.meta.url), { type: "module" }),
  };
}

export interface MonacoDiffProps {
  before: WrittenOut;
  after: WrittenOut;
  language: string;
  blame: CodeView["blame"];
  /** 1-based line of the right side to show. */
  target: number | null;
  pointed: PointedLine | null;
  isSideBySide: boolean;
  onReady: () => void;
}

/** Who wrote a line, on the first line of each run; the number is always there. */
function lineNumbers(blame: CodeView["blame"]): (line: number) => string {
  const firsts = new Map(blame.map((run) => [run.startLine, blameLabel(run.turn, run.uncertain)]));
  return (line) => `${(firsts.get(line) ?? "").padEnd(6, "\u00a0")} ${line}`;
}

/** Boxes around what was written out, as around the control characters that the editor writes out itself. */
function writtenOutMarks(stretches: readonly LineStretch[]): monaco.editor.IModelDeltaDecoration[] {
  return stretches.map(({ line, startColumn, endColumn }) => ({
    range: new monaco.Range(line, startColumn, line, endColumn),
    options: { inlineClassName: "code-written-out" },
  }));
}

/** The editor's comparison of two texts, read-only, in the colours of the page. */
export default function MonacoDiffInner({
  before,
  after,
  language,
  blame,
  target,
  pointed,
  isSideBySide,
  onReady,
}: MonacoDiffProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const { resolvedTheme } = useTheme();
  const isDark = resolvedTheme === "dark";
  const ready = useRef(onReady);
  ready.current = onReady;

  useEffect(() => {
    monaco.editor.defineTheme("misstep", editorTheme(getComputedStyle(document.documentElement), isDark));
    monaco.editor.setTheme("misstep");
  }, [isDark]);

  const pointedLine = pointed?.line ?? null;
  const pointedBy = pointed?.by ?? "address";
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const style = getComputedStyle(document.documentElement);
    const family = FONT_NAMES.map((font) => style.getPropertyValue(font).trim()).join(", ");
    const name = editorLanguage(language);
    const original = monaco.editor.createModel(before.text, name);
    const modified = monaco.editor.createModel(after.text, name);
    const editor = monaco.editor.createDiffEditor(element, {
      theme: "misstep",
      readOnly: true,
      domReadOnly: true,
      automaticLayout: true,
      renderSideBySide: isSideBySide,
      useInlineViewWhenSpaceIsLimited: false,
      hideUnchangedRegions: { enabled: true, contextLineCount: 4, minimumLineCount: 6, revealLineCount: 40 },
      renderOverviewRuler: false,
      renderMarginRevertIcon: false,
      renderGutterMenu: false,
      originalEditable: false,
      diffWordWrap: "on",
      wordWrap: "on",
      wrappingIndent: "deepIndent",
      minimap: { enabled: false },
      scrollBeyondLastLine: false,
      fontSize: 12,
      lineHeight: 20,
      fontLigatures: false,
      fontFamily: family === "" ? "monospace" : `${family}, monospace`,
      lineNumbersMinChars: 4,
      glyphMargin: false,
      folding: false,
      lineDecorationsWidth: 14,
      contextmenu: false,
      links: false,
      occurrencesHighlight: "off",
      selectionHighlight: false,
      matchBrackets: "never",
      bracketPairColorization: { enabled: false },
      renderLineHighlight: "none",
      guides: { indentation: false },
      unicodeHighlight: {
        ambiguousCharacters: false,
        invisibleCharacters: true,
        includeComments: true,
        includeStrings: true,
      },
      renderControlCharacters: true,
      stickyScroll: { enabled: false },
      overviewRulerLanes: 0,
      scrollbar: { alwaysConsumeMouseWheel: false, verticalScrollbarSize: 10, horizontalScrollbarSize: 10 },
      padding: { top: 0, bottom: 0 },
      accessibilityVerbose: false,
      originalAriaLabel: "File before",
      modifiedAriaLabel: "File after",
      ariaLabel: "Comparison of the file before and after",
    });
    editor.getModifiedEditor().updateOptions({ lineNumbers: lineNumbers(blame), lineNumbersMinChars: 11 });
    editor.setModel({ original, modified });
    original.deltaDecorations([], writtenOutMarks(before.stretches));
    modified.deltaDecorations([], writtenOutMarks(after.stretches));
    const marks = editor.getModifiedEditor().createDecorationsCollection(
      pointedLine === null
        ? []
        : [
            {
              range: new monaco.Range(pointedLine, 1, pointedLine, 1),
              options: { isWholeLine: true, className: `code-pointed code-pointed-${pointedBy}` },
            },
          ],
    );
    let isFirst = true;
    const reveal = () => {
      const line = target ?? editor.getLineChanges()?.[0]?.modifiedStartLineNumber ?? 1;
      editor.getModifiedEditor().revealLineInCenter(Math.max(1, line), monaco.editor.ScrollType.Immediate);
    };
    const update = editor.onDidUpdateDiff(() => {
      element.setAttribute("data-changes", String(editor.getLineChanges()?.length ?? 0));
      if (!isFirst) return;
      isFirst = false;
      reveal();
      ready.current();
    });
    // In one column the editor is made while its pane is hidden and has no height to scroll in.
    let wasHidden = element.clientHeight === 0;
    const layout = editor.getModifiedEditor().onDidLayoutChange((info) => {
      if (wasHidden && info.height > 0 && element.clientHeight > 0) reveal();
      wasHidden = element.clientHeight === 0;
    });
    return () => {
      update.dispose();
      layout.dispose();
      marks.clear();
      editor.dispose();
      original.dispose();
      modified.dispose();
    };
  }, [before, after, language, blame, target, pointedLine, pointedBy, isSideBySide]);

  return <div ref={box} data-testid="monaco-diff" data-editor="" data-own-keys="" className="size-full" />;
}
