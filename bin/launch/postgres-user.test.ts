import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { whoRunsPostgres } from "./postgres-user.mjs";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "misstep-user-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const nobody = { uid: 65_534, gid: 65_534, name: "nobody" };
const probe = (uid: number, namespaces: boolean, other: typeof nobody | null = null) => ({
  uid: () => uid,
  hasUserNamespaces: () => namespaces,
  otherUser: () => other,
});

describe("whoRunsPostgres", () => {
  it("is whoever starts it, unless that is root", () => {
    const { wrap, uid } = whoRunsPostgres([folder], "/bin/true", probe(1000, false));
    expect(wrap("postgres", ["-D", "x"])).toEqual(["postgres", ["-D", "x"]]);
    expect(uid).toBeUndefined();
  });

  it("is nobody in a user namespace for root, so that the files stay root's", () => {
    const { wrap, uid } = whoRunsPostgres([folder], "/bin/true", probe(0, true));
    expect(wrap("postgres", ["-D", "x"])).toEqual([
      "unshare",
      ["--user", "--map-user=65534", "--map-group=65534", "postgres", "-D", "x"],
    ]);
    expect(uid).toBeUndefined();
  });

  it("names the two ways out when root has neither namespaces nor another user", () => {
    expect(() => whoRunsPostgres([folder], "/bin/true", probe(0, false))).toThrow(
      "Postgres does not run as root, and here it cannot run as another user (no user namespaces; there is no user postgres or nobody): start Misstep as an ordinary user, or set DATABASE_URL to a Postgres of yours.",
    );
  });

  it("says which folder the other user may not enter", () => {
    const closed = path.join(folder, "closed"); // the temporary folder itself is 0700
    mkdirSync(closed, { mode: 0o700 });
    expect(() => whoRunsPostgres([closed], "/bin/true", probe(0, false, nobody))).toThrow(
      `user nobody may not enter ${folder}`,
    );
    expect(statSync(closed).mode & 0o777).toBe(0o711); // ours on the way to the cluster: entered, never listed
  });
});
