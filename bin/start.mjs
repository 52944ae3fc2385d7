// `npm start`. Plain Node and nothing else up to here: on a fresh clone there are no packages yet, and on an old Node even
// the launcher's own files may not load.
import { whyNotThisNode } from "./launch/node-version.mjs";

const reason = whyNotThisNode(process.versions.node);
if (reason === null) {
  const { main } = await import("./launch/main.mjs");
  await main();
} else {
  console.error(reason);
  process.exitCode = 1;
}
