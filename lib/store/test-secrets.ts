import { plantedSecrets } from "@/lib/redact/test-support";
import type { Item, Trajectory } from "@/lib/trajectory/schema";
import { call, context, createsFile, type RunParts, replacesText, result, thought, turn } from "./test-runs";

/** A secret of each family, numbered, in the text that it stands in. */
export function numberedPlants(): { name: string; text: string; secret: string; family: string }[] {
  return plantedSecrets().map((planted, n) => ({ ...planted, name: `${planted.family} ${n}` }));
}

/** A secret that needs no words around it to be known for one, and that a path can hold. */
function standsAlone(planted: { text: string; secret: string }): boolean {
  return planted.text.startsWith("value ") && /^[\w.-]+$/.test(planted.secret);
}

/**
 * A run with a secret of every family in every place that a share shows: thoughts, context and its title, commands and
 * the titles made of them, arguments, results, code before and after, file names, notes, names of tools and agents,
 * verdict reasons and quotations that begin or end inside it; across the borders of heads, tails and pieces; as base64.
 */
export function plantedRun(): RunParts {
  const plants = numberedPlants();
  const entries: Trajectory["entries"] = [];
  const reasons: string[] = [];
  const quotations: { item: string; turn: number; field: "text"; start: number; end: number; text: string }[] = [];
  let index = 0;
  const next = (items: (n: number) => Item[], more: Partial<ReturnType<typeof turn>> = {}): void => {
    entries.push(turn(index, items(index), more));
    index += 1;
  };
  plants.forEach((planted, n) => {
    const { text, secret } = planted;
    entries.push(context(`c${n}`, `${text}\nthe rest of the context`, { arrival: index * 10 }));
    const said = `I saw ${text} there`;
    const at = said.indexOf(secret);
    const half = at + Math.floor(secret.length / 2);
    quotations.push(
      { item: `t${index}.0`, turn: index, field: "text", start: 0, end: half, text: said.slice(0, half) },
      { item: `t${index}.0`, turn: index, field: "text", start: half, end: said.length, text: said.slice(half) },
    );
    reasons.push(`${said.slice(0, half)}…`);
    next((i) => [
      thought(`t${i}.0`, said, i * 10),
      call(`t${i}.1`, "bash", { text: `${"echo filler ".repeat(5)} ${text}`, arrival: i * 10 + 1 }),
      result(`t${i}.2`, `t${i}.1`, `out ${text}\n${Buffer.from(`k ${text}`).toString("base64")}\n`, {
        arrival: i * 10 + 2,
      }),
      call(`t${i}.3`, "Bash", { arguments: { command: `run ${text}`, env: { nested: [text] } }, arrival: i * 10 + 3 }),
    ]);
    next((i) => [thought(`t${i}.0`, acrossBorders(text, secret), i * 10)]);
    next((i) => [
      call(`t${i}.0`, "Bash", { arguments: { command: acrossBorders(text, secret), z: text }, arrival: i * 10 }),
    ]);
    const path = standsAlone(planted) ? `/testbed/${secret}.py` : `/testbed/file${n}.py`;
    entries.push(createsFile(index++, path, `import os\n${text}\nprint("one")\n`));
    entries.push(replacesText(index++, path, `print("one")`, `print("two")\n# ${text}`));
  });
  const alone = plants.filter(standsAlone);
  const [first] = quotations;
  if (first === undefined) throw new Error("no secrets planted");
  return {
    entries,
    name: `${alone[0]?.secret}.traj`,
    trajectory: {
      title: `Title ${alone[1]?.secret}`,
      models: [`model ${alone[2]?.secret}`],
      framework: { name: `framework ${alone[3]?.secret}`, version: alone[4]?.secret ?? null },
      exitStatus: `exit ${alone[5]?.secret}`,
      agents: [{ id: "main", name: `agent ${alone[6]?.secret}`, startedByTurn: null }],
      task: {
        statement: plants.map(({ text }) => text).join("\n"),
        instance: null,
        repository: null,
        baseCommit: null,
      },
      notes: plants.map(({ text }) => ({
        code: "planted",
        level: "information",
        message: text,
        count: 1,
        positions: [{ line: 1, pointer: `/${text}`, start: 0, end: 1 }],
      })),
    },
    verdict: {
      engine: "structural",
      engineVersion: "test@1",
      status: "undetermined",
      undeterminedReason: reasons.join(" "),
      reliability: { class: "lower", reason: reasons.join(" ") },
      candidates: [
        {
          rank: 1,
          turn: 0,
          score: 1,
          reasonCode: "planted",
          reason: reasons.join(" "),
          quotations: [first, ...quotations.slice(1)],
          file: `/testbed/${alone[0]?.secret}.py`,
          line: 1,
          contributions: [{ feature: "planted", value: 1, words: reasons.join(" "), quotation: 0 }],
        },
      ],
      suspicion: [],
    },
  };
}

/** A text of two pieces with the secret across the head's end, across the pieces' border and across the tail's start. */
function acrossBorders(text: string, secret: string): string {
  const middle = text.indexOf(secret) + Math.floor(secret.length / 2);
  const filler = (chars: number): string => "filler word\n".repeat(Math.ceil(chars / 12)).slice(-chars);
  let whole = "";
  for (const border of [6_000, 65_536]) whole += filler(border - whole.length - middle) + text;
  return `${whole}${filler(20_000)}${text}${filler(2_000 - (text.length - middle))}`;
}
