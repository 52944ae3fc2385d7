import { fuzzFormats } from "./fuzz/formats";
import { fuzzWrites } from "./fuzz/writes";

// npm run -s fuzz -- [formats | writes] [--cases N] [--seed N] [--only TEXT]
// Without a name both run. The exit code is 1 when anything failed; the seed that is printed brings it back.

const [first = "", ...rest] = process.argv.slice(2);
const kinds = ["formats", "writes"];
const args = kinds.includes(first) ? rest : [first, ...rest];
const option = (name: string): string | undefined => args[args.indexOf(`--${name}`) + 1 || args.length];
const seed = Number(option("seed") ?? Date.now() % 2_147_483_647);
const only = option("only") ?? "";
const cases = option("cases");

process.stdout.write(`seed ${seed}\n`);
let failures = 0;
if (first !== "writes") failures += await fuzzFormats({ seed, only, cases: Number(cases ?? 200) });
if (first !== "formats") failures += fuzzWrites({ seed, only, cases: Number(cases ?? 10_000) });
process.exitCode = failures === 0 ? 0 : 1;
