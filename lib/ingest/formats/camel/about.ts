import type { About } from "../../adapter";

/** What people are told about memories of CAMEL and role plays of OWL. */
export const aboutCamel: About = {
  name: "CAMEL and OWL",
  extensions: [".json", ".jsonl"],
  description: "Memories of CAMEL agents, and OWL's role plays of a user and an assistant.",
  source:
    "CAMEL writes a memory where `JsonStorage` or `save_memory` says, one record a line; OWL's conversations are kept as `conversation_id` with `messages`, and its runs give back a list of rounds (`chat_history`).",
  detectedBy:
    "Records with `role_at_backend` and `message`; messages of which one of the first begins with `RULES OF USER` or `RULES OF ASSISTANT`, alone, in `messages`, or one conversation a line (0.95). Rounds with `user`, `assistant` and `tool_calls` (0.8).",
  agents:
    "In a role play both sides are agents: the user gives instructions, the assistant carries them out. In a memory whoever a record names in `role_name`: the agent itself (`role_at_backend` assistant), and others that it was given words of when they answer in the file too, when their `role_type` says that they are agents, or when the memory is of a role play. Everybody else is a person.",
  turns:
    "One answer of an agent's model with its calls and their answers. Calls that follow each other are parallel and one turn; words, and calls behind words or an answer, begin the next.",
  sourceSteps: "`message`, the 0-based place in the list, or `line`, the 1-based line. All records count.",
  read: "Instructions (`Instruction:`) are handoffs, `reasoning_content` and `reasoning` thoughts. Calls are `func_name` with `args`, or `tool_calls`; `result` is their answer. What a shell tool runs is read as a command line. The task is the person's first words, or what the prompt of a role play states; `CAMEL_TASK_DONE` is how the run ended. Variants: `memory`, `role play`, `rounds`.",
  notRead:
    "Pictures are named, and counted. What a file tool writes under `filename` is named, but not followed: it chooses the folder and the form by itself.",
  details: [
    "**Whose words.** A conversation of OWL is the memory of one side: the rules in its prompt say which. `assistant` is what that side says, `user` what the other one told it. The sentence that opens a role play is the framework's.",
    "**Several memories in one file.** The same words of the same name in two memories (`agent_id`) are one message with two places. Two agents of one name are told apart by their memories.",
    "**Several conversations.** A file with one conversation a line, or a list of them, gives a trajectory for each.",
  ],
};
