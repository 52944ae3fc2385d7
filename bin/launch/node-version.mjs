// In words that every Node with modules understands: it is what an old one is told with.

/**
 * What is wrong with a version of Node.
 * @param {string} version as `process.versions.node` gives it
 * @returns {string | null} one sentence, null when it will do
 */
export function whyNotThisNode(version) {
  const [major, minor] = version.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return null;
  return `Misstep needs Node 20.19 or newer, and this is ${version}: install a newer one from https://nodejs.org.`;
}
