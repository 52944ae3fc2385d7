// `npm start`. Plain Node and nothing else up to here: on a fresh clone there are no packages yet, and on an old Node even
// the launcher's own files may not load.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Misstep needs Node 20.19 or newer, and this is ${process.versions.node}: install a newer one from https://nodejs.org.`,
  );
  process.exitCode = 1;
} else {
  const { main } = await import("./launch/main.mjs");
  await main();
}
