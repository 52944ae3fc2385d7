// `npm test`, also on a fresh clone: no packages may be imported here, and an old Node is told so in one sentence.
import { whyNotThisNode } from "./launch/node-version.mjs";

const reason = whyNotThisNode(process.versions.node);
if (reason !== null) {
  console.error(reason);
  process.exitCode = 1;
} else {
  const { main } = await import("./check/main.mjs");
  const { Refusal } = await import("./launch/refusal.mjs");
  const code = await main(process.argv.slice(2)).catch((error) => {
    if (!(error instanceof Refusal)) throw error;
    if (error.details) console.error(error.details.replace(/^/gm, "  "));
    console.error(error.message);
    return 1;
  });
  process.exit(code);
}
