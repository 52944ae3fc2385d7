import { traceOf } from "./forensics/runs";
import { uploadThroughPage, waitForImport } from "./harness/upload";
import { expect, test } from "./harness/watched-page";

// Wide enough for the header's buttons; below, they are in its menu.
test.use({ viewport: { width: 1440, height: 1000 } });

const MODULE = `"""Ferry fares."""

CHILD = 0.5


def fare(base, age):
    if age < 12:
        return base * CHILD
    return base


def total(base, ages):
    return sum(fare(base, age) for age in ages)
`;

const lines = MODULE.split("\n");
const numbered = (from: number, to: number) =>
  lines
    .slice(from - 1, to)
    .map((line, i) => `${String(from + i).padStart(6)}\t${line}`)
    .join("\n");

/** The run sees only the middle of the file, and changes a line of it. */
function partlySeen(marker: string): string {
  return traceOf(
    [
      {
        thought: "Look at the function.",
        action: "str_replace_editor view /work/shop/src/fares.py --view_range 6 9",
        observation: `Here's the result of running \`cat -n\` on /work/shop/src/fares.py:\n${numbered(6, 9)}\n`,
      },
      {
        thought: "Children up to twelve.",
        action: "str_replace_editor str_replace /work/shop/src/fares.py --old_str 'age < 12' --new_str 'age <= 12'",
        observation:
          "The file /work/shop/src/fares.py has been edited. Here's the result of running `cat -n` on a snippet of " +
          `/work/shop/src/fares.py:\n${numbered(6, 9).replace("age < 12", "age <= 12")}\n` +
          "Review the changes and make sure they are as expected. Edit the file again if necessary.",
      },
    ],
    { marker, task: "Children of twelve pay half." },
  );
}

test("an attached file fills what the run did not show, and one that differs from what it read is said to", async ({
  page,
}) => {
  const row = await uploadThroughPage(page, { name: "fares.traj", content: partlySeen(`fares ${Date.now()}`) });
  expect(row.status).toBe("ready");
  await page.goto(`/t/${row.id}?turn=2`);
  const code = page.getByRole("region", { name: "Code" });
  await expect(code.getByText("partial").first()).toBeVisible();
  await expect(code.getByText("return sum(fare")).toHaveCount(0);

  const attach = async (content: string): Promise<void> => {
    await page.getByRole("button", { name: /^(Attach baseline|Baseline attached)$/ }).click();
    const dialog = page.getByRole("dialog", { name: "Attach baseline" });
    await dialog.getByLabel("Files, or a zip").setInputFiles([
      { name: "fares.py", mimeType: "text/x-python", buffer: Buffer.from(content) },
      { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("not in the run\n") },
    ]);
    // The path is found among the files of the run, and what is not there is said to be none.
    await expect(dialog.getByLabel("Path in the repository").first()).toHaveValue("src/fares.py");
    await expect(dialog.getByText("a file of the run")).toHaveCount(1);
    await expect(dialog.getByText("not in the run", { exact: true })).toHaveCount(1);
    await dialog.getByRole("button", { name: "Attach", exact: true }).click();
    await expect(dialog.getByRole("status")).toContainText("2 files attached");
    await waitForImport(page.request, row.id);
    await page.keyboard.press("Escape");
  };

  await attach(MODULE);
  await page.goto(`/t/${row.id}?turn=2`);
  await expect(page.getByTestId("monaco-diff")).toHaveAttribute("data-changes", "1");
  await expect(code.getByText("replayed").first()).toBeVisible();
  await code.getByRole("button", { name: "Baseline" }).click();
  await expect(code.getByText("given").first()).toBeVisible();

  await attach(MODULE.replace("age < 12", "age < 14"));
  await page.goto(`/t/${row.id}?turn=2`);
  await page.getByRole("button", { name: /^(Attach baseline|Baseline attached)$/ }).click();
  await expect(page.getByRole("dialog", { name: "Attach baseline" })).toContainText("1 of them differ");
});
