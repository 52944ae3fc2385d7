// Written by `npm run formats` from what each adapter says about itself.

/** One trace format that can be uploaded, as pages show it. */
export interface TraceFormat {
  /** The adapter's id. */
  id: string;
  name: string;
  /** Usual endings of such files, as a hint for people; content decides. */
  extensions: string[];
  description: string;
}

/** The formats that can be read, in the order in which pages list them. */
export const TRACE_FORMATS: readonly TraceFormat[] = [
  {
    id: "autocoderover",
    name: "AutoCodeRover",
    extensions: [".zip", ".tar", ".tar.gz"],
    description: "The output folder of one task or of several, versions 1 and 2, as a folder or in an archive.",
  },
  {
    id: "swe-agent",
    name: "SWE-agent",
    extensions: [".traj"],
    description: "Trajectories of SWE-agent 0.x and 1.x, with or without their history.",
  },
  {
    id: "swe-agent-rows",
    name: "SWE-agent rows",
    extensions: [".json", ".jsonl"],
    description: "Rows of nebius/SWE-agent-trajectories, as JSON, JSON Lines or an answer of the hub's rows API.",
  },
  {
    id: "message-rows",
    name: "Data set rows with messages",
    extensions: [".json", ".jsonl"],
    description: "Rows of SWE-Gym, SWE-rebench, SWE-smith and their like, as JSON, JSON Lines or the hub's answer.",
  },
  {
    id: "swe-chat",
    name: "SWE-chat",
    extensions: [".json", ".jsonl"],
    description: "Sessions of SALT-NLP/SWE-chat: records with a `turn_type`, as JSON, JSON Lines or the hub's answer.",
  },
  {
    id: "atif",
    name: "ATIF",
    extensions: [".json", ".jsonl", ".zip"],
    description: "Agent Trajectory Interchange Format v1.0 to v1.7, as Harbor and Terminal-Bench write it.",
  },
  {
    id: "mini-swe-agent",
    name: "mini-SWE-agent",
    extensions: [".traj.json"],
    description: "Runs of mini-SWE-agent 1.x and 2.x: lists of messages, and objects with `info`.",
  },
  {
    id: "claude-code",
    name: "Claude Code",
    extensions: [".jsonl"],
    description: "Session files of Claude Code, with sub-agents, rewinds and compactions.",
  },
  {
    id: "codex",
    name: "Codex",
    extensions: [".jsonl", ".json"],
    description: "Rollout files of Codex CLI of all versions, and the output of `codex exec --json`.",
  },
  {
    id: "openhands",
    name: "OpenHands",
    extensions: [".json", ".jsonl"],
    description: "Runs of OpenHands: V0 and OpenDevin events, SDK (V1) conversations, evaluation rows.",
  },
  {
    id: "devai",
    name: "DevAI",
    extensions: [".json"],
    description: "Trajectories of the DevAI benchmark: steps of OpenHands and other agents with their tokens.",
  },
  {
    id: "aider",
    name: "Aider",
    extensions: [".md", ".history", ".txt"],
    description: "Chat histories of Aider, one trajectory a session, and its histories of requests to the model.",
  },
  {
    id: "autogen",
    name: "AutoGen and AG2",
    extensions: [".json", ".jsonl", ".txt", ".log", ".db"],
    description: "Chats of AutoGen 0.2 and AG2 and its log; messages, states and console output of AutoGen 0.4.",
  },
  {
    id: "who-and-when",
    name: "Who&When and Magentic-One",
    extensions: [".json", ".jsonl"],
    description: "Runs of several agents with a label on the decisive mistake, and lists of Magentic-One.",
  },
  {
    id: "labelled-steps",
    name: "Labelled failures",
    extensions: [".jsonl", ".json"],
    description: "Rows of failed runs with the step that somebody said decided them, for evaluation.",
  },
  {
    id: "codetracer",
    name: "CodeTracer steps",
    extensions: [".json"],
    description: "CodeTracer's `steps.json`: a run of any agent as numbered actions and observations.",
  },
  {
    id: "camel",
    name: "CAMEL and OWL",
    extensions: [".json", ".jsonl"],
    description: "Memories of CAMEL agents, and OWL's role plays of a user and an assistant.",
  },
  {
    id: "langgraph",
    name: "LangGraph and Deep Agents",
    extensions: [".db", ".sqlite", ".json", ".jsonl"],
    description: "Checkpoint databases (SqliteSaver) and states of LangGraph, with Deep Agents' files.",
  },
  {
    id: "langsmith",
    name: "LangSmith",
    extensions: [".json", ".jsonl"],
    description: "Runs of LangSmith: one with its child runs, a list of them, or lines.",
  },
  {
    id: "chat-messages",
    name: "Chat messages",
    extensions: [".json", ".jsonl"],
    description: "Conversations in the shape of OpenAI's, Anthropic's or the Responses API, as JSON or JSON Lines.",
  },
];
