import { distinctiveSecrets, knownReplacements } from "@/lib/redact/known-secrets";
import { type NameSecret, numberSecrets, secretReplacements } from "@/lib/redact/redact";
import { type Replacement, replaceAt } from "@/lib/redact/replacements";
import type { ContextItem, Item, Trajectory } from "@/lib/trajectory/schema";
import { type TextField, textOf } from "@/lib/trajectory/texts";

/** A range of UTF-16 units, `end` exclusive. */
export interface TextRange {
  start: number;
  end: number;
}

/** A text as a model may see it. Masks keep line breaks, so lines have the numbers that they have in the original. */
export interface MaskedText {
  text: string;
  original: string;
  /** Where a range of `text` stands in the original; null when it touches a mask. */
  originalRange(range: TextRange): TextRange | null;
  /** Where a range of the original stands in `text`; ends inside a mask move to the mask's own ends. */
  maskedRange(range: TextRange): TextRange;
}

/** The masked texts of one trajectory, with one naming of secrets. */
export interface MaskedTrajectory {
  /** Null when the item has no such text. */
  textOf(item: Item, field: TextField): MaskedText | null;
  contextText(context: ContextItem): MaskedText;
  /** Masks any other whole text: a report, a file's content. Mask first and cut afterwards. */
  mask(text: string): MaskedText;
}

/** Masks that were put in one after the other: first what rules find, then what was known for a secret elsewhere. */
type Layer = readonly Replacement[];

/**
 * Masks the texts of a trajectory for a model (security test M7). Every text is read once for its secrets before the first
 * one is given out: equal secrets have equal names wherever they stand, in the order of the trace and not in the order of
 * asking, and a password that is known for one by the words around it is masked without them too.
 * @param besides what a model will see besides the trace, such as the failing report; its secrets count as known too.
 */
export function maskTrajectory(trajectory: Trajectory, besides: readonly string[] = []): MaskedTrajectory {
  const number = numberSecrets();
  const met = new Map<string, string>();
  const name: NameSecret = (family, secret, written) => {
    const made = number(family, secret, written);
    for (const one of [secret, written]) met.set(one, `[redacted:${made}]`);
    return made;
  };
  const byRules = new Map<string, Layer>();
  const rulesOn = (text: string): Layer => {
    const known = byRules.get(text);
    if (known !== undefined) return known;
    const found = secretReplacements(text, name);
    // Most texts hold no secret; only what was found is worth remembering.
    if (found.length > 0) byRules.set(text, found);
    return found;
  };
  for (const text of textsOf(trajectory)) rulesOn(text);
  for (const text of besides) rulesOn(text);
  const findKnown = knownReplacements(distinctiveSecrets(met));

  const mask = (text: string): MaskedText => {
    const rules = rulesOn(text);
    const masked = replaceAt(text, rules);
    return maskedText(text, [rules, findKnown(masked)]);
  };
  const kept = new Map<string, MaskedText>();
  const once = (key: string, text: string): MaskedText => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = mask(text);
    kept.set(key, made);
    return made;
  };
  return {
    mask,
    contextText: (context) => once(`context ${context.id}`, context.text),
    textOf: (item, field) => {
      const text = textOf(item, field);
      return text === null ? null : once(`${field} ${item.id}`, text);
    },
  };
}

/** A text with the masks of every layer in it; each layer's places count in the text that the one before it made. */
function maskedText(original: string, layers: readonly Layer[]): MaskedText {
  return {
    original,
    text: layers.reduce(replaceAt, original),
    originalRange: (range) =>
      layers.reduceRight<TextRange | null>((at, layer) => (at === null ? null : before(layer, at)), range),
    maskedRange: (range) => layers.reduce((at, layer) => after(layer, at), range),
  };
}

/** A range behind a layer, as it was before the layer. Null when it holds a part of a mask. */
function before(layer: Layer, { start, end }: TextRange): TextRange | null {
  let shift = 0;
  for (const { start: from, end: to, text } of layer) {
    const [maskStart, maskEnd] = [from + shift, from + shift + text.length];
    if (end <= maskStart) break;
    if (start < maskEnd) return null;
    shift += text.length - (to - from);
  }
  return { start: start - shift, end: end - shift };
}

/** A range before a layer, as it is behind it. */
function after(layer: Layer, { start, end }: TextRange): TextRange {
  const move = (at: number, isEnd: boolean): number => {
    let shift = 0;
    for (const { start: from, end: to, text } of layer) {
      if (at <= from) break;
      if (at < to) return from + shift + (isEnd ? text.length : 0);
      shift += text.length - (to - from);
    }
    return at + shift;
  };
  return { start: move(start, false), end: move(end, true) };
}

function* textsOf(trajectory: Trajectory): Generator<string> {
  for (const entry of trajectory.entries) {
    if (entry.kind === "context") {
      yield entry.text;
      continue;
    }
    for (const item of entry.items) {
      for (const field of ["text", "arguments"] as const) {
        const text = textOf(item, field);
        if (text !== null) yield text;
      }
    }
  }
  if (trajectory.task.statement !== null) yield trajectory.task.statement;
  if (trajectory.deliveredPatch !== null) yield trajectory.deliveredPatch;
}
