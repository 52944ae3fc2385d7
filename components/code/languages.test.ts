import { describe, expect, it } from "vitest";
import { languageOf } from "@/lib/catalogue/languages";
import { editorLanguage } from "./languages";

describe("languages of the editor", () => {
  it("X10: are chosen from our own list, whatever a file is called", () => {
    expect(editorLanguage(languageOf("src/a.py"))).toBe("python");
    expect(editorLanguage("toString")).toBe("plaintext");
    expect(editorLanguage("__proto__")).toBe("plaintext");
    expect(editorLanguage("../../evil")).toBe("plaintext");
  });
});
