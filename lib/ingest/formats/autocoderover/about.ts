import type { About } from "../../adapter";

/** What people are told about AutoCodeRover. */
export const aboutAutoCodeRover: About = {
  name: "AutoCodeRover",
  extensions: [".zip", ".tar", ".tar.gz"],
  description: "The output folder of one task or of several, version 1, as a folder or in an archive.",
  source: "Drop the folder of a task (`<instance>_<date>`, below the output folder), or a zip or tar of one or more.",
  detectedBy: "An archive or folder with a file `conversation_round_N.json` (0.9).",
  agents:
    "Two: the one that searches the code, and the one that writes the patch, which begins with what the first had found. The threads that only turn an answer into JSON (`agent_proxy_N.json`) are context.",
  turns: "One message of either agent, with the searches or the patch in it and the message that answers it.",
  sourceSteps:
    "`message`, the 0-based index in the last round of the search; `patch`, the index in the last thread of patches.",
  read: "The last round of the search and the last thread of patches, which repeat all that came before; the searches as the program understood them (`tool_call_layers.json`); edits between `<file>`, `<original>` and `<patched>`, with the diff that came of each attempt and its status; the issue, the model, tokens and cost, and the commit. `developer_patch.diff` is the reference patch.",
  notRead:
    "Earlier rounds (their messages are in the last one), logs, and the lists of suspicious code: they are named, with their places, and stay in the upload. Folders of version 2 are not read.",
  details: [
    "**The delivered patch** is the last attempt that could be applied. An attempt that could not be applied is a refused write, with the program's word for it.",
    "**Files** are known from the diffs alone: what a search shows of the code has no line numbers.",
  ],
};
