import { expect } from "../harness/watched-page";
import { type Screen, testScreens } from "./looking";

const heading =
  (name: string): Screen["open"] =>
  async (page) => {
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  };
const at =
  (address: string, name: string): Screen["open"] =>
  async (page) => {
    await page.goto(address);
    await heading(name)(page);
  };

testScreens("pages", [
  { name: "sign-in", open: at("/sign-in", "Sign in"), isStranger: true },
  { name: "sign-in by link", open: at("/sign-in/link?token=abc", "Sign in to Misstep"), isStranger: true },
  {
    name: "sign-in with a dead link",
    open: async (page) => {
      await page.goto("/sign-in/link?token=abc");
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await heading("This link does not work any more")(page);
    },
    isStranger: true,
  },
  { name: "legend", open: at("/legend", "Legend") },
  { name: "not found", open: at("/no-such-page", "Nothing here"), expected: /404/ },
  { name: "no such trajectory", open: at("/t/nobody-has-this", "Nothing here"), expected: /404/ },
  {
    name: "unknown shared link",
    open: at(`/s/${"A".repeat(22)}`, "This link does not open anything"),
    expected: /404/,
    isStranger: true,
  },
]);
