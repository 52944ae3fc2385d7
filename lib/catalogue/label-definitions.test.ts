import { expect, it } from "vitest";
import { labelDefinition } from "./label-definitions";

it("a data set is known by its name, however it is written", () => {
  for (const name of ["whowhen", "Who&When", "who-and-when", "WHO_AND_WHEN"]) {
    expect(labelDefinition(name)?.kind).toBe("earliest decisive error");
  }
  expect(labelDefinition("tracewake")?.kind).toBe("point of no return");
  expect(labelDefinition("somebody's")).toBeNull();
});
