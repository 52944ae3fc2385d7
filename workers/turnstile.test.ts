import { expect, it } from "vitest";
import { Turnstile } from "./turnstile";

it("lets one through at a time, in the order in which they came, and a second leave lets nobody else in", async () => {
  const turnstile = new Turnstile();
  const inside: number[] = [];
  const entered = [0, 1, 2].map(async (n) => {
    const leave = await turnstile.enter();
    inside.push(n);
    return leave;
  });
  const leaveFirst = await entered[0];
  expect(inside).toEqual([0]);
  leaveFirst?.();
  leaveFirst?.();
  const leaveSecond = await entered[1];
  expect(inside).toEqual([0, 1]);
  leaveSecond?.();
  await entered[2];
  expect(inside).toEqual([0, 1, 2]);
});
