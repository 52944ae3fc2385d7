import type { RuleSavings, RunFolding } from "@/lib/views/fold";
import type { FoldMode } from "./address";
import { formatCount, formatPlural } from "./numbers";

/** Rounded down, so that 100 % means all of it. The space does not break. */
function percent(part: number, whole: number): string {
  if (whole === 0 || part <= 0) return "0\u00a0%";
  const share = (part / whole) * 100;
  return share < 1 ? "under 1\u00a0%" : `${Math.floor(share)}\u00a0%`;
}

/** "Folded 12 of 40 observations: 310,402 of 402,110 characters (77 %), about 77,601 tokens." */
export function savingsSentence({ savings, charsPerToken }: RunFolding, rule: RuleSavings): string {
  if (savings.observations === 0) return "There are no observations to fold.";
  const count = `${formatCount(rule.observations)} of ${formatPlural(savings.observations, "observation")}`;
  const chars = `${formatCount(rule.foldedChars)} of ${formatPlural(savings.observationChars, "character")}`;
  const tokens = formatPlural(Math.round(rule.foldedChars / charsPerToken), "token");
  return `Folded ${count}: ${chars} (${percent(rule.foldedChars, savings.observationChars)}), about ${tokens}.`;
}

/** What that comes to in the whole trajectory, less the placeholders that take the place of what is folded. */
export function savingsNet({ savings, charsPerToken }: RunFolding, rule: RuleSavings): string {
  const net = rule.foldedChars - rule.placeholderChars;
  const whole = `the whole trajectory’s ${formatPlural(savings.wholeChars, "character")}`;
  const placeholders = `${formatPlural(rule.placeholderChars, "character")} of placeholders`;
  const tokens = formatPlural(Math.round(Math.abs(net) / charsPerToken), "token");
  if (net < 0) return `With ${placeholders} it adds about ${tokens} to ${whole}.`;
  return `Less ${placeholders}, it saves ${percent(net, savings.wholeChars)} of ${whole}, about ${tokens}.`;
}

/** The same in a word, of all results of the run: "77 % of results folded". */
export function savingsShort({ savings }: RunFolding, mode: FoldMode): string {
  const rule = mode === "paper" ? savings.paper : savings.parts;
  if (mode === "off" || rule.observations === 0) return "Nothing folded";
  return `${percent(rule.foldedChars, savings.observationChars)} of results folded`;
}
