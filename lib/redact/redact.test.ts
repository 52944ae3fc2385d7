import { describe, expect, it } from "vitest";
import { numberSecrets, redact } from "./redact";
import { SECRET_RULES, SECRET_RULES_VERSION } from "./secret-rules";
import { keyLike, pemLike, plantedSecrets } from "./test-support";

const ESC = "\u001b";
const mask = (text: string) => redact(text, numberSecrets());
const base64 = (text: string) => Buffer.from(text, "utf8").toString("base64");

describe("masking secrets", () => {
  it("covers at least 25 families' worth of plants", () => {
    expect(SECRET_RULES_VERSION).toBe("secrets@1");
    expect(plantedSecrets().length).toBeGreaterThanOrEqual(25);
    expect(new Set(plantedSecrets().map(({ family }) => family)).size).toBeGreaterThanOrEqual(20);
  });

  describe.each(plantedSecrets().map((planted, i) => ({ ...planted, name: `${planted.family} ${i}` })))(
    "$name",
    ({ text, secret, family }) => {
      it("is masked with its family, once, and the rest is kept", () => {
        const { text: masked, families, count } = mask(text);
        expect(masked).not.toContain(secret);
        expect(families).toEqual({ [family]: 1 });
        expect(count).toBe(1);
        const [before, after] = [text.slice(0, text.indexOf("value ") + 6), text.endsWith(" end") ? " end" : ""];
        if (text.startsWith("value ")) expect(masked).toBe(`${before}[redacted:${family}#1]${after}`);
      });

      it("is masked in JSON, in JSON inside JSON, in base64, in a shell word, and when colour codes split it", () => {
        const half = text.indexOf(secret) + Math.floor(secret.length / 2);
        const shellWord = (quote: string) => `write a.py --file_text '${text.replaceAll("'", quote)}'`;
        const forms = {
          shellWord: shellWord(`'"'"'`),
          otherShellWord: shellWord("'\\''"),
          shellWordInJson: JSON.stringify({ action: shellWord(`'"'"'`), other: shellWord("'\\''") }),
          json: JSON.stringify({ output: text }),
          nested: JSON.stringify({ line: JSON.stringify({ output: text }) }),
          base64: `cat x | base64\n${base64(`# settings\n${text}`)}\n`,
          coloured: `${text.slice(0, half)}${ESC}[0m${ESC}[01;31m${text.slice(half)}`,
          "coloured in single characters": `${text.slice(0, half)}\u009b0m\u009d0;t\u009c\u009b01;31m${text.slice(half)}`,
          inDiff: text
            .split("\n")
            .map((line) => `+${line}`)
            .join("\n"),
        };
        for (const [form, shown] of Object.entries(forms)) {
          const { text: masked } = mask(shown);
          expect(masked.includes(secret), form).toBe(false);
          expect(
            masked
              .split(ESC)
              .map((part, n) => (n === 0 ? part : part.slice(part.indexOf("m") + 1)))
              .join("")
              .includes(secret),
            form,
          ).toBe(false);
          expect(masked, form).toContain(`[redacted:${family}#1]`);
          // No run of the secret long enough to be of use is left, in whatever spelling.
          for (let i = 0; i + 12 <= secret.length; i += 6) {
            const piece = secret.slice(i, i + 12);
            if (!piece.includes("\n") && !/^(?:-+|[A-Z ]+)$/.test(piece))
              expect(masked.includes(piece), `${form}: ${i}`).toBe(false);
          }
        }
      });

      it("stays as it is when masked again", () => {
        const once = mask(text).text;
        expect(mask(once)).toEqual({ text: once, count: 0, families: {} });
        const inJson = mask(JSON.stringify({ a: text })).text;
        expect(mask(inJson).text).toBe(inJson);
      });
    },
  );

  it("keeps the lines of a private key, so that what follows keeps its line number", () => {
    const text = `a\n${pemLike()}\nlast`;
    const masked = mask(text).text;
    expect(masked.split("\n")).toHaveLength(text.split("\n").length);
    expect(masked.split("\n")[1]).toBe("[redacted:private-key#1]");
    expect(masked.endsWith("\nlast")).toBe(true);
  });

  it("masks a private key that is cut off, and each of two", () => {
    const cut = pemLike().slice(0, 200);
    expect(mask(`${cut}\n(12 more lines)`).text).not.toContain(cut.slice(60, 90));
    expect(mask(`${pemLike()}\n${pemLike()}`).count).toBe(2);
    expect(mask("-----BEGIN CERTIFICATE-----\nTUlJ\n-----END CERTIFICATE-----").count).toBe(0);
  });

  it("names equal secrets alike and different ones apart", () => {
    const [a, b] = [`gh${"p_"}${keyLike(36, 1)}`, `gh${"p_"}${keyLike(36, 2)}`];
    expect(mask(`${a} ${b} ${a}`).text).toBe(
      "[redacted:github-token#1] [redacted:github-token#2] [redacted:github-token#1]",
    );
    expect(redact(a, () => "<b>#\u202e\n]").text).toBe("[redacted:-b-#---]");
  });

  it("looks inside unfinished terminal sequences and links too", () => {
    const secret = `gl${"pat-"}${keyLike(20, 3)}`;
    for (const text of [
      `${ESC}]${secret}`,
      `${ESC}]8;;https://x/${secret}\u0007link`,
      `${ESC}[${secret}`,
      `${ESC}P${secret}${ESC}\\`,
    ]) {
      expect(mask(text).text).not.toContain(secret);
    }
  });

  it("finds base64 that is wrapped, url-safe, or glued to a path", () => {
    const secret = `npm${"_"}${keyLike(36, 5)}`;
    const encoded = base64(`//registry/:_authToken=${secret}\n${"more text, ".repeat(20)}`);
    const wrapped = encoded.replace(/.{76}/g, "$&\n");
    expect(mask(wrapped).count).toBe(1);
    expect(mask(`data/x/${encoded}`).count).toBe(1);
    expect(mask(Buffer.from(`>>>???${secret}???>>>`).toString("base64url")).count).toBe(1);
  });
});

/** A11: things that look like secrets and are none. */
const LOOK_ALIKES = [
  "sk-...",
  "sk-ant-...",
  `sk-${"x".repeat(48)}`,
  "sk-learn-contrib",
  "AKIAIOSFODNN7EXAMPLE",
  "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
  "ghp_your_token_here",
  "da39a3ee5e6b4b0d3255bfef95601890afd80709",
  "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "123e4567-e89b-12d3-a456-426614174000",
  '"token": "123e4567-e89b-12d3-a456-426614174000"',
  '"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="',
  'password = "<your password>"',
  'api_key = "YOUR_API_KEY"',
  'api_key = os.environ["API_KEY"]',
  "API_KEY=os.environ.get('API_KEY')",
  "TOKEN=$GITHUB_TOKEN",
  `PASSWORD=${"$"}{DB_PASSWORD}`,
  "def login(user: str, password: str) -> None:",
  "password: Optional[str] = None",
  "max_tokens=4096",
  'tokenizer = "bert-base-uncased-v2"',
  "PWD=/testbed/src/app1",
  "Authorization: Bearer <token>",
  "Bearer authentication is required",
  "https://example.org:8080/path@2x.png",
  "https://user:password@example.org",
  "-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----",
  "requests==2.31.0 SG.append hf_hub_download npm_config_cache",
  "12:34:56.789 tests/test_a.py::test_secret_is_masked PASSED",
];

describe("not masking look-alikes", () => {
  it.each(LOOK_ALIKES)("%s", (text) => {
    expect(mask(text)).toEqual({ text, count: 0, families: {} });
    expect(mask(JSON.stringify({ text })).count).toBe(0);
    expect(mask(base64(`say ${text} again`)).count).toBe(0);
  });
});

/** U7: what an attacker would feed a pattern, 100 kB each. */
function adversarial(): string[] {
  const size = 100_000;
  const classes = [
    "a",
    "A",
    "0",
    " ",
    "_",
    "-",
    ".",
    "/",
    "=",
    ":",
    "+",
    "\\",
    '"',
    "\n",
    "{",
    ESC,
    "eyJ",
    "://",
    "-----BEGIN RSA PRIVATE KEY-----",
    "-----BEGIN ",
    "Aa0",
  ];
  const prefixes = SECRET_RULES.flatMap((rule) => rule.hints).concat([
    "Cookie: ",
    "cookie: a",
    "password",
    "password: ",
    "secret=",
    "token:'",
    "authorization: bearer ",
    "\\u00",
    "\\n",
    `${ESC}[1`,
    `${ESC}]`,
    "TOKEN_A",
    "AUTH_",
    "://a:",
    "12345678:",
    "SG.aaaaaaaaaaaaaaaa.",
  ]);
  return [...classes, ...prefixes, ...prefixes.map((p) => `${p}a`), ...prefixes.map((p) => `${p}aA1 `)].map((piece) =>
    piece.repeat(Math.ceil(size / piece.length)).slice(0, size),
  );
}

describe("U7: time is linear", { timeout: 60_000 }, () => {
  const inputs = adversarial();
  /** Processor time, not time on the wall: other processes of a busy machine do not count. */
  const timeMs = (work: () => void) => {
    const started = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1000;
  };
  /** What this machine needs for a plain walk over the same text, so that a slow machine does not fail the test. */
  const baselineMs = Math.max(
    ...inputs.slice(0, 5).map((text) => timeMs(() => text.replace(/[^\w]/g, "").match(/[a-z]{2,9}\d/g))),
  );
  const limitMs = 50 + 20 * baselineMs;

  it.each(SECRET_RULES.map((rule, i) => ({ i, family: rule.family, pattern: rule.pattern })))(
    "rule $i $family",
    ({ pattern }) => {
      for (const text of inputs) {
        const ms = timeMs(() => {
          for (const match of text.matchAll(pattern)) if (match.index < 0) throw new Error("cannot be");
        });
        expect(ms, JSON.stringify(text.slice(0, 40))).toBeLessThan(limitMs);
      }
    },
  );

  it("has no quantified group that holds a quantifier", () => {
    for (const { pattern } of SECRET_RULES) {
      // A group that repeats without bound, or that repeats something that itself repeats without bound.
      expect(pattern.source, pattern.source).not.toMatch(/\([^()]*[*+][^()]*\)[*+{]/);
      expect(pattern.source, pattern.source).not.toMatch(/\)[*+]/);
      expect(pattern.source.replaceAll(/\[[^\]]*\]/g, "c"), pattern.source).not.toMatch(/[^\\][*+](?![*+])/);
    }
  });

  it("masks each of them in reasonable time as a whole", () => {
    for (const text of inputs)
      expect(
        timeMs(() => mask(text)),
        JSON.stringify(text.slice(0, 40)),
      ).toBeLessThan(10 * limitMs);
  });

  it("does not grow faster than its input", () => {
    const line = `2026-01-01 DEBUG tests/test_x.py::test_thing PASSED elapsed=12ms ${ESC}[32mok${ESC}[0m {"a":"b\\n"}\n`;
    const small = line.repeat(4_000);
    const large = line.repeat(32_000);
    mask(small);
    const ratio =
      timeMs(() => mask(large)) /
      Math.max(
        1,
        timeMs(() => mask(small)),
      );
    expect(ratio).toBeLessThan(8 * 4);
  });
});
