import { FILES } from "./file-scenarios";
import { PATCHES } from "./patch-scenarios";
import type { Family } from "./scenario-parts";
import { SCRIPTS } from "./script-scenarios";
import { SHELL } from "./shell-scenarios";

/** Every family of generated scenarios. */
export const FAMILIES: readonly Family[] = [...SCRIPTS, ...SHELL, ...FILES, ...PATCHES];
