import type { ReactNode } from "react";
import { UntrustedText } from "./untrusted-text";

/** What stays in view of a long path: enough for most names of files. */
const END_CHARS = 24;
/** Words that run from right to left have their end elsewhere. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * A path in two parts, so that a narrow place cuts its middle: the name of the file tells more than its folders.
 * @returns the part that may be cut, empty for a short path, and the end
 */
export function splitPath(path: string): { start: string; end: string } {
  if (path.length <= END_CHARS || RIGHT_TO_LEFT.test(path)) return { start: "", end: path };
  const slash = path.lastIndexOf("/");
  let at = path.length - slash <= END_CHARS ? slash : path.length - END_CHARS;
  if (/[\udc00-\udfff]/.test(path.charAt(at))) at -= 1;
  return { start: path.slice(0, at), end: path.slice(at) };
}

/** A path on one line, cut in its middle where there is no room. */
export function PathName({ path }: { path: string }): ReactNode {
  const { start, end } = splitPath(path);
  if (start === "") {
    return (
      <span className="truncate">
        <UntrustedText text={end} />
      </span>
    );
  }
  return (
    <span className="flex min-w-0">
      <span className="truncate">
        <UntrustedText text={start} />
      </span>
      <span className="shrink-0">
        <UntrustedText text={end} />
      </span>
    </span>
  );
}
