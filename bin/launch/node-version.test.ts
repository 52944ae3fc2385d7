import { expect, test } from "vitest";
import { whyNotThisNode } from "./node-version.mjs";

test.each(["20.19.0", "20.20.2", "22.0.0", "100.1.0"])("Node %s will do", (version) => {
  expect(whyNotThisNode(version)).toBeNull();
});

test.each(["20.18.3", "18.20.0", "20.2.0", "9.0.0"])("Node %s is told what is needed", (version) => {
  expect(whyNotThisNode(version)).toContain(`20.19 or newer, and this is ${version}`);
});
