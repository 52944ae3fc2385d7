import { type Engine, engineOf, randomEngine } from "@/lib/evaluation/engine";
import { structuralLocalizer } from "@/lib/investigator/structural";
import { learnedEngine } from "./learned-engine";

/** The engines that can be held against labels, each made when it is asked for. One line an engine. */
export const EVALUATION_ENGINES: Readonly<Record<string, () => Promise<Engine>>> = {
  structural: async () => engineOf(structuralLocalizer, true),
  learned: async () => learnedEngine,
  random: async () => randomEngine,
};

/** The engine that the others are held against: it costs nothing, and an engine that is no better earns no place. */
export const REFERENCE_ENGINE = "structural";
