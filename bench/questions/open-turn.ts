import type { Page } from "@playwright/test";
import { type Load, measureKey, measureLoad } from "../browser/load";
import { startBenchProduct } from "../browser/product";
import { uploadTrace } from "../browser/upload";
import { makeLongRun, textOfTurn } from "../inputs/long-run";
import { interleave } from "../measure";
import { type Figure, medianFigure, type Question, ratioFigure, singleFigure } from "../question";

const SHORT = 100;
const LONG = 10_000;
const ROUNDS = 9;
const AT_MOST = 1.5;
const WIRE_MAX_BYTES = 500_000;
const SCRIPT_MAX_BYTES = 350_000;
const ELEMENTS_MAX = 3_000;
const ANSWER_MAX_BYTES = 1_000_000;
/** Turns that are walked with `j`, up to the last. */
const WALKED = 20;

export const question: Question = {
  id: "open-turn",
  title:
    "Opening a 10,000-turn trajectory at a link to its last turn, against one of 100 turns; and the next turn by j",
  bound:
    `at most ${AT_MOST} times; under 500 kB on the wire, 350 kB of it scripts, ${ELEMENTS_MAX} elements, ` +
    "no answer of the API over 1 MB",
  run: async () => {
    const product = await startBenchProduct(() => undefined);
    try {
      const context = await product.newContext();
      const paths = new Map<number, string>();
      for (const turns of [SHORT, LONG]) {
        const id = await uploadTrace(context, product.origin, `${turns}.traj`, makeLongRun(turns, `open ${turns}`));
        paths.set(turns, `/t/${id}`);
      }
      const load = (turns: number): Promise<Load> =>
        measureLoad(product.newContext, {
          path: `${paths.get(turns)}?turn=${turns}`,
          within: "[data-item]",
          text: textOfTurn(turns),
        });
      const cases = [SHORT, LONG].map((turns) => ({ name: `${turns}`, sample: () => load(turns) }));
      const loads = await interleave(cases, { rounds: ROUNDS });
      const first = LONG - WALKED;
      const steps: number[] = [];
      await measureLoad(
        product.newContext,
        { path: `${paths.get(LONG)}?turn=${first}`, within: "[data-item]", text: textOfTurn(first) },
        async (page) => void steps.push(...(await walk(page, first, LONG))),
      );
      return { figures: [...openingFigures(loads[SHORT] ?? [], loads[LONG] ?? []), medianFigure("j", "ms", steps)] };
    } finally {
      await product.stop();
    }
  },
};

function openingFigures(short: Load[], long: Load[]): Figure[] {
  const ms = (loads: Load[]): number[] => loads.map((load) => load.visibleMs);
  const most = (of: (load: Load) => number): number => Math.max(...long.map(of));
  return [
    ratioFigure("10,000 turns / 100 turns", ms(long), ms(short), AT_MOST),
    medianFigure("10,000 turns", "ms", ms(long)),
    medianFigure("100 turns", "ms", ms(short)),
    singleFigure(
      "on the wire, 10,000 turns",
      "bytes",
      most((load) => load.wireBytes),
      WIRE_MAX_BYTES,
    ),
    singleFigure(
      "of it scripts, the editor not among them",
      "bytes",
      most((load) => load.scriptBytes),
      SCRIPT_MAX_BYTES,
    ),
    singleFigure(
      "elements in the page",
      "count",
      most((load) => load.elements),
      ELEMENTS_MAX,
    ),
    singleFigure(
      "largest answer of the API",
      "bytes",
      most((load) => load.largestAnswerBytes),
      ANSWER_MAX_BYTES,
    ),
  ];
}

/** Presses `j` from turn to turn, and says how long each took from the key to the frame with the next turn's text. */
async function walk(page: Page, first: number, last: number): Promise<number[]> {
  const taken: number[] = [];
  for (let turn = first + 1; turn <= last; turn++) {
    taken.push(await measureKey(page, "j", { within: "[data-item]", text: textOfTurn(turn) }));
  }
  return taken;
}
