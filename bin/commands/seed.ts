import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { receiveUpload } from "@/lib/store/uploads";
import { withStore } from "./store-session";

const FOLDER = path.join(import.meta.dirname, "..", "..", "prisma", "demo", "runs");

/**
 * `misstep seed`: adds the demo trajectories through the same door as every upload. Doing it again adds nothing, because
 * the same bytes link to the first.
 */
export async function seed(): Promise<void> {
  const names = (await readdir(FOLDER)).filter((name) => /\.(traj|jsonl?)$/.test(name)).sort();
  const answers = await withStore(async (scope) => {
    const made = [];
    for (const name of names) {
      const bytes = new Uint8Array(await readFile(path.join(FOLDER, name)));
      const body = new Blob([bytes]).stream();
      made.push(await receiveUpload(scope, { name, body, contentLength: bytes.length, sha256: null, isDemo: true }));
    }
    return made;
  });
  const added = answers.filter((answer) => !answer.duplicate).length;
  process.stdout.write(`${added} demo trajectories added, ${answers.length - added} were there.\n`);
}
