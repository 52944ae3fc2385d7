import type { About } from "../../adapter";

/** What people are told about histories of aider. */
export const aboutAider: About = {
  name: "Aider",
  extensions: [".md", ".history", ".txt"],
  description: "Chat histories of Aider, one trajectory a session, and its histories of requests to the model.",
  source:
    "Aider appends to `.aider.chat.history.md` in the folder of the repository at every start; with `--llm-history-file` it also writes each request with its whole prompt.",
  detectedBy:
    "A line `# aider chat started at` with a time, or `TO LLM` with a time and messages by role (0.95); transcripts as aider's site shows them (0.7 to 0.9); lines that only aider writes (`> Applied edit to`, `> Tokens: ... sent`, `> Commit`) beside a person's (`####`) or a SEARCH block (0.8).",
  agents:
    "One, `aider`. The model of an architect and that of an editor answer in turns of their own; both are the same agent.",
  turns:
    "One message of the assistant, with what aider says about it. When aider gives it test output, lint errors or failed blocks, the next message is a turn too, without a person's words between them. An empty answer, which aider asks for again, is no turn.",
  sourceSteps: "None: a history numbers nothing.",
  read: "Lines that begin with `> ` are aider's and those with `#### ` a person's when they end in two blanks, which aider puts there; other such lines, and all inside a closed fence, are the assistant's. Where no line has the blanks (histories that were tidied or published), a heading right behind the assistant's words counts as the assistant's. Tokens and cost come from `> Tokens:` (rounded by aider), models from `> Main model`, `> Models` and `> Model`. Variants: `chat history`, `published chat transcript`, `LLM history`.",
  notRead:
    "What aider prints and does not keep: the output of shell commands that it suggests, diffs, the repository map of the chat. The time of a message is not kept in a chat history. Blocks that nothing ends stay words of the assistant, counted. Lists of benchmark results hold no run.",
  details: [
    "**Edits** stand in the assistant's words. Each is a call of its own between messages, with its lines as they stand: `aider_search_replace` for a SEARCH/REPLACE block (also ORIGINAL/UPDATED), `aider_udiff` for a hunk, `aider_whole_file` for a file in a fence, `aider_edit` for a file that aider says it wrote and for which no edit was found. The path is the one aider names; the model's own spelling is kept beside it.",
    "**Success.** Only `Applied edit to`, or that the other blocks were applied, makes an edit one that was done. An edit of which aider says nothing has a result without words that counts as an error. An LLM history says nothing of success: edits are assumed, and the files that the next prompt shows confirm them or not.",
    "**What a person does between turns** (`/run`, `!`, `/test`, `/git`, `/undo`) may change files; it stands at the end of the turn before it, as a call by the person. `/undo` takes back the edits of the commit that aider names, file by file.",
    "**Several sessions.** Each `# aider chat started at` begins a trajectory of its own, and so does what stands before the first. One inside a closed fence that is not later than the session around it is a history that was quoted, and stays there.",
    "**Cumulative prompts.** A message of a prompt is shown once; that it stands in later prompts is counted, and each place kept. The reminder of the rules behind a person's words is told from them by the next prompt, which repeats the words alone.",
    "**Files in prompts.** The message in which aider shows whole files is evidence of what they hold; it stands at the start of the turn that answers it.",
    "**Doubts** are noted with their places: lines read as the assistant's although they begin like others (`read_as_answer`), lines inside a fence that look like a person's or aider's (`quoted_in_fence`).",
  ],
};
