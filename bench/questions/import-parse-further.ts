import { IMPORT_BOUND, measureImports, parseDocument, parseLines, parseRows, splitText } from "../import-cost";
import { makeAiderChat } from "../inputs/aider";
import { makeAtif } from "../inputs/atif";
import { makeAutoGenConsole, makeAutoGenMessages } from "../inputs/autogen";
import { makeCodexExec } from "../inputs/codex-exec";
import { makeLangGraphState } from "../inputs/langgraph";
import { makeLangSmithRuns } from "../inputs/langsmith";
import { makeListRows, makeStringRows, makeSweAgentRows } from "../inputs/message-rows";
import { makeOpenHandsRows } from "../inputs/openhands-rows";
import { makeSweChat } from "../inputs/swe-chat";
import { makeWhoAndWhen } from "../inputs/who-and-when";
import type { Question } from "../question";

export const question: Question = {
  id: "import-parse-further",
  title: "The same for files with several trajectories, for text, and for the formats of frameworks and data sets",
  bound: IMPORT_BOUND,
  run: () =>
    measureImports([
      {
        name: "OpenHands evaluation rows",
        make: (sizeBytes) => makeOpenHandsRows({ sizeBytes, seed: 31 }),
        least: parseRows,
      },
      { name: "codex exec --json", make: (sizeBytes) => makeCodexExec({ sizeBytes, seed: 32 }), least: parseLines },
      { name: "ATIF", make: (sizeBytes) => makeAtif({ sizeBytes, seed: 33 }), least: parseDocument },
      {
        name: "rows with a list of messages",
        make: (sizeBytes) => makeListRows({ sizeBytes, seed: 34 }),
        least: parseRows,
      },
      {
        name: "rows with messages in a string",
        make: (sizeBytes) => makeStringRows({ sizeBytes, seed: 35 }),
        least: parseRows,
      },
      { name: "SWE-agent rows", make: (sizeBytes) => makeSweAgentRows({ sizeBytes, seed: 36 }), least: parseRows },
      { name: "SWE-chat", make: (sizeBytes) => makeSweChat({ sizeBytes, seed: 43 }), least: parseRows },
      {
        name: "AutoGen messages",
        make: (sizeBytes) => makeAutoGenMessages({ sizeBytes, seed: 37 }),
        least: parseDocument,
      },
      {
        name: "AutoGen console log",
        make: (sizeBytes) => makeAutoGenConsole({ sizeBytes, seed: 38 }),
        least: splitText,
        isText: true,
      },
      {
        name: "aider chat history",
        make: (sizeBytes) => makeAiderChat({ sizeBytes, seed: 39 }),
        least: splitText,
        isText: true,
      },
      { name: "LangSmith runs", make: (sizeBytes) => makeLangSmithRuns({ sizeBytes, seed: 40 }), least: parseLines },
      {
        name: "LangGraph state",
        make: (sizeBytes) => makeLangGraphState({ sizeBytes, seed: 41 }),
        least: parseDocument,
      },
      { name: "Who&When", make: (sizeBytes) => makeWhoAndWhen({ sizeBytes, seed: 42 }), least: parseDocument },
    ]),
};
