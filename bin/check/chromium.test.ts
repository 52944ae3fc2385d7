import { describe, expect, it } from "vitest";
import { findChromium, waysToInstall } from "./chromium.mjs";

describe("findChromium", () => {
  it("takes the one that CHROMIUM_PATH names, and no other", () => {
    const env = { NODE_ENV: "test", CHROMIUM_PATH: process.execPath } as const;
    expect(findChromium(env)).toBe(process.execPath); // any program that tells its version will do
    expect(() => findChromium(env, () => false)).toThrow(
      `CHROMIUM_PATH is ${process.execPath}, which does not start: correct it, or unset it.`,
    );
    expect(() => findChromium({ NODE_ENV: "test", CHROMIUM_PATH: "/no/such/program" })).toThrow(/does not start/);
  });

  it("finds none where nothing starts, such as a package that only names another way to install it", () => {
    expect(findChromium({ NODE_ENV: "test" }, () => false)).toBeNull();
  });
});

describe("waysToInstall", () => {
  const names = (isRoot: boolean, hasApt: boolean) =>
    waysToInstall(isRoot, hasApt).map(([command = "", ...args]) => [command.split("/").at(-1), ...args.slice(-2)]);
  const node = process.execPath.split("/").at(-1);

  it("is the system's package where root can, and Playwright's own after that or instead", () => {
    expect(names(true, true)).toEqual([
      ["apt-get", "update"],
      ["apt-get", "--no-install-recommends", "chromium"],
      [node, "--with-deps", "chromium"],
    ]);
    expect(names(true, false)).toEqual([[node, "--with-deps", "chromium"]]);
    expect(names(false, true)).toEqual([[node, "install", "chromium"]]);
  });
});
