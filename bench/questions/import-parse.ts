import { IMPORT_BOUND, measureImports, parseDocument, parseLines } from "../import-cost";
import { makeChatMessages } from "../inputs/chat-messages";
import { makeClaudeCode } from "../inputs/claude-code";
import { makeShortClaudeCode } from "../inputs/claude-code-short";
import { makeCodexRollout } from "../inputs/codex";
import { makeMiniSweAgent } from "../inputs/mini-swe-agent";
import { makeOpenHandsEvents, makeOpenHandsV0 } from "../inputs/openhands";
import { makeSweAgent } from "../inputs/swe-agent";
import type { Question } from "../question";

export const question: Question = {
  id: "import-parse",
  title: "Import from bytes to canonical turns, against decoding and JSON.parse of the same bytes",
  bound: IMPORT_BOUND,
  run: () =>
    measureImports([
      {
        name: "SWE-agent with query",
        make: (sizeBytes) => makeSweAgent({ sizeBytes, seed: 11, withQuery: true }),
        least: parseDocument,
      },
      {
        name: "SWE-agent without query",
        make: (sizeBytes) => makeSweAgent({ sizeBytes, seed: 12, withQuery: false }),
        least: parseDocument,
      },
      { name: "Claude Code", make: (sizeBytes) => makeClaudeCode({ sizeBytes, seed: 13 }), least: parseLines },
      {
        name: "Claude Code in short lines",
        make: (sizeBytes) => makeShortClaudeCode({ sizeBytes, seed: 14 }),
        least: parseLines,
      },
      { name: "Codex rollout", make: (sizeBytes) => makeCodexRollout({ sizeBytes, seed: 23 }), least: parseLines },
      { name: "mini-SWE-agent", make: (sizeBytes) => makeMiniSweAgent({ sizeBytes, seed: 15 }), least: parseDocument },
      { name: "chat messages", make: (sizeBytes) => makeChatMessages({ sizeBytes, seed: 16 }), least: parseDocument },
      {
        name: "OpenHands SDK events",
        make: (sizeBytes) => makeOpenHandsEvents({ sizeBytes, seed: 21 }),
        least: parseLines,
      },
      {
        name: "OpenHands V0 events",
        make: (sizeBytes) => makeOpenHandsV0({ sizeBytes, seed: 22 }),
        least: parseDocument,
      },
    ]),
};
