import { config } from "zod";

// Next runs this before any component. zod would otherwise try `new Function` once to see whether it may compile its
// schemas: under the pages' content security policy it may not, and each try is reported as a violation.
config({ jitless: true });
