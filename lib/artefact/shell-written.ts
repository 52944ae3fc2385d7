import { opaqueWrite, type ShellWrite } from "./shell-surroundings";
import type { Redirection } from "./shell-syntax";

/** The text of a here-document among redirections, for showing; null when there is none. */
export function documentOf(redirections: readonly Redirection[]): string | null {
  return redirections.find((one) => one.document !== null)?.document?.text ?? null;
}

/** Whether something stays of what goes to a path: to terminals and to nowhere nothing does. */
export function isFile(path: string): boolean {
  return (
    path !== "" && path !== "-" && !/^\/dev\/(?:null|stdout|stderr|stdin|tty|fd\b)/.test(path) && !/^&?\d$/.test(path)
  );
}

/**
 * The write of a text that a command prints into a file, opaque when the text is not told.
 * @param shown its here-document, for showing
 */
export function written(
  path: string,
  text: string | null,
  appends: boolean,
  name: string,
  shown: string | null,
): ShellWrite {
  const fragment = { before: null, after: text ?? shown, startLine: appends ? null : 1 };
  if (text === null) {
    const why = shown === null ? `what ${name} prints is not told` : "the shell fills something into the here-document";
    return { ...opaqueWrite(path, why), fragment: shown === null ? null : fragment };
  }
  if (appends) return { path, operation: "append", effect: { kind: "append", text }, fragment, opaque: null };
  return { path, operation: "overwrite", effect: { kind: "write", text, mustBeNew: false }, fragment, opaque: null };
}
