// `npm test`, also on a fresh clone: no packages may be imported here, and an old Node is told so in one sentence.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Misstep needs Node 20.19 or newer, and this is ${process.versions.node}: install a newer one from https://nodejs.org.`,
  );
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
