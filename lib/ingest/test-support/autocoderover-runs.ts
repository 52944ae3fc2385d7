import type { TaskFiles } from "./autocoderover-tasks";

const message = (role: string, content: string) => ({ role, content });
const system = (content: string) => message("system", content);
const user = (content: string) => message("user", content);
const agent = (content: string) => message("assistant", content);
const json = (value: unknown): string => JSON.stringify(value, null, 4);

const ISSUE = "Halving an odd number loses its rest.\nhalf(3) gives 1.";

/** The question that comes first: some models are given the `{` with which their answer is to begin. */
const GUARD = [
  system("You reproduce issues."),
  user(`Here is an issue:\n\n${ISSUE}`),
  user("Does it hold an example that can be run?"),
];
const YES = [...GUARD, agent("{"), agent('{"has-reproducible-example": true}')];
const NO = [...GUARD, agent('{"has-reproducible-example": false}')];

const WRITE_TEST = user("Write `reproducer.py`, which raises an AssertionError.");
const TEST_START = [...GUARD.slice(0, 2), WRITE_TEST];
const TEST = (line: string): string =>
  `It is run as it stands.\n\`\`\`python\nfrom numbers.half import half\n${line}\n\`\`\`\n`;
const TEST_0 = TEST("assert half(4) == 2");
const TEST_1 = TEST("assert half(3) != 1");
const TEST_2 = TEST("assert half(3) == 1.5");
const NOT_SHOWN = user("This test did not reproduce the issue.\n\nThe test execution exited with code 0.");
const codeOf = (answer: string): string => answer.split("```")[1]?.replace("python\n", "") ?? "";

const SEARCH_START = [
  system("You look after a large project. Search it."),
  user(`<issue>${ISSUE}\n</issue>`),
  user("You can use: search_method(method_name), search_class(class_name)."),
];
const ASKS = agent('I want to see `search_method("half")` and `search_class("Whole")`.');
const FOUND = user(
  [
    'Result of search_method("half"):',
    "",
    "Found 1 methods named half in the codebase:",
    "- Search result 1:",
    "```",
    "<file>numbers/half.py</file>",
    "<func>half</func>",
    "<code>",
    "def half(n):",
    "    return n // 2",
    "</code>",
    "```",
    "",
    'Result of search_class("Whole"):',
    "",
    "Could not find class Whole in the codebase.",
    "",
    "",
  ].join("\n"),
);
const ANALYSE = user(
  "Let's analyze collected context first.\nIf an API call could not find any code, think of others.\n",
);
const ANALYSIS = agent("It divides whole numbers.");
const QUESTION = user("1. do we need more context? 2. where are bug locations?");
const NOT_VALID = user(
  "The search API calls seem not valid. Please check the arguments you give carefully and try again.",
);
const PLACES = agent("No more context. The bug is in `half` of numbers/half.py.");
const SEARCH_0 = [...SEARCH_START, ASKS];
const SEARCH_1 = [...SEARCH_0, FOUND, ANALYSE, ANALYSIS, QUESTION, agent("search_all()")];
const SEARCH_2 = [...SEARCH_1, NOT_VALID, PLACES];
const layer = (name: string, given: Record<string, string>, ok: boolean) => ({
  func_name: name,
  arguments: given,
  call_ok: ok,
});
const SEARCHES = [
  layer("search_method", { method_name: "half" }, true),
  layer("search_class", { class_name: "Whole" }, false),
];
const PROXY = json([[system("Extract the calls as JSON."), user(ASKS.content), agent('{"API_calls": []}')]]);

const PATCH_SYSTEM = system("You look after a large project. Write a patch.");
const WRITE_PATCH = user("Write a patch, each edit as <file>, <original> and <patched>.");
const PATCH_START = [
  PATCH_SYSTEM,
  user(`Here is the issue:\n${ISSUE}`),
  user("Here are the possible buggy locations: <file>numbers/half.py</file>"),
];
const edit = (original: string, patched: string): string =>
  `# modification 1\n\`\`\`\n<file>numbers/half.py</file>\n<original>${original}</original>\n<patched>${patched}</patched>\n\`\`\``;
const PATCH_0 = edit("return n // two", "return n / 2");
const PATCH_1 = edit("return n // 2", "return round(n / 2)");
const PATCH_2 = edit("return n // 2", "return n / 2");
const PATCH_3 = edit("return n // 2", "return float(n // 2)");
const diff = (line: string): string =>
  [
    "diff --git a/numbers/half.py b/numbers/half.py",
    "index 1111111..2222222 100644",
    "--- a/numbers/half.py",
    "+++ b/numbers/half.py",
    "@@ -1,2 +1,2 @@",
    " def half(n):",
    "-    return n // 2",
    `+    ${line}`,
    "",
  ].join("\n");
const REJECTED = user("The previous patch failed a test written by another developer.\nRethink.");
const TEST_REJECTED = user("Here is a patch to the program. The test does not correctly reproduce the issue.");

const review = (patch: string, test: string) => ({
  "patch-correct": patch,
  "patch-analysis": "The rest of three is lost.",
  "patch-advice": "",
  "test-correct": test,
  "test-analysis": "It asks for one number.",
  "test-advice": "",
});
const reviewOf = (test: string, patch: string, verdict: ReturnType<typeof review>): string =>
  json([
    system("Decide whether the patch resolves the issue."),
    user(`Here is the issue: <issue>${ISSUE}</issue>.\n`),
    user(`Here is the test written by Engineer A: <test>${test}</test>.\n`),
    user(`Here is the patch written by Engineer B: <patch>${patch}</patch>.\n`),
    user("Answer as JSON."),
    agent("{"),
    agent(JSON.stringify(verdict)),
  ]);
const execution = (code: number): string =>
  json({ stdout: "", stderr: code === 0 ? "" : "AssertionError: 1", returncode: code, triggered: code !== 0 });

const META = json({
  task_id: "numbers__half-7",
  setup_info: { repo_path: "/tmp/checkout" },
  task_info: {
    instance_id: "numbers__half-7",
    repo: "numbers/half",
    base_commit: "0".repeat(40),
    test_patch: "diff --git a/test_half.py b/test_half.py\n",
    patch: diff("return n / 2  # whole or not"),
  },
});
const COST = json({
  commit: "1".repeat(40),
  elapsed_seconds: 61.5,
  model: "some-model-2",
  total_input_tokens: 4_000,
  total_output_tokens: 500,
  total_cost: 0.05,
});

const inside = (folder: string, files: TaskFiles): TaskFiles =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));

/** A run with tests, reviews and three attempts at a patch, of which the first cannot be applied. */
const REVIEWED_RUN: TaskFiles = {
  "meta.json": META,
  "conv_reproducible.json": json(YES),
  "conv_test_0.json": json(TEST_START),
  "test_raw_0.md": TEST_0,
  "conv_test_1.json": json([...TEST_START, agent(TEST_0), NOT_SHOWN, WRITE_TEST]),
  "test_raw_1.md": TEST_1,
  "reproducer_1.py": codeOf(TEST_1),
  "search/search_round_0.json": json(SEARCH_0),
  "search/search_round_1.json": json(SEARCH_1),
  "search/search_round_2.json": json(SEARCH_2),
  "search/agent_proxy_0.json": PROXY,
  "search/tool_call_layers.json": json([SEARCHES, [], []]),
  "search/bug_locations_after_process.json": json([{ rel_file_path: "numbers/half.py", start: 1, end: 2 }]),
  "conv_patch_0.json": json([...PATCH_START, WRITE_PATCH, agent(PATCH_0)]),
  "patch_raw_0.md": PATCH_0,
  "conv_patch_1.json": json([...PATCH_START, WRITE_PATCH, agent(PATCH_1)]),
  "patch_raw_1.md": PATCH_1,
  "extracted_patch_1.diff": diff("return round(n / 2)"),
  "execution_EMPTY_1.json": execution(1),
  "execution_1_1.json": execution(1),
  "conv_review_1_1.json": reviewOf(codeOf(TEST_1), diff("return round(n / 2)"), review("no", "no")),
  "review_p1_t1.json": json(review("no", "no")),
  "conv_patch_2.json": json([...PATCH_START, agent(PATCH_1), REJECTED, WRITE_PATCH, agent(PATCH_2)]),
  "patch_raw_2.md": PATCH_2,
  "extracted_patch_2.diff": diff("return n / 2"),
  "conv_test_2.json": json([...TEST_START, agent(TEST_1), TEST_REJECTED, WRITE_TEST]),
  "test_raw_2.md": TEST_2,
  "reproducer_2.py": codeOf(TEST_2),
  "execution_EMPTY_2.json": execution(1),
  "execution_2_2.json": execution(0),
  "conv_review_2_2.json": reviewOf(codeOf(TEST_2), diff("return n / 2"), review("yes", "yes")),
  "review_p2_t2.json": json(review("yes", "yes")),
  "regression_2.json": json({ no_additional_failure: false }),
  "extract_status.json": json({
    extract_status: ["RAW_PATCH_BUT_UNMATCHED", "APPLICABLE_PATCH", "APPLICABLE_PATCH"],
  }),
};

/** A run that used up its rounds: the last searches were never answered, and the patch goes on from the search itself. */
const ENDLESS_RUN: TaskFiles = {
  "meta.json": META,
  "conv_reproducible.json": json(NO),
  "search/search_round_0.json": json(SEARCH_0),
  "search/tool_call_layers.json": json([SEARCHES]),
  "conv_patch_0.json": json([PATCH_SYSTEM, ...SEARCH_0.slice(1), WRITE_PATCH, agent(PATCH_3)]),
  "patch_raw_0.md": PATCH_3,
  "extracted_patch_0.diff": diff("return float(n // 2)"),
  "regression_0.json": json({ no_additional_failure: false }),
  "extract_status.json": json({ extract_status: ["APPLICABLE_PATCH"] }),
};

/** A task of two runs: the patch that was chosen at the end is not of the last one. */
const CHOSEN: TaskFiles = inside("numbers__half-7_2026-02-02", {
  "meta.json": META,
  "problem_statement.txt": `${ISSUE}\n`,
  "developer_patch.diff": diff("return n / 2  # whole or not"),
  "info.log": "\u001b[1mround 0\u001b[0m\n",
  "cost.json": COST,
  ...inside("output_0", REVIEWED_RUN),
  ...inside("output_1", ENDLESS_RUN),
  "agent_selection.json": json([
    system("Choose one of several patches."),
    user(`Here is the issue: <issue>${ISSUE}</issue>.\n`),
    user("First, analyze the cause."),
    agent("Whole numbers are divided."),
    user("Patch 1: ... Patch 2: ... Which one?"),
    agent('{"patch_number": 2, "reason": "It keeps the rest."}'),
    agent('{"patch_number": 2, "reason": "It keeps the rest."}'),
    agent('{"patch_number": 1, "reason": "It is short."}'),
  ]),
  "selected_patch.json": json({
    selected_patch: "output_0/extracted_patch_2.diff",
    reason: "agent-selected,none-pass-regression",
    agent_comment: "It keeps the rest.",
  }),
});

/** One run alone, at the top of an archive, that ended before its search: its last test was never written. */
const ENDED: TaskFiles = {
  "output_0/meta.json": json({ task_info: { instance_id: "live-1", base_commit: "2".repeat(40) } }),
  "output_0/conv_reproducible.json": json(YES),
  "output_0/conv_test_0.json": json(TEST_START),
  "output_0/test_raw_0.md": TEST_0,
  "output_0/conv_test_1.json": json([...TEST_START, agent(TEST_0), NOT_SHOWN, WRITE_TEST]),
};

/** The fixtures of version 2 by name. */
export const RUNS: Readonly<Record<string, TaskFiles>> = { "chosen.tar": CHOSEN, "ended.tar": ENDED };
