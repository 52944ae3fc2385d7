import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { whyInstall } from "./install.mjs";

let root = "";
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "misstep-install-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

type Packages = Record<string, { version: string; optional?: boolean }>;
const direct = { a: "1.0.0" };
const wanted: Packages = {
  "node_modules/a": { version: "1.0.0" },
  "node_modules/a/node_modules/b": { version: "2.0.0" },
  "node_modules/for-another-system": { version: "1.0.0", optional: true },
};
const { "node_modules/for-another-system": _, ...here } = wanted;

function clone(installed: Packages | null): void {
  const lock = { packages: { "": { dependencies: direct }, ...wanted } };
  writeFileSync(path.join(root, "package-lock.json"), JSON.stringify(lock));
  mkdirSync(path.join(root, "node_modules", "a"), { recursive: true });
  writeFileSync(path.join(root, "node_modules", "a", "package.json"), "{}");
  if (installed)
    writeFileSync(path.join(root, "node_modules", ".package-lock.json"), JSON.stringify({ packages: installed }));
}

describe("whyInstall", () => {
  it("has nothing to do when what is there is what the lock says", () => {
    clone(here);
    expect(whyInstall(root)).toBeNull();
    clone(wanted);
    expect(whyInstall(root)).toBeNull();
  });

  it("installs on a fresh clone", () => {
    clone(here);
    rmSync(path.join(root, "node_modules"), { recursive: true });
    expect(whyInstall(root)).toBe("missing");
  });

  it("installs again after an install that was cut off", () => {
    clone(null);
    expect(whyInstall(root)).toBe("unfinished");
  });

  it("names a package of another version, one that is missing, and one whose folder was deleted", () => {
    clone({ ...here, "node_modules/a/node_modules/b": { version: "1.9.0" } });
    expect(whyInstall(root)).toBe("b is another version");
    clone({ "node_modules/a": { version: "1.0.0" } });
    expect(whyInstall(root)).toBe("b is missing");
    clone(here);
    rmSync(path.join(root, "node_modules", "a"), { recursive: true });
    expect(whyInstall(root)).toBe("a is missing");
  });
});
