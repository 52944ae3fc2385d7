/** True when the tool left something of its output out. A window on a file leaves nothing out: it says what it shows. */
export function isCut(observation: string): boolean {
  // `includes` looks through a long text several times faster than a pattern.
  if (observation.includes("<response clipped>") || observation.includes("characters elided")) return true;
  return (
    observation.includes("... eliding lines ") && /^ *\d* ?\.\.\. eliding lines \d+-\d+ \.\.\.$/m.test(observation)
  );
}

/** What the tool's own words say about success; null when they say nothing (a shell command gives no exit code). */
export function saysFailed(observation: string): boolean | null {
  const head = observation.slice(0, LOOKED_AT);
  if (FAILED_WORDS.some((words) => head.includes(words)) && FAILED.test(head)) return true;
  if (!WORKED_WORDS.some((words) => observation.includes(words))) return null;
  return WORKED.test(observation) ? false : null;
}

/** How much of an answer is looked at for a failure. */
const LOOKED_AT = 4_000;
const FAILED =
  /introduced new syntax error|edit was not applied|No replacement was performed|No file open|^Usage: |^ERROR: |Invalid `\w+` parameter|timed out after|TIMED OUT|is not supported by this environment|^Error: |can't be found|^bash: .*command not found/m;
/**
 * One of these stands wherever FAILED matches. Each begins with a letter or sign that is rare in what tools print: a search
 * skips to the first sign of its words, so together they take half the time of the pattern.
 */
const FAILED_WORDS = [
  ...["x error", "was not applied", "No replacement", "No file open", "Usage: ", "ERROR: ", "Invalid `"],
  ...["med out after", "TIMED OUT", "vironment", "Error: ", "'t be found", "bash: "],
];
const WORKED =
  /^File updated\. Please review|^Text replaced\. Please review|^File created successfully at|has been edited\. Here's|^Last edit to .* undone successfully/m;
/** One of these stands wherever WORKED matches; they are looked for first, because that is several times faster. */
const WORKED_WORDS = [". Please review", "File created successfully at", "has been edited. Here's", "Last edit to "];
