import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { checkAddresses, readOutboundUrl } from "./outbound-url";

describe("readOutboundUrl", () => {
  it("takes an address with a path and a query apart", () => {
    expect(readOutboundUrl(" https://x.example.com:8443/openai/deployments/m/?api-version=2024-10-21 ", false)).toEqual(
      {
        ok: true,
        url: {
          base: "https://x.example.com:8443/openai/deployments/m",
          query: { "api-version": "2024-10-21" },
          host: "x.example.com:8443",
          hostname: "x.example.com",
          isEncrypted: true,
        },
      },
    );
  });

  const privateOnes = [
    "127.0.0.1",
    "127.1.2.3",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[64:ff9b::10.0.0.1]",
    "[2002:c0a8:0101::808:808]",
    "0.0.0.0",
    "[::]",
    "10.0.0.1",
    "10.255.255.255",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "100.64.0.1",
    "100.127.255.255",
    "[fd00::1]",
    "[fc12:3456::1]",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "127.1",
    "localhost",
    "localhost.",
    "LOCALHOST",
    "model.localhost",
    "ollama",
    "gpu.lan",
    "gpu.local",
    "metadata.google.internal",
  ];

  it.each(privateOnes)("O2: refuses %s, unless private addresses are allowed", (host) => {
    expect(readOutboundUrl(`https://${host}/v1`, false)).toEqual({
      ok: false,
      reason: expect.stringContaining("LLM_ALLOW_PRIVATE"),
    });
    expect(readOutboundUrl(`http://${host}/v1`, false).ok).toBe(false);
    expect(readOutboundUrl(`http://${host}/v1`, true).ok).toBe(true);
    expect(readOutboundUrl(`https://${host}/v1`, true).ok).toBe(true);
  });

  it.each([
    "169.254.169.254",
    "[fe80::1]",
    "[::ffff:169.254.169.254]",
    "[fd00:ec2::254]",
    "224.0.0.1",
    "255.255.255.255",
    "[ff02::1]",
  ])("O2: refuses %s always", (host) => {
    for (const allowed of [true, false]) expect(readOutboundUrl(`https://${host}/v1`, allowed).ok).toBe(false);
  });

  it.each([
    "https://user:pass@example.com/v1",
    "https://user@example.com/v1",
    "https://@example.com/v1",
    "https://example.com%2F@127.0.0.1/v1",
    "https://example.com\\@127.0.0.1/v1",
    "https://example.com/v1#fragment",
    "http://example.com/v1",
    "http://8.8.8.8/v1",
    "ftp://example.com/v1",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:text/plain,x",
    "//example.com/v1",
    "example.com/v1",
    "https://",
    "https://exa mple.com",
    "https://exa\tmple.com/v1",
    "https:\\\\example.com/v1",
    "",
  ])("O2: refuses %j", (text) => {
    const read = readOutboundUrl(text, false);
    expect(read.ok).toBe(false);
    if (!read.ok) expect(read.reason).not.toMatch(/example|127|passwd|8\.8/);
  });

  it("takes http:// to a public address never, and to a name only where it may be private", () => {
    expect(readOutboundUrl("http://8.8.8.8/v1", true).ok).toBe(false);
    expect(readOutboundUrl("http://models.example.com/v1", true).ok).toBe(true);
  });

  it.each([
    "api.openai.com",
    "8.8.8.8",
    "172.15.0.1",
    "172.32.0.1",
    "100.63.0.1",
    "100.128.0.1",
    "[2606:4700::1]",
    "11.0.0.1",
  ])("takes https://%s", (host) => {
    expect(readOutboundUrl(`https://${host}/v1`, false).ok).toBe(true);
  });
});

describe("checkAddresses", () => {
  const urlOf = (text: string) => {
    const read = readOutboundUrl(text, true);
    if (!read.ok) throw new Error(read.reason);
    return read.url;
  };
  const encrypted = urlOf("https://models.example.com/v1");
  const clear = urlOf("http://models.example.com/v1");

  it("O2: refuses a public name that leads into the private network", () => {
    for (const address of ["10.0.0.1", "::1", "::ffff:192.168.1.1", "fd12::1"]) {
      expect(checkAddresses(encrypted, ["8.8.8.8", address], false)).toMatch(/private network/);
      expect(checkAddresses(encrypted, [address], true)).toBeNull();
    }
    expect(checkAddresses(encrypted, ["8.8.8.8", "2606:4700::1"], false)).toBeNull();
  });

  it("O2: refuses clear text to the internet, and link-local addresses always", () => {
    expect(checkAddresses(clear, ["8.8.8.8"], true)).toMatch(/http:/);
    expect(checkAddresses(clear, ["10.0.0.1"], true)).toBeNull();
    expect(checkAddresses(encrypted, ["169.254.169.254"], true)).not.toBeNull();
    expect(checkAddresses(encrypted, ["fe80::1%eth0"], true)).not.toBeNull();
  });
});

describe("O1: where a model is asked comes from the environment alone", () => {
  const root = path.join(import.meta.dirname, "..", "..");
  const sources = ["app", "components", "lib", "workers", "prisma"].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(tsx?|prisma)$/.test(file) && !/generated|\.test\.|test-support/.test(file))
      .map((file) => ({
        file: path.posix.join(folder, file),
        text: readFileSync(path.join(root, folder, file), "utf8"),
      })),
  );
  const filesWith = (pattern: RegExp): string[] =>
    sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

  it("one place reads the address, from the settings; one place makes a client, of what was read", () => {
    expect(filesWith(/readOutboundUrl\(/).sort()).toEqual(["lib/llm/configured.ts", "lib/llm/outbound-url.ts"]);
    expect(filesWith(/readOutboundUrl\(settings\.baseUrl \?\? OPENAI_URL, allowPrivate\)/)).toEqual([
      "lib/llm/configured.ts",
    ]);
    expect(filesWith(/new OpenAI\(/)).toEqual(["lib/llm/transport.ts"]);
  });

  it("no column, view, route or page has a name for it", () => {
    expect(filesWith(/(?<!data)base_?url|api_?base/i).filter((file) => !/^lib\/(env|llm)/.test(file))).toEqual([
      // Words for a person.
      "components/settings/model-words.ts",
      "components/settings/settings-page.tsx",
      // Misstep's own origin.
      "lib/store/auth.ts",
    ]);
  });
});
