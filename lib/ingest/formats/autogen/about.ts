import type { About } from "../../adapter";

/** What people are told about chats of AutoGen and AG2. */
export const aboutAutoGen: About = {
  name: "AutoGen and AG2",
  extensions: [".json", ".jsonl", ".txt", ".log", ".db"],
  description: "Chats of AutoGen 0.2 and AG2 and its log; messages, states and console output of AutoGen 0.4.",
  source:
    "0.2 and AG2: write `ChatResult.chat_history` (or all of the result) or `groupchat.messages` as JSON, or keep what the console printed, or the database of `runtime_logging.start()`. 0.4 and later: write the `messages` of a `TaskResult`, or the result of `save_state()`, or keep what `Console` printed.",
  detectedBy:
    "Messages with `role`, `content` and `tool_responses`, with an exit code of run code, or with the names of several agents; `chat_history` with messages; text with `A (to B):` and lines of 80 dashes; text with `---------- TextMessage (user) ----------`, or with `---------- user ----------` first and calls, tokens or a summary behind it (0.9). Records with `source` and a `type` such as TextMessage or ToolCallRequestEvent; `type` TeamState or AssistantAgentState; a database whose `chat_completions` have `session_id`, `request`, `response` and `is_cached` (0.95).",
  agents:
    "Whoever is named in `name` or `source` and writes messages of a model. Not an agent: a person's stand-in (`user`, `user_proxy`, `Admin` and the like) and whoever only runs code or functions for others. The `role` of 0.2 says only from whose side a chat was kept and is the other way round for the other side; it counts only where nobody is named: whoever began is the person.",
  turns:
    "One message of an agent in 0.2; in 0.4 one answer of a model: its thoughts, then its message or its calls with all their answers, the summary of them and the handoff. Code that an executor ran, and what it printed, belong to the turn that wrote the code.",
  sourceSteps:
    "`message`, the 0-based place in the list, or `line`, the 1-based line; in a printed chat `message` counts the headers; `row` is the `id` of a row in the log database, for a message the first whose request holds it. In a state `message` is the place in the team's thread and `context of X` the place in an agent's memory. Answers, executions and the person's messages count.",
  read: "Suggested calls (`tool_calls`, `function_call`, ToolCallRequestEvent, `***** Suggested tool call`) and their answers by identifier. Blocks of code become calls when an executor answers with an exit code, when the console says that code was run, or for a CodeExecutionEvent. A block whose first line says `# filename: x.py` was saved under that name; shell blocks are read as command lines. Thoughts, handoffs, tokens (`models_usage`, `cost`), `stop_reason`. Variants: `0.2 chat history`, `0.2 messages`, `0.2 console log`, `0.4 messages`, `0.4 team state`, `0.4 agent state`, `0.4 console log`, `0.2 runtime log`.",
  notRead:
    "Pictures are named with their size, and counted. In the log database what a request has besides its messages is not read. Nor are the rows of `function_calls` and `events`, which are counted: they name neither the session nor the call that they belong to, and a call and its answer stand in the requests after it already; only the answers to calls of a last turn, after which nothing was asked, stand there alone.",
  details: [
    "**First message.** It is the task, whoever is said to write it: a program gives it to the chat. Only when it calls something, or when code in it is run, it is a turn.",
    "**Said twice.** The content of a message with `tool_responses` repeats them, a ToolCallSummaryMessage the answers, pieces of a streamed answer the message after them, and a state holds a message once for each agent that read it: each is one item with several places.",
    "**Several blocks.** An executor stops at the first block that fails. An exit code of 0 speaks for all of them; of a failure it is not told whose it was, so only the first block's file is known, and those of the others are not. Neither is a file whose `pip install` was made quiet before it was saved.",
    "**Stand-ins.** Empty answers and sentences that a stand-in gives by itself are context, as is what a person typed.",
    "**States** have no order between agents but the team's thread. What only one agent knows, its prompts and calls, stands before the message that it led to.",
    "**Log database.** Each session is a trajectory. A request repeats all that its agent has seen, and the answers of the others come in it too: a message is shown again only when a request holds it more often than it was said so far. Every answer of a model is a turn, also when AutoGen asks who speaks next. Answers out of AutoGen's cache cost nothing and use no tokens. An attempt without an answer is kept with its reason.",
    "**Console.** A message may hold a line of 80 dashes itself: it ends with the last one before the next header or the next line that AutoGen prints (`>>>>>>>>`, `Next speaker:`). Other lines between messages are context.",
    "**Console of 0.4.** Calls and answers are Python's lists, one line each; what a program prints behind them is context, but behind words it cannot be told from them. The first versions print no types: what a message is shows by its list, by words that repeat an answer, and by `Transferred to`. A streamed answer has no type of its own: it is a message, and a thought when calls of the same agent follow and no tokens stand below it. Tokens and totals are there only when statistics were printed; those of several runs are added up.",
  ],
};
