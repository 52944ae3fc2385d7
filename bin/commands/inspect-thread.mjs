// What is given to node by --import does not reach the threads of this Node version: TypeScript is registered here.
import { register } from "tsx/esm/api";

register();
await import("./inspect-thread.ts");
