import { spawn } from "node:child_process";
import path from "node:path";

const root = path.join(import.meta.dirname, "..", "..");

/** What a command said. */
export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs `npm run -s misstep -- ...` against the product under test, as a person would in another terminal: it finds the
 * database by the data folder alone.
 */
export function misstep(args: string[], input = ""): Promise<CommandResult> {
  const dataDir = path.join(process.env.MISSTEP_TEST_FOLDER ?? path.join(root, ".test"), "data");
  const own = /^(MISSTEP_.*|DATABASE_URL|PORT|NODE_ENV)$/;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !own.test(name)));
  return new Promise((resolve, reject) => {
    const child = spawn("npm", ["run", "-s", "misstep", "--", ...args], {
      cwd: root,
      env: { ...env, NODE_ENV: "production", MISSTEP_DATA_DIR: dataDir },
      shell: process.platform === "win32",
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.stdin.end(input);
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** Makes a key for scripts. */
export async function makeApiKey(): Promise<string> {
  const { code, stdout, stderr } = await misstep(["token"]);
  const key = stdout.trim().split(/\s+/).at(-1);
  if (code !== 0 || !key) throw new Error(`No key was made (exit code ${code}): ${stderr}`);
  return key;
}
