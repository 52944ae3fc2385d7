import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { ModelView } from "@/lib/views/model";
import { ModelSection } from "./settings-page";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const view: ModelView = {
  problem: null,
  host: "models.example.com",
  models: [{ role: "first", name: "some-model", prices: null, check: null }],
  limits: { timeoutSeconds: 180, tokensPerDay: 2_000_000 },
};
const NOW = Date.UTC(2026, 10, 30, 12);
const draw = (first: ModelView) => render(<ModelSection first={first} madeAt={NOW} />);
const answerWith = (body: unknown, status = 200): void => {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json(body, { status })));
};

describe("ModelSection", () => {
  it.each([
    ["no_model", "OPENAI_MODEL is not set: it names the model to ask."],
    ["bad_address", "OPENAI_BASE_URL must not hold a #."],
  ] as const)("says what is wrong with the settings, and offers no check: %s", (kind, message) => {
    draw({ ...view, problem: { kind, message }, host: null, models: [] });
    expect(screen.getByText(message)).toBeDefined();
    expect(screen.queryByRole("button")).toBeNull();
    expect(screen.getByText(/OPENAI_API_KEY=\.\.\. OPENAI_MODEL=/)).toBeDefined();
  });

  it("shows what a check found, as text whatever the model calls itself", async () => {
    draw(view);
    expect(screen.getByText(/^Not checked/)).toBeDefined();
    const check = {
      ...{ ok: true, at: new Date(NOW).toISOString(), tookMs: 1_500, questions: 2, toolCalls: "offered" },
      ...{ answeredAs: "<img src=x onerror=alert(1)>", adjustments: ["not_forced"], countsTokens: false },
    };
    answerWith({ ...view, models: [{ ...view.models[0], check }] });
    fireEvent.click(screen.getByRole("button", { name: "Check the model" }));
    expect((await screen.findByText(/Answers as/)).textContent).toBe("Answers as <img src=x onerror=alert(1)>");
    expect(screen.getByText(/no tool can be forced/)).toBeDefined();
    expect(screen.getByText(/counts no tokens/)).toBeDefined();
    expect(screen.getByText(/2 questions/)).toBeDefined();
    expect(document.querySelector("img")).toBeNull();
  });

  it("shows why there was no answer and what to do, and can be pressed again", async () => {
    draw(view);
    const check = {
      ok: false,
      at: new Date(NOW).toISOString(),
      tookMs: 20,
      code: "refused",
      message: "The endpoint refuses the key (401).",
    };
    answerWith({ ...view, models: [{ ...view.models[0], check }] });
    fireEvent.click(screen.getByRole("button", { name: "Check the model" }));
    expect(await screen.findByText(/refuses the key/)).toBeDefined();
    expect(screen.getByText(/Look at OPENAI_API_KEY/)).toBeDefined();
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Check the model" }).disabled).toBe(false);
  });
});
