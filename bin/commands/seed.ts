import { stopSender } from "@/lib/jobs";
import { receiveUpload } from "@/lib/store/uploads";
import { demoRuns } from "@/prisma/demo";
import { withStore } from "./store-session";

/**
 * `misstep seed`: adds the demo trajectories through the same door as every upload. Doing it again adds nothing, because
 * the same bytes link to the first.
 */
export async function seed(): Promise<void> {
  const runs = demoRuns();
  const answers = await withStore(async (scope) => {
    const made = [];
    try {
      for (const { name, bytes, outcome } of runs) {
        const body = new Blob([new Uint8Array(bytes)]).stream();
        const contentLength = bytes.length;
        made.push(
          await receiveUpload(scope, { name, body, contentLength, sha256: null, isDemo: true, given: { outcome } }),
        );
      }
    } finally {
      await stopSender();
    }
    return made;
  });
  const added = answers.filter((answer) => !answer.duplicate).length;
  process.stdout.write(`${added} demo trajectories added, ${answers.length - added} were there.\n`);
}
