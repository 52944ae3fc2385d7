import { type Load, measureLoad } from "../browser/load";
import { addTrajectories } from "../browser/many-trajectories";
import { type BenchProduct, startBenchProduct } from "../browser/product";
import { uploadTrace } from "../browser/upload";
import { makeLongRun } from "../inputs/long-run";
import { interleave } from "../measure";
import { medianFigure, type Question, ratioFigure, singleFigure } from "../question";

const ROWS = [100, 10_000];
const AT_MOST = 1.5;
const ROUNDS = 9;
const NEWEST = "newest-run.traj";

export const question: Question = {
  id: "open-list",
  title: "First page of the table of 10,000 trajectories, against one of 100",
  bound: `at most ${AT_MOST} times`,
  run: async () => {
    const products: BenchProduct[] = [];
    try {
      for (const rows of ROWS) {
        const product = await startBenchProduct(() => undefined);
        products.push(product);
        const id = await uploadTrace(await product.newContext(), product.origin, NEWEST, makeLongRun(30, "list"));
        await addTrajectories(product.databaseUrl, id, rows - 1);
      }
      const goal = { path: "/", within: "main", text: NEWEST };
      const cases = products.map(({ newContext }, n) => ({
        name: `${ROWS[n]}`,
        sample: () => measureLoad(newContext, goal),
      }));
      const loads = await interleave(cases, { rounds: ROUNDS });
      const [few, many] = ROWS.map((rows) => loads[`${rows}`] ?? []);
      const ms = (some: Load[] | undefined): number[] => (some ?? []).map((load) => load.visibleMs);
      return {
        figures: [
          ratioFigure("10,000 rows / 100 rows", ms(many), ms(few), AT_MOST),
          medianFigure("10,000 rows", "ms", ms(many)),
          medianFigure("100 rows", "ms", ms(few)),
          singleFigure("elements in the page, 10,000 rows", "count", Math.max(...(many ?? []).map((l) => l.elements))),
        ],
        remarks: ["From the start of the navigation to the newest row visible, in a new browser context each time."],
      };
    } finally {
      for (const product of products) await product.stop();
    }
  },
};
