import { type DoorSettings, TRIES_MAX } from "./openai-judge";
import { readOutboundUrl } from "./outbound-url";

/** Put together when a test runs: no file holds a key. */
export const TEST_KEY = `sk-${"test".repeat(8)}`;

/** A door to a server of the test: no time passes while it waits, and chance gives a half. */
export function settingsFor(baseUrl: string, waits: number[] = []): DoorSettings {
  const read = readOutboundUrl(baseUrl, true);
  if (!read.ok) throw new Error(read.reason);
  return {
    endpoint: { url: read.url, apiKey: TEST_KEY, allowPrivate: true },
    model: "some-model",
    prices: null,
    timeoutMs: 20_000,
    triesMax: TRIES_MAX,
    signal: null,
    random: () => 0.5,
    now: () => Date.UTC(2026, 0, 1),
    wait: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
  };
}
