import { describe, expect, it } from "vitest";
import { editorColour } from "./monaco-theme";

describe("colours for the editor", () => {
  it.each([
    ["#FFFFFF", "#ffffff"],
    [" #fff", "#ffffff"],
    ["#1d5", "#11dd55"],
    ["rgb(1 2 3)", "#808080"],
    ["", "#808080"],
  ])("%s", (token, expected) => {
    expect(editorColour(token)).toBe(expected);
  });
});
