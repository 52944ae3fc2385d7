import type { About } from "../../adapter";

/** What people are told about chat messages. */
export const aboutChatMessages: About = {
  name: "Chat messages",
  extensions: [".json", ".jsonl"],
  description: "Conversations in the shape of OpenAI's, Anthropic's or the Responses API, as JSON or JSON Lines.",
  source:
    "Save the messages that your agent sends and gets: the list itself, the body of a request, requests with their answers, or one message or request a line.",
  detectedBy:
    "Most records are messages with a role of one of the APIs and `content` or calls, or items of the Responses API; or one object, or most lines, hold such a list as `messages` or `input` (0.6). Nearly every format holds such a list, so this one is asked last: not where another format claims the file, and not for messages that bear the marks of one that cannot be read yet.",
  agents: "One: whoever speaks as `assistant`. A `name` on a message is kept as its author's.",
  turns:
    "One message of the agent, with what answers it; messages that follow each other are turns of their own unless they have the identifier of one answer. Items of the Responses API up to the next output or message of others are one turn, as is everything of one response.",
  sourceSteps:
    "`message` or `item`, the 0-based index in its list; JSON Lines: `line`, the 1-based number; a request in JSON Lines: the line's number and the index, as in `12:3`; `choice` for the answer of a completion.",
  read: "`content` as text or as parts, reasoning under its several names, `tool_calls`, the older `function_call` with role `function`, `tool_use` and `tool_result`, calls and outputs of items. Calls and results are paired by identifier: the nearest earlier call of it that waits, without an identifier by name, and without a name by order.",
  notRead:
    "Pictures, sounds and documents are named with their type and size, and never fetched; encrypted reasoning is counted. Parts, roles and items of unknown kinds stay in their place with their source and are counted, as are fields that are not shown.",
  details: [
    "**Several conversations.** A log of requests repeats what was said before. While each request begins with all that is known, what it adds is taken, and the repeats are counted. Lines or elements that each hold a conversation and do not continue each other are trajectories of their own, named by their identifier or number; a request behind messages that it does not continue is refused.",
    "**Context.** The first words of a person are the task. `system` and `developer` messages, `system` and `instructions` of a request are system prompts. Reminders and other texts that a harness puts into the person's role are injected; an observation that stands there is a result. Settings of a request are metadata before the messages; what else stands beside them is metadata after them, because it may tell how the run ended.",
    "**Success.** `is_error`, `status`, exit codes of the answer's own words or of its JSON are taken as they stand; an answer that does not say is neither.",
    "**Usage** is taken once an answer; a file's own total counts only when no answer states any. Anthropic's input tokens include here what was read from the cache and written to it.",
    "**Reads** come from answers that number the lines of one file, as `cat -n` does.",
  ],
};
