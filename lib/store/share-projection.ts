import { createHmac } from "node:crypto";
import { type KnownMask, knownMask } from "@/lib/redact/known-secrets";
import { redact } from "@/lib/redact/redact";
import { mapStrings } from "./answer-size";
import { parseJson } from "./own-json";
import type { ReadScope } from "./scope";
import { type PartMask, partMask } from "./secret-parts";

/**
 * What every text passes between the tables and an answer. For a project it changes nothing; for a share it masks
 * secrets. This file is the one place where that happens (security test A10):
 *
 * 1. A text is masked as a whole, and cut into heads, tails and pieces afterwards, so that a secret across a border is
 *    masked too.
 * 2. What was made from a text before (a quotation, a reason, the two sides of an edit) may hold a part of a secret that
 *    no rule knows any more; `part` masks such parts with what the whole texts showed.
 * 3. Every string of every answer passes `view` at the end, whatever it is: names, titles, paths, notes.
 * 4. What was known for a secret anywhere in the import is masked everywhere, also without the words that showed it.
 *
 * Masks keep line breaks, so that line numbers, blame and diffs stay true.
 */
export interface Projection {
  readonly isShared: boolean;
  /** Masks a whole text. */
  whole(text: string): string;
  /** Masks the JSON text of a call's arguments: its strings as they are meant, then the JSON as it is written. */
  argumentsText(json: string): string;
  /** Masks a text that was cut out of others, whose wholes went through this projection before. */
  part(text: string): string;
  /** Masks every string of an answer. */
  view<T>(view: T): T;
  /** A projection with the same names for secrets that has met none yet. */
  fork(): Projection;
  /** The secrets met so far, with their masks. */
  met(): ReadonlyMap<string, string>;
  /** Takes over secrets that another projection of the same share met. */
  remember(secrets: ReadonlyMap<string, string>): void;
}

const NONE: ReadonlyMap<string, string> = new Map();

/**
 * The projection for one request. What it learns about secrets stays in it.
 * @param known secrets of the import with their masks, from secretsOfImport; nothing for an owner.
 */
export function projectionOf(scope: ReadScope, known = NONE): Projection {
  return scope.kind === "share" ? new ShareProjection(scope.maskKey, known, knownMask(known)) : OWNER;
}

const OWNER: Projection = {
  isShared: false,
  whole: (text) => text,
  argumentsText: (json) => json,
  part: (text) => text,
  view: (view) => view,
  fork: () => OWNER,
  met: () => NONE,
  remember: () => undefined,
};

/** Enough to tell the secrets of one run apart, too few to say anything about them. */
const TAG_CHARS = 4;

class ShareProjection implements Projection {
  readonly isShared = true;
  private readonly secrets: Map<string, string>;
  private parts: { size: number; mask: PartMask } | null = null;

  constructor(
    private readonly maskKey: string,
    private readonly known: ReadonlyMap<string, string>,
    private readonly maskKnown: KnownMask,
  ) {
    this.secrets = new Map(known);
  }

  whole(text: string): string {
    return this.maskKnown(redact(text, (family, secret, written) => this.name(family, secret, written)).text);
  }

  argumentsText(json: string): string {
    const parsed = parseJson(json);
    if (parsed === undefined) return this.whole(json);
    return this.whole(
      JSON.stringify(
        mapJson(parsed, (text) => this.whole(text)),
        null,
        2,
      ),
    );
  }

  part(text: string): string {
    const masked = this.whole(text);
    if (this.secrets.size === 0) return masked;
    // Secrets are only ever added, so their number says whether the mask knows them all.
    if (this.parts?.size !== this.secrets.size) {
      this.parts = { size: this.secrets.size, mask: partMask(this.secrets) };
    }
    return this.parts.mask(masked);
  }

  view<T>(view: T): T {
    return mapStrings(view, (text) => this.whole(text));
  }

  fork(): Projection {
    return new ShareProjection(this.maskKey, this.known, this.maskKnown);
  }

  met(): ReadonlyMap<string, string> {
    return this.secrets;
  }

  remember(secrets: ReadonlyMap<string, string>): void {
    for (const [secret, mask] of secrets) this.secrets.set(secret, mask);
  }

  /** Equal secrets get equal names inside one share. Keyed, so that a short secret cannot be found by trying. */
  private name(family: string, secret: string, written: string): string {
    const tag = createHmac("sha256", this.maskKey).update(secret, "utf8").digest("hex").slice(0, TAG_CHARS);
    const name = `${family}#${tag}`;
    this.secrets.set(secret, `[redacted:${name}]`);
    this.secrets.set(written, `[redacted:${name}]`);
    return name;
  }
}

/** Every string and every key of a JSON value passed through `change`. */
function mapJson(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((entry: unknown) => mapJson(entry, change));
  if (value !== null && typeof value === "object") {
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [change(key), mapJson(entry, change)]));
  }
  return value;
}
