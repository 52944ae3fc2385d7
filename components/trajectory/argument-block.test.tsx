import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { ArgumentBlock } from "./argument-block";
import { InForensics, runWith, wholeText } from "./forensics-fixture";
import type { MarkedStretch } from "./text-lines";

afterEach(cleanup);

const show = (view: Parameters<typeof ArgumentBlock>[0]["view"], quotations: MarkedStretch[] = []) =>
  render(
    <InForensics run={runWith()}>
      <ArgumentBlock view={view} item="a" quotations={quotations} />
    </InForensics>,
  ).container;
const written = (value: unknown) => JSON.stringify(value, null, 2);
const quoted = (json: string, text: string): MarkedStretch => {
  const start = json.indexOf(text);
  return { start, end: start + text.length, text, kind: "decisive", n: 1 };
};

describe("the arguments of a call", () => {
  it("are fields with real line breaks, and quotations stand where they stand in the JSON text", () => {
    const json = written({ file_path: "/a.py", content: 'one\n\ttwo "2"\nthree\n', limit: 3 });
    const container = show(wholeText(json), [quoted(json, '\\ttwo \\"2\\"\\nthr')]);
    expect([...container.querySelectorAll("dt")].map((each) => each.textContent)).toEqual([
      "file_path",
      "content3 lines",
      "limit",
    ]);
    expect(container.textContent).not.toContain("\\n");
    expect([...container.querySelectorAll("mark")].map((each) => each.textContent)).toEqual(['\ttwo "2"', "thr"]);
  });

  it("show both sides of an edit, and an empty one as empty", () => {
    const container = show(wholeText(written({ old_string: "a\nb", new_string: "" })));
    expect(container.querySelectorAll("dd")[0]?.textContent).toBe("−a−b");
    expect(container.querySelectorAll("dd")[1]?.textContent).toBe("empty");
  });

  it("X1, X8: stay words, with every hidden character and escape sequence in sight", () => {
    const container = show(
      wholeText(written({ '<img src="x">': "<script>1</script>", content: "a\u202eb\n\u001b[31mred\u0000" })),
    );
    expect(container.querySelector("img, script")).toBeNull();
    expect(container.textContent).toContain("<script>1</script>");
    for (const box of ["U+202E", "U+001B", "U+0000"]) expect(container.textContent).toContain(box);
    expect(container.querySelector(".text-a-red")).toBeNull();
  });

  it("fold many lines, but never a quoted one", () => {
    const json = written({ content: Array.from({ length: 60 }, (_, i) => `line ${i + 1} here`).join("\n") });
    const container = show(wholeText(json));
    expect(container.textContent).not.toContain("line 30 here");
    fireEvent.click(screen.getByRole("button", { name: /^40 lines/ }));
    expect(container.textContent).toContain("line 30 here");
    cleanup();
    expect(show(wholeText(json), [quoted(json, "line 30 here")]).querySelector("mark")?.textContent).toBe(
      "line 30 here",
    );
  });

  it("show both ends of a long text, with what is not shown counted and openable", () => {
    const json = written({ content: `first line\n${"x = 1;\n".repeat(900)}last line`, limit: 3 });
    const [head, tail] = [json.slice(0, 40), json.slice(-40)];
    const omittedChars = json.length - 80;
    const container = show({ head, tail, totalChars: json.length, totalLines: 4, omittedChars, omittedLines: 0 }, [
      quoted(json, "last line"),
    ]);
    expect([...container.querySelectorAll("dt")].map((each) => each.textContent)).toEqual([
      "content",
      "rest of content",
      "limit",
    ]);
    expect(container.querySelector("mark")?.textContent).toBe("last line");
    fireEvent.click(screen.getByRole("button", { name: /^[\d,]+ characters not shown\s*Open as JSON$/ }));
    expect(container.querySelector("dt")).toBeNull();
    expect(container.textContent).toContain("x = 1;\\n");
  });

  it("stay JSON text when only its ends are here", () => {
    const view = { ...wholeText('{\n  "content": "a\\nb'), tail: 'z"\n}', totalChars: 9_000, omittedChars: 8_976 };
    const container = show(view);
    expect(container.querySelector("dt")).toBeNull();
    expect(container.textContent).toContain('"content": "a\\nb');
    expect(screen.getByRole("button", { name: /8,976 characters not shown/ })).toBeDefined();
  });
});
