import type { About } from "../../adapter";

/** What people are told about SWE-chat. */
export const aboutSweChat: About = {
  name: "SWE-chat",
  extensions: [".json", ".jsonl"],
  description: "Sessions of SALT-NLP/SWE-chat: records with a `turn_type`, as JSON, JSON Lines or the hub's answer.",
  source:
    "Save rows of the data set as JSON or JSON Lines, or save an answer of the hub's rows API as it is. Each session becomes a trajectory.",
  detectedBy: "Most rows hold `turns`, a list whose records all have a `turn_type` (0.9).",
  agents: "One, with the name that `session.agent` gives.",
  turns:
    "Thinking, words and calls of the agent that follow each other, with the results of these calls. What the agent thinks or says behind a call or a result begins the next turn; calls that follow each other are one turn.",
  sourceSteps:
    "`turn_number`, the data set's own number of each record, or the 0-based index in `turns` where there is none; several fall on one turn.",
  read: "`content` as text, and as arguments where a call holds JSON; results go to the call of their `tool_call_id`, or to the first that waits.",
  notRead: "Records of other types stay in their place with their source and are counted.",
  details: [
    "**Context.** The first prompt of a person is the task, the later ones are the person's. The session's own figures are metadata.",
    "**Failure context.** `session_success` is kept as it stands: the data set does not say what it means.",
    "**Time.** A turn lasts from its first to its last `timestamp`.",
  ],
};
