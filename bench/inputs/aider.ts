import { GrowingFile } from "./growing-file";
import { SeededText } from "./seeded-text";

/**
 * A history of aider's chats: sessions of three to twenty requests (most 10 to 60 kB), each with its settings, what the
 * person asks, answers with blocks that replace text, and what aider says of them. About `sizeBytes`; a session ends it.
 */
export function makeAiderChat({ sizeBytes, seed }: { sizeBytes: number; seed: number }): Buffer {
  const text = new SeededText(seed, 0.05);
  const file = new GrowingFile();
  for (let session = 0; file.size < sizeBytes; session++) {
    const time = new Date(Date.UTC(2025, 0, 1) + session * 5_400_000).toISOString();
    file.add(`\n# aider chat started at ${time.slice(0, 10)} ${time.slice(11, 19)}\n\n`);
    file.add(
      quoted([
        "/usr/local/bin/aider --model demo",
        "Aider v0.75.1",
        "Main model: demo/model-2 with diff edit format, infinite output",
        "Git repo: .git with 120 files",
        "Repo-map: using 4096 tokens, auto refresh",
      ]),
    );
    const requests = 3 + text.number(18);
    for (let n = 0; n < requests; n++) file.add(makeRequest(text, n));
  }
  return file.bytes();
}

function makeRequest(text: SeededText, n: number): string {
  const path = `src/${text.word()}_${text.word()}.py`;
  const asked = n % 5 === 4 ? `#### /add ${path}  \n> Added ${path} to the chat.  \n\n` : "";
  const blocks = Array.from({ length: n % 7 === 6 ? 0 : 1 + text.number(3) }, () => makeBlock(text, path));
  const said = `${asked}#### ${text.prose(1)}  \n\n${text.prose(3)}\n\n${blocks.join("\n")}${text.prose(1)}\n\n`;
  const told = ["Tokens: 9.6k sent, 1.1k cache hit, 212 received. Cost: $0.01 message, $0.05 session."];
  if (blocks.length > 0) told.push(`Applied edit to ${path}`, `Commit 1a2b3c4 fix: ${text.word()}`);
  if (n % 6 === 5) told.push("Running: python -m pytest -q", ...text.lines(900, "log").split("\n"));
  return `${said}${quoted(told)}`;
}

function makeBlock(text: SeededText, path: string): string {
  const before = text.lines(150 + text.number(400), "code");
  const after = text.lines(200 + text.number(900), "code");
  return `${path}\n\`\`\`python\n<<<<<<< SEARCH\n${before}\n=======\n${after}\n>>>>>>> REPLACE\n\`\`\`\n`;
}

/** Lines as aider quotes what it says itself. */
function quoted(lines: readonly string[]): string {
  return `${lines.map((line) => `> ${line}  \n`).join("")}\n`;
}
