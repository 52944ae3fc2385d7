import { traceOf } from "./forensics/runs";
import { uploadThroughPage } from "./harness/upload";
import { expect, test } from "./harness/watched-page";
import { findHidden } from "./security/harmless";

/** The editor is 600 kB that a busy machine has to fetch, read and start a worker for. */
const EDITOR_PATIENCE = { timeout: 40_000 };

const CODE = `# see https://attacker.example/page or file:///etc/passwd
url = "javascript:window.__pwned=1"
word = "zero\u200bwidth \u202eesrever"
# [click](javascript:window.__pwned=1) command:workbench.action.files.openFile
`;

test("X4: the editor makes no links of a file's words, by hovering, clicking or keys", async ({ page, context }) => {
  test.setTimeout(120_000);
  const content = traceOf(
    [
      {
        thought: "Write it.",
        action: "str_replace_editor create /work/shop/links.py --file_text 'first = 1\nlast = 2\n'",
        observation: "File created successfully at: /work/shop/links.py\n",
      },
      {
        thought: "Change it.",
        action: `str_replace_editor str_replace /work/shop/links.py --old_str 'first = 1' --new_str '${CODE}'`,
        observation: `The file /work/shop/links.py has been edited. Here's the result of running \`cat -n\` on a snippet of /work/shop/links.py:\n     1\t${CODE}`,
      },
    ],
    { marker: `editor ${Date.now()}`, task: "Links." },
  );
  const row = await uploadThroughPage(page, { name: "editor.traj", content });
  await page.goto(`/t/${row.id}?turn=2&view=code`);
  const editor = page.getByTestId("monaco-diff");
  await expect(editor).toHaveAttribute("data-changes", "1", EDITOR_PATIENCE);
  const opened: string[] = [];
  context.on("page", (one) => opened.push(one.url()));
  const lines = editor.locator(".modified .view-line");
  await expect(lines.filter({ hasText: "attacker.example" })).toBeVisible();
  for (const words of ["attacker.example", "javascript:window", "zero", "click"]) {
    const line = lines.filter({ hasText: words }).first();
    const box = await line.locator("span span").first().boundingBox();
    if (box === null) throw new Error(`the line with ${words} is not drawn`);
    for (const key of ["", "Control"]) {
      if (key !== "") await page.keyboard.down(key);
      for (let x = box.x + 4; x < box.x + box.width; x += 24) await page.mouse.move(x, box.y + box.height / 2);
      await page.waitForTimeout(350);
      await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
      if (key !== "") await page.keyboard.up(key);
      const found = await page.evaluate(() => ({
        ran: "__pwned" in window,
        links: document.querySelectorAll(".detected-link, .detected-link-active, .goto-definition-link").length,
        anchors: [...document.querySelectorAll(".monaco-hover a, .monaco-editor a")].map((a) => a.getAttribute("href")),
        out: [...document.querySelectorAll("a[href]")].filter(
          (a) => a instanceof HTMLAnchorElement && a.origin !== location.origin,
        ).length,
      }));
      expect(found, `${words} ${key}`).toEqual({ ran: false, links: 0, anchors: [], out: 0 });
    }
  }
  expect(opened).toEqual([]);
  expect(new URL(page.url()).pathname).toBe(`/t/${row.id}`);
});

const range = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, i) => first + i);
const HIDDEN = [
  ...range(0x200b, 0x200f),
  ...range(0x202a, 0x202e),
  ...range(0x2066, 0x2069),
  0xe0000,
  0xe0041,
  0xe007f,
];
const nameOf = (code: number): string => `[U+${code.toString(16).toUpperCase()}]`;

test("X8: the editor marks what turns or hides letters, in comments and strings, on lines that came and that went", async ({
  page,
}) => {
  test.setTimeout(120_000);
  const block = (word: string): string =>
    HIDDEN.map(
      (code, i) => `${i % 2 === 0 ? "# " : 'x = "'}${word}${String.fromCodePoint(code)}end${i % 2 === 0 ? "" : '"'}\n`,
    ).join("");
  const content = traceOf(
    [
      {
        thought: "Write it.",
        action: `str_replace_editor create /work/shop/hidden.py --file_text '${block("old")}'`,
        observation: "File created successfully at: /work/shop/hidden.py\n",
      },
      {
        thought: "Change it.",
        action: `str_replace_editor str_replace /work/shop/hidden.py --old_str '${block("old")}' --new_str '${block("new")}'`,
        observation: "The file /work/shop/hidden.py has been edited.",
      },
    ],
    { marker: `hidden ${Date.now()}`, task: "Hide something." },
  );
  const row = await uploadThroughPage(page, { name: "hidden.traj", content });
  const editor = page.getByTestId("monaco-diff");
  for (const { width, gone } of [
    { width: 1_500, gone: editor.locator(".original .view-lines") },
    { width: 1_280, gone: editor.locator(".modified .line-delete") },
  ]) {
    await page.setViewportSize({ width, height: 1_400 });
    await page.goto(`/t/${row.id}?turn=2&view=code`);
    await expect(editor).toHaveAttribute("data-changes", "1", EDITOR_PATIENCE);
    for (const code of HIDDEN) {
      await expect(editor.locator(".modified .view-lines:not(.line-delete)"), `${width}`).toContainText(
        `new${nameOf(code)}end`,
      );
      await expect(gone, `${width}`).toContainText(`old${nameOf(code)}end`);
    }
    expect(await findHidden(page)).toEqual([]);
  }
});
