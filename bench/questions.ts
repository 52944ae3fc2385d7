import type { Question } from "./question";

/** One line a question, by its id. They are loaded when they are asked, so that one does not need what another needs. */
export const QUESTIONS: Record<string, () => Promise<{ question: Question }>> = {
  "import-parse": () => import("./questions/import-parse"),
  "import-parse-further": () => import("./questions/import-parse-further"),
  history: () => import("./questions/history"),
  "worker-memory": () => import("./questions/worker-memory"),
  fold: () => import("./questions/fold"),
  investigation: () => import("./questions/investigation"),
  "open-turn": () => import("./questions/open-turn"),
  "open-list": () => import("./questions/open-list"),
};
