import { type Goal, type Load, measureLoad } from "../browser/load";
import { addTrajectories, fillFile, nameOfPart } from "../browser/many-trajectories";
import { type BenchProduct, startBenchProduct } from "../browser/product";
import { uploadTrace } from "../browser/upload";
import { makeChatMessages } from "../inputs/chat-messages";
import { makeLongRun } from "../inputs/long-run";
import { interleave } from "../measure";
import { type Figure, medianFigure, type Question, ratioFigure, singleFigure } from "../question";

/** Of each product: the rows of its list, one of them a file, and the trajectories that the file holds. */
const SIZES = [
  { rows: 100, parts: 100 },
  { rows: 10_000, parts: 5_000 },
];
const AT_MOST = 1.5;
const ROUNDS = 9;
const NEWEST = "newest-run.traj";

export const question: Question = {
  id: "open-list",
  title:
    "First page of the table of 10,000 rows, one a file with 5,000 trajectories, against one of 100 with a file of 100; " +
    "and the pages of the two files",
  bound: `at most ${AT_MOST} times`,
  run: async () => {
    const products: BenchProduct[] = [];
    try {
      const cases: { name: string; sample: () => Promise<Load> }[] = [];
      for (const { rows, parts } of SIZES) {
        const product = await startBenchProduct(() => undefined);
        products.push(product);
        const context = await product.newContext();
        const conversations = [1, 2].map((seed) => makeChatMessages({ sizeBytes: 20_000, seed }));
        const fileId = await uploadTrace(context, product.origin, "rows.jsonl", Buffer.concat(conversations));
        const id = await uploadTrace(context, product.origin, NEWEST, makeLongRun(30, "list"));
        await addTrajectories(product.databaseUrl, id, rows - 2);
        await fillFile(product.databaseUrl, fileId, parts);
        const load = (goal: Omit<Goal, "within">) => () => measureLoad(product.newContext, { ...goal, within: "main" });
        cases.push(
          { name: `list ${rows}`, sample: load({ path: "/", text: NEWEST }) },
          { name: `file ${parts}`, sample: load({ path: `/t/${fileId}`, text: nameOfPart(49) }) },
        );
      }
      const loads = await interleave(cases, { rounds: ROUNDS });
      return {
        figures: [
          ...figuresOf("rows", loads["list 100"] ?? [], loads["list 10000"] ?? [], ["100", "10,000"]),
          ...figuresOf("trajectories of a file", loads["file 100"] ?? [], loads["file 5000"] ?? [], ["100", "5,000"]),
        ],
        remarks: [
          "From the start of the navigation to the newest row visible, in a new browser context each time; on the page of " +
            "a file to its 50th trajectory.",
          "Both files stand on the first page of their list.",
        ],
      };
    } finally {
      for (const product of products) await product.stop();
    }
  },
};

function figuresOf(what: string, few: Load[], many: Load[], [fewName, manyName]: [string, string]): Figure[] {
  const ms = (some: Load[]): number[] => some.map((load) => load.visibleMs);
  return [
    ratioFigure(`${manyName} ${what} / ${fewName}`, ms(many), ms(few), AT_MOST),
    medianFigure(`${manyName} ${what}`, "ms", ms(many)),
    medianFigure(`${fewName} ${what}`, "ms", ms(few)),
    singleFigure(`elements in the page, ${manyName} ${what}`, "count", Math.max(...many.map((load) => load.elements))),
  ];
}
