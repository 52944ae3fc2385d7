import { describe, expect, it } from "vitest";
import { TextCache } from "./text-cache";

describe("TextCache", () => {
  it("makes a text once and forgets those used longest ago", async () => {
    const cache = new TextCache(100);
    const made: string[] = [];
    const get = (key: string, chars: number) =>
      cache.get(key, async () => {
        made.push(key);
        return { text: "x".repeat(chars), secrets: new Map() };
      });
    await get("a", 40);
    await get("b", 40);
    await get("a", 40);
    await get("c", 40);
    await get("a", 40);
    await get("b", 40);
    expect(made).toEqual(["a", "b", "c", "b"]);
  });

  it("does not keep a text that would take most of it, nor a missing one", async () => {
    const cache = new TextCache(100);
    let made = 0;
    for (let i = 0; i < 2; i += 1) {
      await cache.get("big", async () => {
        made += 1;
        return { text: "x".repeat(60), secrets: new Map() };
      });
      await cache.get("none", async () => {
        made += 1;
        return null;
      });
    }
    expect(made).toBe(4);
  });
});
