import type { Step, SweAgentStory } from "../recorder/swe-agent";

/** One item of the list that the run works through: its tests, a first attempt that may be wrong, and what holds. */
interface Item {
  title: string;
  module: string;
  test: string;
  /** Names that the test file has to import for this item. */
  imports: string;
  look: string;
  plan: string;
  attempt?: { code: string; remark: string };
  code: string;
  remark: string;
}

const HEAD: Record<string, string> = {
  readings: `"""Meter readings: lines of "2026-01-31 14:00;1234.5" with kilowatt hours."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, order=True)
class Reading:
    at: datetime
    kwh: float


def parse_line(line):
    """One reading from one line."""
    at, _, kwh = line.strip().partition(";")
    return Reading(datetime.strptime(at, "%Y-%m-%d %H:%M"), float(kwh))
`,
  usage: `"""How much was used between readings."""

from collections import defaultdict


def deltas(readings):
    """Pairs of the time of a reading and what was used since the one before it."""
    ordered = sorted(readings)
    return [(after.at, after.kwh - before.kwh) for before, after in zip(ordered, ordered[1:])]
`,
  report: `"""Texts for people."""


def heading(text):
    """A heading with a line below it."""
    return f"{text}\\n{'-' * len(text)}"
`,
};

const ITEMS: Item[] = [
  {
    title: "Skip blank lines and comments",
    module: "readings",
    imports: "parse_text",
    look: "What does the parser do with a whole text today?",
    plan: "There is only `parse_line`. `parse_text` goes over the lines and leaves out blank ones and those that start with `#`.",
    test: `def test_parse_text_skips_blank_lines_and_comments():
    text = "# meter 7\\n\\n2026-01-01 00:00;10\\n  # moved\\n2026-01-01 01:00;11\\n"
    assert [reading.kwh for reading in parse_text(text)] == [10, 11]
`,
    attempt: {
      code: `def parse_text(text):
    """All readings of a text; blank lines and comments are left out."""
    return [parse_line(line) for line in text.splitlines() if line and not line.startswith("#")]
`,
      remark: "A comment with white space before it still comes through. The line has to be stripped before the test.",
    },
    code: `def parse_text(text):
    """All readings of a text; blank lines and comments are left out."""
    lines = (line.strip() for line in text.splitlines())
    return [parse_line(line) for line in lines if line and not line.startswith("#")]
`,
    remark: "Both kinds of lines are left out now.",
  },
  {
    title: "Accept a comma as decimal sign",
    module: "readings",
    imports: "parse_number",
    look: "Where is the number read?",
    plan: "`float` does not take a comma. A small `parse_number` replaces it and refuses a number with both signs.",
    test: `def test_parse_number():
    assert parse_number("12,5") == 12.5
    assert parse_number("12.5") == 12.5
    with pytest.raises(ValueError):
        parse_number("1.234,5")
`,
    code: `def parse_number(text):
    """A number with a point or a comma; both together are refused, because one of them would be a guess."""
    if "," in text and "." in text:
        raise ValueError(f"point and comma in one number: {text!r}")
    return float(text.replace(",", "."))
`,
    remark: "Numbers with either sign are read.",
  },
  {
    title: "Name the line of a reading that cannot be read",
    module: "readings",
    imports: "ReadingError, parse_checked",
    look: "An error says nothing about the line so far.",
    plan: "`parse_checked` numbers the lines and wraps what goes wrong in `ReadingError`, with the line's number.",
    test: `def test_error_names_the_line():
    with pytest.raises(ReadingError, match="line 3"):
        parse_checked("2026-01-01 00:00;10\\n\\nnonsense\\n")
`,
    attempt: {
      code: `class ReadingError(ValueError):
    """A line that cannot be read."""


def parse_checked(text):
    """All readings of a text. Raises ReadingError with the number of the first bad line."""
    readings = []
    lines = [line for line in text.splitlines() if line.strip()]
    for number, line in enumerate(lines, start=1):
        try:
            readings.append(parse_line(line))
        except ValueError as error:
            raise ReadingError(f"line {number}: {error}") from error
    return readings
`,
      remark: "It says line 2: I numbered the lines after the blank ones were gone. Number first, then skip.",
    },
    code: `class ReadingError(ValueError):
    """A line that cannot be read."""


def parse_checked(text):
    """All readings of a text. Raises ReadingError with the number of the first bad line."""
    readings = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            readings.append(parse_line(line))
        except ValueError as error:
            raise ReadingError(f"line {number}: {error}") from error
    return readings
`,
    remark: "The number is the one that an editor shows.",
  },
  {
    title: "Drop readings that come twice",
    module: "readings",
    imports: "without_repeats",
    look: "How do readings compare? The class is ordered and frozen, so they can be put in a set.",
    plan: "Keep the first of equal readings and the order of the others.",
    test: `def test_without_repeats_keeps_the_order():
    a, b = parse_line("2026-01-01 02:00;12"), parse_line("2026-01-01 01:00;11")
    assert without_repeats([a, b, a]) == [a, b]
`,
    code: `def without_repeats(readings):
    """The readings in their order, each once."""
    return list(dict.fromkeys(readings))
`,
    remark: "`dict.fromkeys` keeps the order; a set would not.",
  },
  {
    title: "Usage per day",
    module: "usage",
    imports: "per_day",
    look: "`deltas` gives usage between readings.",
    plan: "Add up the deltas by the date of the later reading.",
    test: `def test_per_day():
    day = per_day(READINGS)
    assert day[date(2026, 1, 1)] == 3
    assert day[date(2026, 1, 2)] == 5
`,
    attempt: {
      code: `def per_day(readings):
    """Usage by date."""
    days = defaultdict(float)
    for at, kwh in deltas(readings):
        days[at] += kwh
    return dict(days)
`,
      remark: "The keys are times, not dates: `at.date()`.",
    },
    code: `def per_day(readings):
    """Usage by date; what was used over midnight counts for the day of the later reading."""
    days = defaultdict(float)
    for at, kwh in deltas(readings):
        days[at.date()] += kwh
    return dict(days)
`,
    remark: "And the docstring says what happens over midnight.",
  },
  {
    title: "Notice a meter that was replaced",
    module: "usage",
    imports: "replacements",
    look: "A new meter starts at zero, so a delta is negative.",
    plan: "List the times at which the count went down.",
    test: `def test_replacements():
    new = [Reading(datetime(2026, 1, 3), 0.0), Reading(datetime(2026, 1, 3, 1), 2.0)]
    assert replacements(READINGS + new) == [datetime(2026, 1, 3)]
    assert replacements(READINGS) == []
`,
    code: `def replacements(readings):
    """The times of readings that are lower than the one before: the meter was replaced."""
    return [at for at, kwh in deltas(readings) if kwh < 0]
`,
    remark: "Two lines, because `deltas` sorts already.",
  },
  {
    title: "Find gaps between readings",
    module: "usage",
    imports: "gaps",
    look: "Readings should come every hour.",
    plan: "A gap is a pair of neighbours that are further apart than allowed.",
    test: `def test_gaps():
    late = READINGS + [Reading(datetime(2026, 1, 2, 9), 20.0)]
    assert gaps(late, hours=2) == [(datetime(2026, 1, 2, 1), datetime(2026, 1, 2, 9))]
    assert gaps(READINGS, hours=23) == []
`,
    attempt: {
      code: `def gaps(readings, hours):
    """Pairs of neighbouring times that are more than so many hours apart."""
    times = [reading.at for reading in readings]
    return [(a, b) for a, b in zip(times, times[1:]) if (b - a).seconds > hours * 3600]
`,
      remark:
        "It passes, but only by luck: `seconds` of a timedelta leaves out whole days, so the 24 hours between the first and the second day are not seen as a gap. It has to be `total_seconds()`, and the test has to expect that gap as well.",
    },
    code: `def gaps(readings, hours):
    """Pairs of neighbouring times that are more than so many hours apart."""
    times = sorted(reading.at for reading in readings)
    return [(a, b) for a, b in zip(times, times[1:]) if (b - a).total_seconds() > hours * 3600]
`,
    remark: "Sorted as well, like everything else in this module.",
  },
  {
    title: "The day with the highest usage",
    module: "usage",
    imports: "busiest_day",
    look: "`per_day` is there since item 5.",
    plan: "The date with the highest value; the earlier one when two are equal; None without readings.",
    test: `def test_busiest_day():
    assert busiest_day(READINGS) == date(2026, 1, 2)
    assert busiest_day([]) is None
`,
    attempt: {
      code: `def busiest_day(readings):
    """The date with the highest usage."""
    days = per_day(readings)
    return max(days, key=days.get)
`,
      remark: "`max` of nothing raises. `default=None`, and sorting first makes the earlier day win.",
    },
    code: `def busiest_day(readings):
    """The date with the highest usage, the earlier one of two equal ones; None without usage."""
    days = per_day(readings)
    return max(sorted(days), key=days.get, default=None)
`,
    remark: "Empty input is covered.",
  },
  {
    title: "A table of days",
    module: "report",
    imports: "table",
    look: "The report module only has headings.",
    plan: "One line a day: date, tab, usage with one decimal.",
    test: `def test_table():
    assert table({date(2026, 1, 2): 5.0, date(2026, 1, 1): 3.25}) == "2026-01-01\\t3.2\\n2026-01-02\\t5.0"
`,
    code: `def table(days):
    """One line a day, in order: date, tab, kilowatt hours with one decimal."""
    return "\\n".join(f"{day.isoformat()}\\t{kwh:.1f}" for day, kwh in sorted(days.items()))
`,
    remark: "Python rounds 3.25 to 3.2, half to even; the test says so on purpose.",
  },
  {
    title: "A bar for every day",
    module: "report",
    imports: "bars",
    look: "Next the bars. They should fit in a given width.",
    plan: "Scale to the highest value; a day with any usage gets at least one mark.",
    test: `def test_bars():
    assert bars([0, 1, 50, 100], width=10) == ["", "#", "#####", "##########"]
    assert bars([], width=10) == []
`,
    attempt: {
      code: `def bars(values, width):
    """Bars of # that show values against the highest one."""
    highest = max(values)
    return ["#" * round(width * value / highest) for value in values]
`,
      remark: "Two things: 1 of 100 rounds to no mark at all, and `max([])` raises. Use `max(values, default=0)` and at least one mark for a value above zero.",
    },
    code: `def bars(values, width):
    """Bars of # that show values against the highest one; whatever is above zero shows."""
    highest = max(values, default=0)
    if highest == 0:
        return ["" for _ in values]
    return ["#" * max(round(width * value / highest), 1 if value > 0 else 0) for value in values]
`,
    remark: "Small values stay visible.",
  },
  {
    title: "Money",
    module: "report",
    imports: "money",
    look: "Amounts are in cents everywhere.",
    plan: "Cents to text with two decimals, the sign in front.",
    test: `def test_money():
    assert money(123456) == "1234.56"
    assert money(5) == "0.05"
    assert money(-250) == "-2.50"
`,
    attempt: {
      code: `def money(cents):
    """Cents as an amount."""
    return f"{cents // 100}.{cents % 100:02d}"
`,
      remark: "-250 // 100 is -3 in Python. Take the sign off first.",
    },
    code: `def money(cents):
    """Cents as an amount with two decimals."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d}"
`,
    remark: "Negative amounts are right.",
  },
  {
    title: "A summary",
    module: "report",
    imports: "summary",
    look: "The last item puts the others together.",
    plan: "Heading, table, and the total below.",
    test: `def test_summary():
    text = summary("January", {date(2026, 1, 1): 3.0, date(2026, 1, 2): 5.0})
    assert text.splitlines() == ["January", "-------", "2026-01-01\\t3.0", "2026-01-02\\t5.0", "total\\t8.0"]
`,
    code: `def summary(title, days):
    """A heading, the table of days, and their total."""
    return "\\n".join([heading(title), table(days), f"total\\t{sum(days.values()):.1f}"])
`,
    remark: "That was the list.",
  },
];

const TEST_HEAD: Record<string, string> = {
  readings: `import pytest

from gridlog.readings import (
    parse_line,
)


def test_parse_line():
    assert parse_line("2026-01-31 14:00;1234.5").kwh == 1234.5
`,
  usage: `from datetime import date, datetime

from gridlog.readings import Reading
from gridlog.usage import (
    deltas,
)

READINGS = [
    Reading(datetime(2026, 1, 1, 0), 10.0),
    Reading(datetime(2026, 1, 1, 1), 13.0),
    Reading(datetime(2026, 1, 2, 1), 18.0),
]


def test_deltas():
    assert [kwh for _, kwh in deltas(READINGS)] == [3, 5]
`,
  report: `from datetime import date

from gridlog.report import (
    heading,
)


def test_heading():
    assert heading("Day") == "Day\\n---"
`,
};

const ANCHOR: Record<string, string> = { readings: "    parse_line,\n)", usage: "    deltas,\n)", report: "    heading,\n)" };

export const gridlog: SweAgentStory = {
  instance: "gridlog-todo",
  model: "demo-model-1",
  task: `Work through TODO.md from the top. Write the test of each item first, then the code, and run the tests of the module after every change. Keep functions small and give each a docstring.`,
  files: {
    "TODO.md": `# To do\n\n${ITEMS.map((item, i) => `${i + 1}. ${item.title} (${item.module})`).join("\n")}\n`,
    "gridlog/__init__.py": "",
    ...Object.fromEntries(Object.entries(HEAD).map(([name, text]) => [`gridlog/${name}.py`, text])),
    ...Object.fromEntries(Object.entries(TEST_HEAD).map(([name, text]) => [`tests/test_${name}.py`, text])),
  },
  steps: story(),
};

function story(): Step[] {
  const steps: Step[] = [
    { thought: "First the layout.", bash: "cd /testbed && git ls-files" },
    { thought: "And the list.", view: "/testbed/TODO.md" },
    { thought: "Are the tests green at the start?", bash: "cd /testbed && python -m pytest -q" },
  ];
  const anchors = { ...ANCHOR };
  const seen = new Set<string>();
  ITEMS.forEach((item, i) => {
    const source = `/testbed/gridlog/${item.module}.py`;
    const test = `/testbed/tests/test_${item.module}.py`;
    const run = `cd /testbed && python -m pytest -q tests/test_${item.module}.py`;
    steps.push({ thought: `Item ${i + 1}: ${item.title.toLowerCase()}. ${item.look}`, view: source });
    const anchor = anchors[item.module] ?? "";
    const grown = anchor.replace("\n)", `\n${item.imports.split(", ").map((name) => `    ${name},`).join("\n")}\n)`);
    anchors[item.module] = grown;
    if (!seen.has(test)) steps.push({ thought: "And its tests.", view: test });
    seen.add(test);
    steps.push({ thought: "The test file has to import what is to come.", replace: test, old: anchor, new: grown });
    steps.push({ thought: item.plan, bash: `cd /testbed && cat >> tests/test_${item.module}.py <<'EOF'\n\n\n${item.test}EOF` });
    steps.push({ thought: "It has to fail first.", bash: run });
    const first = item.attempt?.code ?? item.code;
    steps.push({ thought: "Now the code, at the end of the module.", bash: `cd /testbed && cat >> gridlog/${item.module}.py <<'EOF'\n\n\n${first}EOF` });
    steps.push({ thought: "Does it hold?", bash: run });
    if (item.attempt !== undefined) {
      if (i === 4) {
        steps.push({ thought: "A date, not a time.", replace: source, old: "        days[at] = kwh\n", new: "        days[at.date()] += kwh\n" });
        steps.push({ thought: "That line reads differently; look again.", bash: "cd /testbed && tail -n 8 gridlog/usage.py" });
      }
      if (i === 6) {
        steps.push({
          thought: item.attempt.remark,
          replace: test,
          old: "    assert gaps(late, hours=2) == [(datetime(2026, 1, 2, 1), datetime(2026, 1, 2, 9))]\n",
          new: "    night = (datetime(2026, 1, 1, 1), datetime(2026, 1, 2, 1))\n    assert gaps(late, hours=2) == [night, (datetime(2026, 1, 2, 1), datetime(2026, 1, 2, 9))]\n",
        });
        steps.push({ thought: "And 23 hours are less than that gap: 24 are not.", bash: "cd /testbed && sed -i 's/gaps(READINGS, hours=23)/gaps(READINGS, hours=24)/' tests/test_usage.py && git diff --stat" });
      }
      steps.push({ thought: i === 6 ? "And the code: whole days count too." : item.attempt.remark, replace: source, old: item.attempt.code, new: item.code });
      steps.push({ thought: item.remark, bash: run });
    }
    steps.push({ thought: i % 3 === 2 ? "All tests, to be sure." : "Tick it off.", bash: i % 3 === 2 ? "cd /testbed && python -m pytest -q" : `cd /testbed && sed -i 3d TODO.md && cat TODO.md` });
    if (i % 3 === 2) steps.push({ thought: "Tick it off.", bash: `cd /testbed && sed -i 3d TODO.md && cat TODO.md` });
    if (i % 4 === 3) steps.push({ thought: "What has changed so far?", bash: "cd /testbed && git status --short && git diff --stat" });
  });
  steps.push(
    { thought: "`parse_number` is there, but does `parse_line` use it?", bash: "cd /testbed && grep -n \"float(\\|parse_number\" gridlog/*.py" },
    {
      thought: "It does not: item 2 asked that readings accept a comma, and only the new function did. A test at the level of a line.",
      bash: "cd /testbed && cat >> tests/test_readings.py <<'EOF'\n\n\ndef test_line_with_a_comma():\n    assert parse_line(\"2026-01-01 00:00;12,5\").kwh == 12.5\nEOF\npython -m pytest -q tests/test_readings.py",
    },
    {
      thought: "Use it.",
      replace: "/testbed/gridlog/readings.py",
      old: '    return Reading(datetime.strptime(at, "%Y-%m-%d %H:%M"), float(kwh))\n',
      new: '    return Reading(datetime.strptime(at, "%Y-%m-%d %H:%M"), parse_number(kwh))\n',
    },
    { thought: "Everything once more.", bash: "cd /testbed && python -m pytest -q" },
    { thought: "The list is empty and the tests pass.", bash: "cd /testbed && cat TODO.md && git diff --stat" },
    { thought: "Submitting.", submit: true },
    { thought: "There was no reproduction script, and the test files hold new tests on purpose.", submit: true },
  );
  return steps;
}
