import type { About } from "../../adapter";

/** What people are told about AutoCodeRover. */
export const aboutAutoCodeRover: About = {
  name: "AutoCodeRover",
  extensions: [".zip", ".tar", ".tar.gz"],
  description: "The output folder of one task or of several, versions 1 and 2, as a folder or in an archive.",
  source: "Drop the folder of a task (`<instance>_<date>`, below the output folder), or a zip or tar of one or more.",
  detectedBy:
    "An archive or folder with a file `conversation_round_N.json` (version 1, 0.9), or with `search/search_round_N.json` or `output_N/conv_patch_N.json`, `conv_test_N.json` or `conv_reproducible.json` (version 2, 0.9).",
  agents:
    "Version 1: two, the one that searches the code, and the one that writes the patch, which begins with what the first had found. Version 2 has also those that write tests which show the issue, review a patch, and choose among the patches of all runs. The threads that only turn an answer into JSON (`agent_proxy_N.json`) are context.",
  turns:
    "One message of an agent, with the searches or the patch in it and the message that answers it. A test's answer is `test_raw_N.md`, since its thread ends with the question.",
  sourceSteps:
    "Version 1: `message`, the 0-based index in the last round of the search; `patch`, the index in the last thread of patches. Version 2: the thread's file in the task's folder without its ending, such as `output_0/conv_patch_1`, and the index in it.",
  read: "The last round of the search and the threads of patches, tests and reviews, of which each message is read once, though threads repeat what came before; the searches as the program understood them (`tool_call_layers.json`); edits between `<file>`, `<original>` and `<patched>`, with the diff that came of each attempt and its status; the issue, the model, tokens and cost, and the commit. `developer_patch.diff` is the reference patch.",
  notRead:
    "Messages that another thread says already, logs, and the lists of suspicious code: they are named, with their places, and stay in the upload.",
  details: [
    "**The delivered patch** is the last attempt that could be applied; in version 2 it is the one that `selected_patch.json` names, whichever run it is of. An attempt that could not be applied is a refused write, with the program's word for it.",
    "**Each patch stands alone**: before it, the program takes the working tree back to the commit that the run began with. So no patch is laid on an earlier one, and a delivered patch agrees when it is what one of the attempts gave.",
    "**Files** are known from the diffs alone: what a search shows of the code has no line numbers in version 1, and may have some in version 2 where releases differ, so it is text and no view of a file.",
    "**The runs of a task** (`output_0`, `output_1`, version 2) are one trajectory, in their order, each from the beginning again. When a patch of one of them was chosen, the turns of the others are on a branch that was left behind. The model is told for the last run only, since the file of costs names no other.",
    "**The order within a run** of version 2 is that of the program, since no file holds a time: tests up to the first that shows the issue, the search, then each patch with its reviews, and before a review the tests that it is the first to use. Where the program wrote a file again, as it does when it asks twice whether an issue can be reproduced, only the last answer is there.",
    "**Checks** of version 2 stand with the failure and not in turns: reproducing tests on each program (`execution_P_T.json`), reviews (`review_pP_tT.json`) and the tests that passed before (`regression_P.json`). What the agents were told of them is in their threads.",
    "**Version 2 was read from the program's source**, which says what files it writes, in which order and shape, and not from folders of real runs.",
  ],
};
