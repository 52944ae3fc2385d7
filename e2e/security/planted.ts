import { plantedSecrets } from "@/lib/redact/test-support";
import { traceOf } from "../forensics/runs";

/** A secret of one family: the words that it stands in, and what of it must not be seen. */
export interface Plant {
  name: string;
  family: string;
  text: string;
  secret: string;
}

/** One secret of each family, put together at run time from a fixed seed. */
export function plants(): Plant[] {
  return plantedSecrets().map((planted, n) => ({ ...planted, name: `${planted.family} ${n}` }));
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\"'\"'")}'`;
const filler = (chars: number): string => "filler of a log\n".repeat(Math.ceil(chars / 16)).slice(-chars);

/** A path can hold it, and it is known for a secret without the words around it. */
const canName = ({ text, secret }: Plant): boolean => text.startsWith("value ") && /^[\w.-]+$/.test(secret);

/**
 * A run that holds every secret in its thoughts, its results (plain, as base64, and in a long one across the place where a
 * page cuts it), and in turn: bare in a command, in the content of a file, in a file's name.
 */
export function plantedTrace(marker: string): string {
  const steps = plants().map((planted, n) => {
    const { text, secret } = planted;
    const base64 = Buffer.from(`k ${text}`).toString("base64");
    const long = `${filler(5_990)}${text}${filler(70_000)}${text}`;
    const path = canName(planted) ? `/work/shop/${secret}.py` : `/work/shop/file${n}.py`;
    const kinds = [
      { action: `run ${text}`, observation: `out ${text}\n${base64}\n` },
      {
        action: `str_replace_editor create ${path} --file_text ${quoted(`import os\n${text}\nprint(1)\n`)}`,
        observation: `File created successfully at: ${path}\n`,
      },
      { action: `echo ${quoted(text)} > ${path}`, observation: long },
    ];
    return { thought: `I saw ${text} there`, ...(kinds[n % kinds.length] ?? { action: "", observation: "" }) };
  });
  const task = plants().map(({ text }) => text);
  return traceOf(steps, { marker, task: task.join("\n") });
}

/** What of a secret must not occur: it as a whole, its lines, three parts of it, and its middle as base64. */
export function needlesOf({ secret }: Plant): string[] {
  const lines = secret.split("\n").filter((line) => line.length >= 8);
  const parts = lines.flatMap((line) =>
    line.length <= 16 ? [line] : [line.slice(0, 16), line.slice(-16), line.slice((line.length - 16) >> 1).slice(0, 16)],
  );
  const encoded = [0, 1, 2].map((phase) =>
    Buffer.from(`${"x".repeat(phase)}${secret}`)
      .toString("base64")
      .slice(phase === 0 ? 0 : 4, -4),
  );
  return [...new Set([...parts, ...encoded])].filter((needle) => needle.length >= 8);
}
