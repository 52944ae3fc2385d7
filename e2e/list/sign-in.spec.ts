import { misstep } from "../harness/command-line";
import { expect, productOrigin, test } from "../harness/watched-page";

async function newLink(): Promise<string> {
  const { code, stdout, stderr } = await misstep(["link"]);
  const link = /(http\S+)/.exec(stdout)?.[1];
  if (code !== 0 || link === undefined) throw new Error(`no link (exit code ${code}): ${stderr}`);
  const { pathname, search } = new URL(link);
  return `${productOrigin()}${pathname}${search}`;
}

test("a sign-in link is used up by its button and not by opening it, and works once", async ({ stranger: page }) => {
  const link = await newLink();
  await page.goto(link);
  await page.goto(link);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((url) => url.pathname === "/" && url.search === "");
  await expect(page.getByRole("heading", { name: "Trajectories", level: 1 })).toBeVisible();

  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL((url) => url.pathname === "/sign-in");
  await page.goto("/");
  await page.waitForURL((url) => url.pathname === "/sign-in");

  await page.goto(link);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("heading", { name: "This link does not work any more" })).toBeVisible();
  await expect(page).not.toHaveURL(/token/);
  await page.goto("/");
  await page.waitForURL((url) => url.pathname === "/sign-in");
});

test("a stranger is shown how to get in, and nothing else", async ({ stranger: page }) => {
  await page.goto("/?q=heron");
  await page.waitForURL((url) => url.pathname === "/sign-in");
  await expect(page.getByText("npm run -s misstep -- link")).toBeVisible();
  await page.goto("/sign-in/link");
  await expect(page.getByRole("heading", { name: "This link does not work any more" })).toBeVisible();
});

test("pages carry the security headers, with a new nonce each time", async ({ page }) => {
  const nonces = new Set<string>();
  for (const path of ["/", "/legend", "/sign-in", "/sign-in/link?token=x", "/s/unknown-token", "/no-such-page"]) {
    const response = await page.request.get(path);
    const headers = response.headers();
    const policy = headers["content-security-policy"] ?? "";
    const nonce = /script-src 'self' 'nonce-([A-Za-z0-9+/=]{20,})';/.exec(policy)?.[1];
    expect(nonce, path).toBeDefined();
    nonces.add(nonce ?? "");
    for (const part of [
      "default-src 'self'",
      "style-src 'self' 'unsafe-inline'",
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "worker-src 'self' blob:",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]) {
      expect(policy.split("; "), path).toContain(part);
    }
    expect(policy, path).not.toContain("unsafe-eval");
    expect(headers, path).toMatchObject({
      "x-content-type-options": "nosniff",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "permissions-policy": "camera=(), microphone=(), geolocation=()",
    });
    // A form under no-referrer sends `Origin: null`; strict-origin never sends the path, which holds the token.
    const referrer = path.startsWith("/sign-in/link") ? "strict-origin" : "no-referrer";
    expect(headers["referrer-policy"], path).toBe(referrer);
    if (path.startsWith("/s/")) {
      expect(headers, path).toMatchObject({
        "x-robots-tag": "noindex, nofollow",
        "cache-control": expect.stringContaining("no-store"),
      });
    }
  }
  expect(nonces.size).toBe(6);
});
