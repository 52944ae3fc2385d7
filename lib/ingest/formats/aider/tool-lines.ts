import type { Usage } from "@/lib/trajectory/schema";

/** What aider says about one block that it could not apply, with the lines (0-based) that say it. */
export interface Refusal {
  path: string;
  /** The SEARCH text that it quotes; null where it quotes none. */
  before: string | null;
  lines: number[];
}

/** What aider's own lines say, each with the place of the line among them. */
export interface ToolFacts {
  applied: { path: string; line: number }[];
  /** Files whose edits aider left out, by request or without leave. */
  skipped: { path: string; line: number }[];
  /** Files that did not exist before. */
  created: Set<string>;
  refusals: Refusal[];
  /** The line that says that the other blocks were applied although some were not. */
  othersApplied: number | null;
  /** The line that says that the answer was not what the edit format asks for. */
  malformed: number | null;
  commits: { hash: string; line: number }[];
  /** Commits that aider took back. */
  undone: { hash: string; line: number }[];
  added: string[];
  dropped: string[];
  /** Shell commands that aider ran after it was allowed to. */
  ran: { command: string; line: number }[];
  usages: Usage[];
  /** The cost of the session so far, as last told. */
  sessionCostUsd: number | null;
  models: string[];
  /** The model that writes the answers from here on. */
  mainModel: string | null;
  version: string | null;
  editFormat: string | null;
}

const TOKENS =
  /^Tokens: ([\d.,]+[kM]?) sent(?:, ([\d.,]+[kM]?) cache write)?(?:, ([\d.,]+[kM]?) cache hit)?, ([\d.,]+[kM]?) received\.(?: Cost: \$([\d.,]+) \w+, \$([\d.,]+) session\.)?/;
const MODELS = /^(?:Main model|Models?|Editor model): (\S+)(?:[^,]*? with (?:♾️? *)?([\w-]+) edit format)?/u;
const WEAK = /(?:^Weak model: |, weak model )(\S+)/;

const WANTED = " Do you want to create ";
/** How the lines begin that are read below, and what the others hold that are. */
const TELLING =
  /^(?:A(?:pplied|llow|dded|ider)|C(?:reat|ommit)|Did |Editor|M(?:ain|odel|alformed)|R(?:emoved|un)|Skipping|T(?:he |okens)|Weak|# The)/;
const MENTIONS = [", weak model ", " was reset and removed", WANTED];

/** Reads aider's lines, which are given without their sign and the blanks behind. */
export function readToolLines(lines: readonly string[]): ToolFacts {
  const facts: ToolFacts = {
    applied: [],
    skipped: [],
    created: new Set(),
    refusals: refusalsIn(lines),
    othersApplied: null,
    malformed: null,
    commits: [],
    undone: [],
    added: [],
    dropped: [],
    ran: [],
    usages: [],
    sessionCostUsd: null,
    models: [],
    mainModel: null,
    version: null,
    editFormat: null,
  };
  let mayRun = false;
  for (let line = 0; line < lines.length; line++) {
    const text = lines[line] ?? "";
    // What commands print is most of what aider shows.
    if (!TELLING.test(text) && !MENTIONS.some((words) => text.includes(words))) continue;
    const found = (pattern: RegExp): string | null => pattern.exec(text)?.[1] ?? null;
    const applied = found(/^Applied edit to (.+)$/);
    if (applied !== null) facts.applied.push({ path: applied, line });
    const skipped = found(/^Did not apply edit to (.+?)(?: \(--dry-run\))?$/) ?? found(/^Skipping edits? to (.+)$/);
    if (skipped !== null) facts.skipped.push({ path: skipped, line });
    const created =
      found(/^Allow creation of new file (.+?)\? y/) ?? found(/^Creating empty file (.+)$/) ?? confirmedFile(text);
    if (created !== null) facts.created.add(created);
    const before = lines[line - 1];
    if (before !== undefined && /^Create new file\? .*: y/.test(text)) facts.created.add(before);
    if (/^# The other \d+ SEARCH\/REPLACE blocks? w(?:as|ere) applied successfully/.test(text))
      facts.othersApplied = line;
    if (/^The LLM did not conform to the edit format|^Malformed (?:ORIGINAL\/UPDATE blocks|response)/.test(text)) {
      facts.malformed = line;
    }
    const commit = found(/^Commit ([0-9a-f]{6,40})\b/);
    if (commit !== null) facts.commits.push({ hash: commit, line });
    const undone = found(/^Removed: ([0-9a-f]{6,40})\b/) ?? found(/commit ([0-9a-f]{6,40}) was reset and removed/);
    if (undone !== null) facts.undone.push({ hash: undone, line });
    facts.added.push(...(found(/^Added (.+?) to the chat\.?$/) ?? "").split(/, /).filter((path) => path !== ""));
    facts.dropped.push(...(found(/^Removed (.+?) from the chat\.?$/) ?? "").split(/, /).filter((path) => path !== ""));
    if (/^Run shell commands?\? .*: [ya]/.test(text)) mayRun = true;
    const command = found(/^Running (.+)$/);
    if (mayRun && command !== null) facts.ran.push({ command, line });
    readModels(facts, text);
    readTokens(facts, text);
  }
  return facts;
}

/** The file of a question whether to create it that was answered with yes, null for any other line. */
function confirmedFile(text: string): string | null {
  const asked = text.indexOf(WANTED);
  if (asked === -1) return null;
  const start = asked + WANTED.length;
  const end = text.indexOf("? ", start + 1);
  return end !== -1 && text.lastIndexOf(": y") >= end + 2 ? text.slice(start, end) : null;
}

function readModels(facts: ToolFacts, text: string): void {
  const version = /^Aider v(\S+)/.exec(text);
  if (version) facts.version = version[1] ?? null;
  const model = MODELS.exec(text);
  const weak = WEAK.exec(text)?.[1];
  if (model?.[1] !== undefined) {
    facts.models.push(plainModel(model[1]));
    if (!text.startsWith("Editor")) facts.mainModel = plainModel(model[1]);
  }
  if (weak !== undefined) facts.models.push(plainModel(weak));
  if (model?.[2] !== undefined && !text.startsWith("Editor")) facts.editFormat = model[2];
}

/** Aider puts signs behind a model that has cached prompts or answers without end. */
function plainModel(name: string): string {
  return name.replace(/(?<!,|⚡|♾|\ufe0f)(?:,|⚡|♾|\ufe0f)+$/u, "");
}

function readTokens(facts: ToolFacts, text: string): void {
  const found = TOKENS.exec(text);
  if (!found) return;
  facts.usages.push({
    inputTokens: countIn(found[1]),
    cachedTokens: countIn(found[3]),
    outputTokens: countIn(found[4]),
    costUsd: numberIn(found[5]),
  });
  facts.sessionCostUsd = numberIn(found[6]) ?? facts.sessionCostUsd;
}

/** A count as aider writes it: `5,244`, `1.2k`, `12k`, `1.5M`. */
function countIn(text: string | undefined): number | null {
  if (text === undefined) return null;
  const factor = text.endsWith("k") ? 1_000 : text.endsWith("M") ? 1_000_000 : 1;
  const number = numberIn(text.replace(/[kM]$/, ""));
  return number === null ? null : Math.round(number * factor);
}

function numberIn(text: string | undefined): number | null {
  if (text === undefined) return null;
  const number = Number(text.replaceAll(",", "").replace(/\.$/, ""));
  return Number.isFinite(number) && text !== "" ? number : null;
}

const REFUSED = /^## Search\w+: This SEARCH block failed to exactly match lines in (.+)$/;
const HUNK_REFUSED = /^UnifiedDiff(?:NoMatch|NotUnique): hunk failed to apply!$/;
const HUNK_PATH = /^(.+?) (?:does not contain lines that match|contains multiple sets of lines that match)/;

function refusalsIn(lines: readonly string[]): Refusal[] {
  const refusals: Refusal[] = [];
  for (let n = 0; n < lines.length; n++) {
    const path = REFUSED.exec(lines[n] ?? "")?.[1];
    if (path !== undefined) {
      const head = n + 1;
      const end = endOfQuotation(lines, head);
      if (/^<{5,9} SEARCH/.test(lines[head] ?? "") && end !== null) {
        const quoted = lines.slice(head + 1, end);
        const divider = quoted.findIndex((line) => /^={5,9}$/.test(line));
        const before = quoted.slice(0, divider === -1 ? undefined : divider).join("\n");
        refusals.push({ path, before, lines: range(n, end) });
        n = end;
      } else refusals.push({ path, before: null, lines: [n] });
    } else if (HUNK_REFUSED.test(lines[n] ?? "")) {
      const at = [n + 1, n + 2].find((one) => HUNK_PATH.test(lines[one] ?? ""));
      const named = at === undefined ? undefined : HUNK_PATH.exec(lines[at] ?? "")?.[1];
      if (at !== undefined && named !== undefined) refusals.push({ path: named, before: null, lines: range(n, at) });
    }
  }
  return refusals;
}

/** The last line of a quoted block, null when it has no end before the next one begins. */
function endOfQuotation(lines: readonly string[], head: number): number | null {
  for (let n = head + 1; n < lines.length; n++) {
    if (/^>{5,9} REPLACE/.test(lines[n] ?? "")) return n;
    if (REFUSED.test(lines[n] ?? "")) return null;
  }
  return null;
}

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, n) => first + n);
}
