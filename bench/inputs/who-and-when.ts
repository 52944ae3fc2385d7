import { GrowingFile } from "./growing-file";
import { SeededText } from "./seeded-text";

/**
 * A hand-crafted record of Who&When: one indented document with the talk of an orchestrator and its agents (half of the
 * messages below 600 characters, one in ten about 3,000) and the label. About `sizeBytes`; the label ends it.
 */
export function makeWhoAndWhen({ sizeBytes, seed }: { sizeBytes: number; seed: number }): Buffer {
  const text = new SeededText(seed, 0.05);
  const file = new GrowingFile();
  let messages = 0;
  const say = (role: string, content: string): void => {
    const json = JSON.stringify({ content, role }, null, 4);
    file.add(`${messages++ === 0 ? "" : ","}\n${json.replace(/^/gm, "        ")}`);
  };
  file.add('{\n    "history": [');
  say("human", text.prose(3));
  for (let n = 0; file.size < sizeBytes; n++) {
    const agent = ["WebSurfer", "FileSurfer", "Assistant", "ComputerTerminal"][n % 4] ?? "";
    const ledger = { is_request_satisfied: { answer: false, reason: text.prose(2) }, next_speaker: { answer: agent } };
    say("Orchestrator (thought)", `Updated Ledger:\n${JSON.stringify(ledger, null, 2)}`);
    say(`Orchestrator (-> ${agent})`, text.prose(1));
    say(agent, makeAnswer(text, n));
  }
  const label = { question: "How many?", ground_truth: "seven", is_corrected: false, question_ID: `bench-${seed}` };
  const mistake = { mistake_agent: "WebSurfer", mistake_step: 5, mistake_reason: text.prose(1), level: 2 };
  file.add(`\n    ],\n${JSON.stringify({ ...label, ...mistake }, null, 4).slice(2)}`);
  return file.bytes();
}

function makeAnswer(text: SeededText, n: number): string {
  switch (n % 4) {
    case 0:
      return `I typed '${text.word()}' into the search box.\n\n${text.prose(n % 8 === 0 ? 30 : 8)}`;
    case 1:
      return `Path: /data/${text.word()}.txt\n\n${text.lines(1_200, "log")}`;
    case 2:
      return `${text.prose(2)}\n\n\`\`\`python\n# filename: ${text.word()}.py\n${text.lines(600, "code")}\n\`\`\`\n`;
    default:
      return `The script ran, then exited with Unix exit code: 0\nIts output was:\n${text.lines(400, "log")}`;
  }
}
