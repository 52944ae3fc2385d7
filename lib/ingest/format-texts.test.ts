import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TRACE_FORMATS } from "@/lib/catalogue/formats";
import { betweenMarks, FORMAT_FILES } from "./format-texts";
import { ADAPTERS } from "./ingest";

const root = join(import.meta.dirname, "..", "..");

describe("what people read about formats", () => {
  it.each(FORMAT_FILES)("$path is up to date (else: npm run formats)", ({ path, write }) => {
    const text = readFileSync(join(root, path), "utf8");
    expect(text).toBe(write(text, ADAPTERS));
  });

  it("lists every adapter on pages", () => {
    expect(TRACE_FORMATS.map((format) => format.id)).toEqual(ADAPTERS.map((adapter) => adapter.id));
  });

  it.each(ADAPTERS)("$id answers every question, in one line for pages", ({ about }) => {
    expect(about.extensions.length).toBeGreaterThan(0);
    for (const extension of about.extensions) expect(extension).toMatch(/^\.[a-z.]+$/);
    expect(about.description.length).toBeLessThanOrEqual(100);
    const { extensions, details, ...texts } = about;
    for (const text of Object.values(texts)) expect(text).toMatch(/^\S[^\n]*\S$/);
    for (const text of details) expect(text).toMatch(/^\*\*[^\n]+$/);
  });

  it("replaces what stands between the marks and nothing else", () => {
    const marked = (inner: string): string =>
      `a\n<!-- npm run formats: begin -->${inner}<!-- npm run formats: end -->\nb`;
    expect(betweenMarks(marked("old"), "new")).toBe(marked("new"));
    expect(() => betweenMarks("no marks", "new")).toThrow(RangeError);
  });
});
