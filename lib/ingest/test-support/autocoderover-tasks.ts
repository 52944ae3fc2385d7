/** The files of tasks of AutoCodeRover, by path in their archive: what the fixtures of that format are made of. */
export type TaskFiles = Record<string, string>;

const message = (role: string, content: string) => ({ role, content });
const json = (value: unknown): string => JSON.stringify(value, null, 2);

const SYSTEM = message("system", "You look after a large project. Search it, then name the place of the bug.");
const ISSUE = message("user", "<issue>Halving an odd number loses its rest.\nhalf(3) gives 1.</issue>");
const MENU = message("user", "You can use: search_method(name), search_class(name). Choose what you need.");
const ASKS = message("assistant", 'I want to see it: `search_method("half")` and `search_class("Whole")`');
const FOUND = message(
  "user",
  [
    'Result of search_method("half"):',
    "Found 1 methods with name half.",
    "Search result 1: <file>numbers/half.py</file> <func>half</func> <code>def half(n):",
    "    return n // 2</code>",
    "",
    'Result of search_class("Whole"):',
    "Could not find class Whole.",
    "",
  ].join("\n"),
);
const ANALYSE = message("user", "Let's analyze collected context first");
const ANALYSIS = message("assistant", "It divides whole numbers, so the rest goes.");
const QUESTION = message("user", "Do we need more context? Where are the bug locations?");
const PLACES = message(
  "assistant",
  "- do we need more context:\n\n- where are bug locations: `half` in numbers/half.py",
);
const CODE = message(
  "user",
  "Here are the code in buggy locations:\n<file>numbers/half.py</file> <code>def half(n):</code>",
);
const NOT_VALID = message("user", "The search API calls seem not valid. Check the arguments and try again.");
const SORRY = message("assistant", "- do we need more context: I do not know what to search for.");

const layer = (name: string, given: Record<string, string>, ok: boolean) => ({
  func_name: name,
  arguments: given,
  call_ok: ok,
});
const SEARCHES = [
  layer("search_method", { method_name: "half" }, true),
  layer("search_class", { class_name: "Whole" }, false),
];
const WRITE = [layer("write_patch", {}, true)];

const PATCH_SYSTEM = message("system", "You look after a large project. Write a patch for the issue.");
const WRITE_IT = message("user", "Write a patch, each edit as <file>, <original> and <patched>.");
const edit = (original: string, patched: string): string =>
  `# modification 1\n\`\`\`\n<file>numbers/half.py</file>\n<original>${original}</original>\n<patched>${patched}</patched>\n\`\`\``;
const FIRST_PATCH = message("assistant", edit("return n // two", "return n / 2"));
const NO_MATCH = message("user", "Your edit could not be applied to the program. Try again.");
const SECOND_PATCH = message("assistant", edit("return n // 2", "return n / 2"));
const DONE = message("user", "Written a patch that resolves the issue.");
const DIFF = [
  "diff --git a/numbers/half.py b/numbers/half.py",
  "index 1111111..2222222 100644",
  "--- a/numbers/half.py",
  "+++ b/numbers/half.py",
  "@@ -1,2 +1,2 @@",
  " def half(n):",
  "-    return n // 2",
  "+    return n / 2",
  "",
].join("\n");

const START = [SYSTEM, ISSUE, MENU];
const ROUND_1 = [...START, ASKS, FOUND, ANALYSE, ANALYSIS, QUESTION];
const ROUND_2 = [...ROUND_1, PLACES, CODE];
const PATCHES_1 = [PATCH_SYSTEM, ...ROUND_2.slice(1), WRITE_IT, FIRST_PATCH, NO_MATCH];

const META = json({
  task_id: "numbers__half-7",
  setup_info: { repo_path: "/tmp/checkout", test_cmd: "python -m unittest" },
  task_info: {
    instance_id: "numbers__half-7",
    repo: "numbers/half",
    base_commit: "0".repeat(40),
    test_patch: "diff --git a/test_half.py b/test_half.py\n",
  },
});
const COST = json({
  model: "some-model-1",
  total_input_tokens: 4_000,
  total_output_tokens: 500,
  total_cost: 0.05,
  elapsed_seconds: 61.5,
});

/** A task whose second patch could be applied; with a round 10, which a list by name would put before round 2. */
const SOLVED: TaskFiles = {
  "numbers__half-7_2026-01-01/conversation_round_0.json": json(START),
  "numbers__half-7_2026-01-01/conversation_round_2.json": json(ROUND_1),
  "numbers__half-7_2026-01-01/conversation_round_10.json": json(ROUND_2),
  "numbers__half-7_2026-01-01/agent_proxy_0.json": json([[message("user", "as JSON"), message("assistant", "{}")]]),
  "numbers__half-7_2026-01-01/tool_call_layers.json": json([SEARCHES, [layer("search_method", {}, true)], WRITE]),
  "numbers__half-7_2026-01-01/debug_agent_write_patch_1.json": json(PATCHES_1),
  "numbers__half-7_2026-01-01/debug_agent_write_patch_2.json": json([...PATCHES_1, SECOND_PATCH, DONE]),
  "numbers__half-7_2026-01-01/agent_patch_raw_1": FIRST_PATCH.content,
  "numbers__half-7_2026-01-01/agent_patch_raw_2": SECOND_PATCH.content,
  "numbers__half-7_2026-01-01/extracted_patch_2.diff": DIFF,
  "numbers__half-7_2026-01-01/extract_status.json": json({
    extract_status: ["RAW_PATCH_BUT_UNMATCHED", "APPLICABLE_PATCH"],
  }),
  "numbers__half-7_2026-01-01/meta.json": META,
  "numbers__half-7_2026-01-01/cost.json": COST,
  "numbers__half-7_2026-01-01/developer_patch.diff": DIFF,
  "numbers__half-7_2026-01-01/problem_statement.txt": "Halving an odd number loses its rest.\n",
  "numbers__half-7_2026-01-01/info.log": "\u001b[1mround 0\u001b[0m\n",
};

/** A task that never came to a patch: searches that are not valid, no facts about the run, and a message of no role. */
const LOST: TaskFiles = {
  "conversation_round_0.json": json(START),
  "conversation_round_1.json": json([...START, SORRY, NOT_VALID, SORRY, { content: "nobody" }]),
  "tool_call_layers.json": json([[], []]),
};

/** The fixtures by name. */
export const TASKS: Readonly<Record<string, TaskFiles>> = { "solved.tar": SOLVED, "lost.tar": LOST };
