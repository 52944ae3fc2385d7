import { z } from "zod";
import type { JudgeTool } from "./port";

/**
 * A tool's parameters as JSON Schema (draft 7, which every endpoint knows), for a model that writes the arguments. The
 * bounds that zod gives every whole number say nothing, and some endpoints refuse them: they are left out.
 */
export function parametersOf(tool: JudgeTool): Record<string, unknown> {
  const schema = z.toJSONSchema(tool.parameters, {
    target: "draft-7",
    io: "input",
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
  const { $schema: _dialect, ...rest } = schema;
  return rest;
}
