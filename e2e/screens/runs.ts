import { traceOf } from "../forensics/runs";

/** Runs whose look is hard, in the shape of SWE-agent 1.x. `marker` makes their bytes their own. */

const read = (file: string, observation: string, thought = `Look at ${file}.`) => ({
  thought,
  action: `cat ${file}`,
  observation,
});
const created = (file: string, text: string, thought: string) => ({
  thought,
  action: `str_replace_editor create ${file} --file_text '${text}'`,
  observation: `File created successfully at: ${file}\n`,
});
const submit = { thought: "This is all.", action: "submit", observation: "" };

/** One turn, and nothing else. */
export const oneTurn = (marker: string): string => traceOf([submit], { marker, task: "Do nothing at all." });

const rows = (count: number, what: string): string =>
  Array.from({ length: count }, (_, i) => `[${what}] step ${i + 1} of ${count} is done\n`).join("");

/** A failed test in the middle of a log: what is around it is folded. */
export const foldedLog = (marker: string): string =>
  traceOf(
    [
      {
        thought: "Run the tests.",
        action: "python -m pytest tests",
        observation: `${rows(70, "collect")}ConnectionRefusedError: [Errno 111] Connection refused\n${rows(60, "teardown")}1 failed, 3 passed in 5.01s\n`,
      },
      submit,
    ],
    { marker, task: "The harbour bell cannot reach its clock." },
  );

/** Reads and searches only: no file is written, and no rule finds a turn to name. */
export const readOnly = (marker: string): string =>
  traceOf(
    [read("README.md", "# Tide tables\n"), { thought: "Who calls it?", action: "grep -rn tide .", observation: "" }],
    {
      marker,
      task: "Explain how the tide tables are made.",
    },
  );

/** A file that a script may have changed, one of which only some lines were seen, and one that was deleted. */
export const unsureFiles = (marker: string): string =>
  traceOf(
    [
      {
        thought: "Only the middle of it.",
        action: "str_replace_editor view /work/tide/src/harmonics.py --view_range 40 42",
        observation:
          "Here's the result of running `cat -n` on /work/tide/src/harmonics.py:\n    40\tdef phase(t):\n    41\t    return OMEGA * t\n    42\t\n",
      },
      {
        thought: "Shift the phase by a quarter.",
        action:
          "str_replace_editor str_replace /work/tide/src/harmonics.py --old_str 'OMEGA * t' --new_str 'OMEGA * t + QUARTER'",
        observation:
          "The file /work/tide/src/harmonics.py has been edited. Here's the result of running `cat -n` on a snippet of /work/tide/src/harmonics.py:\n    40\tdef phase(t):\n    41\t    return OMEGA * t + QUARTER\n    42\t\nReview the changes and make sure they are as expected. Edit the file again if necessary.",
      },
      created("/work/tide/fix.py", "print(1)\n", "A script that rewrites the constants."),
      { thought: "Run it on the module.", action: "python fix.py src/harmonics.py", observation: "1\n" },
      { thought: "Replace it everywhere.", action: "sed -i s/QUARTER/HALF/ src/harmonics.py", observation: "" },
      { thought: "Tidy up.", action: "rm fix.py", observation: "" },
      submit,
    ],
    { marker, task: "The high water comes three hours early." },
  );

const LONG_NAME = `${"a_rather_long_component_of_a_generated_path_".repeat(6)}with_its_meaning_at_the_end`;

/** A path whose last part is close to 300 characters, under folders that are long too. */
export const longNames = (marker: string): string =>
  traceOf(
    [
      created(`/work/tide/packages/generated/interfaces/${LONG_NAME}.py`, "TIDE = 1\n", `Write ${LONG_NAME}.py.`),
      read(`packages/generated/interfaces/${LONG_NAME}.py`, "TIDE = 1\n"),
      submit,
    ],
    { marker, task: "Generate the interfaces.", instance: `tide__${LONG_NAME}-4121` },
  );

/** Words that run from right to left, in every place that shows words. */
export const rightToLeft = (marker: string): string =>
  traceOf(
    [
      read("קרא.txt", "שלום עולם, זה קובץ קצר.\nשורה שנייה עם code באמצע.\n", "אני קורא את הקובץ README.md לפני הכול."),
      created("/work/tide/מודול.py", 'NAME = "مرحبا بالعالم"\n', "أكتب الوحدة `price.py` الآن."),
      submit,
    ],
    { marker, task: "תקן את חישוב המחיר בקובץ price.py כך שהמס יחושב אחרי ההנחה.", instance: "תיקון-המחיר" },
  );

/** A result of twelve megabytes, and one line of 300,000 characters. */
export function hugeResult(marker: string): string {
  const line = "a line of a very long result that goes on and on 0123456789\n";
  return traceOf(
    [
      read("everything.log", line.repeat(Math.ceil(12_000_000 / line.length))),
      read("one-line.json", `{"rows":[${"1,".repeat(150_000)}1]}`),
      submit,
    ],
    { marker, task: "Read everything." },
  );
}
