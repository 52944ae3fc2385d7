import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fingerprint } from "./fingerprint.mjs";

let root = "";
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "misstep-fingerprint-"));
  write("app/page.tsx", "one");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), text);
}
const now = () => fingerprint(root, ["app", "proxy.ts"]);

describe("fingerprint", () => {
  it("changes with a content, a name, and a file that appears", () => {
    const seen = [now()];
    write("app/page.tsx", "two");
    seen.push(now());
    write("app/deep/er/page.tsx", "two");
    seen.push(now());
    write("proxy.ts", "");
    seen.push(now());
    expect(new Set(seen).size).toBe(4);
  });

  it("does not change with what no build contains", () => {
    const before = now();
    for (const name of [
      "app/page.test.tsx",
      "app/README.md",
      "app/fixtures/a.txt",
      "app/generated/a.ts",
      "app/.hidden",
    ])
      write(name, "new");
    expect(now()).toBe(before);
  });

  it("does not confuse where one file ends and the next begins", () => {
    write("app/a", "xy");
    write("app/b", "");
    const before = now();
    write("app/a", "x");
    write("app/b", "y");
    expect(now()).not.toBe(before);
  });
});
