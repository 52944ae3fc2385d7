/**
 * Secrets for tests, put together when a test runs so that no file holds one. The bodies are made up from a small
 * generator and belong to nobody.
 */
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** `length` characters of the alphabet that look like a key; the same seed gives the same characters. */
export function keyLike(length: number, seed = 7, alphabet = ALPHABET): string {
  let state = seed * 2_654_435_761;
  let out = "";
  for (let i = 0; i < length; i += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    out += alphabet[(state >>> 16) % alphabet.length] ?? "A";
  }
  return out;
}

/** A PEM private key with a made-up body. */
export function pemLike(): string {
  const lines = Array.from({ length: 6 }, (_, i) => keyLike(64, i + 1));
  return ["-----BEGIN RSA PRIVATE ", "KEY-----\n", lines.join("\n"), "\n-----END RSA PRIVATE ", "KEY-----"].join("");
}

/** One secret of each family: the text that it stands in, and the part of it that must not be seen. */
export function plantedSecrets(): { family: string; text: string; secret: string }[] {
  const plain = (family: string, ...parts: string[]) => {
    const secret = parts.join("");
    return { family, text: `value ${secret} end`, secret };
  };
  const upper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const hex = "0123456789abcdef";
  const inside = (family: string, before: string, secret: string, after: string) => ({
    family,
    text: `${before}${secret}${after}`,
    secret,
  });
  const pem = pemLike();
  return [
    plain("aws-access-key", "AK", "IA", keyLike(16, 1, upper)),
    plain("aws-access-key", "AS", "IA", keyLike(16, 2, upper)),
    plain("anthropic-key", "sk-", "ant-", "api03-", keyLike(80, 3)),
    plain("openai-key", "sk-", "proj-", keyLike(60, 4)),
    plain("openai-key", "sk-", "svcacct-", keyLike(60, 5)),
    plain("openrouter-key", "sk-", "or-v1-", keyLike(64, 6, hex)),
    plain("openai-key", "sk", "-", keyLike(48, 7)),
    ...["p", "o", "u", "s", "r"].map((kind, i) => plain("github-token", "gh", kind, "_", keyLike(36, 10 + i))),
    plain("github-pat", "github", "_pat_", keyLike(22, 16), "_", keyLike(59, 17)),
    plain("gitlab-token", "gl", "pat-", keyLike(20, 18)),
    plain("npm-token", "npm", "_", keyLike(36, 19)),
    plain("pypi-token", "pypi-", "AgEIcHlwaS5vcmcC", keyLike(80, 20)),
    plain("hugging-face-token", "hf", "_", keyLike(34, 21)),
    plain("sendgrid-key", "SG", ".", keyLike(22, 22), ".", keyLike(43, 23)),
    ...["b", "a", "p", "r"].map((kind, i) =>
      plain("slack-token", "xox", kind, "-", "2512345678-", keyLike(24, 24 + i)),
    ),
    plain("stripe-key", "sk", "_live_", keyLike(24, 30)),
    plain("webhook-secret", "wh", "sec_", keyLike(32, 31)),
    plain("google-api-key", "AI", "za", keyLike(35, 32)),
    plain("supabase-token", "sb", "p_", keyLike(40, 33, hex)),
    plain("telegram-bot-token", "612345", "7890:", "AA", keyLike(33, 34)),
    { family: "private-key", text: `key:\n${pem}\ndone`, secret: pem.slice(40, 120) },
    plain("jwt", "ey", "J", keyLike(24, 35), ".ey", "J", keyLike(40, 36), ".", keyLike(43, 37)),
    inside("basic-auth-url", "git clone https://ines:", keyLike(14, 38), "@git.example.org/x.git"),
    inside("authorization", "Authorization: Bearer ", keyLike(30, 39), "\n"),
    inside("authorization", "curl -H 'Authorization: Basic ", keyLike(24, 40), "' https://x"),
    inside("cookie", "Cookie: session=", keyLike(32, 41), "; theme=dark"),
    {
      family: "private-key",
      text: JSON.stringify({ type: "service_account", private_key: pem }),
      secret: pem.slice(40, 90),
    },
    inside("environment-secret", "DEBUG=1\nDATABASE_PASSWORD=", keyLike(12, 42), "\nPORT=80\n"),
    inside("environment-secret", "export STRIPE_SECRET='", keyLike(20, 43), "'"),
    inside("named-secret", '{"password": "', keyLike(10, 44), '"}'),
    inside("named-secret", "api_key = '", keyLike(20, 45), "'"),
    inside("named-secret", 'auth_token => "', keyLike(20, 46), '"'),
    inside("named-secret", "x-api-key: ", keyLike(24, 47), "\n"),
    inside("named-secret", 'token: "', keyLike(24, 48), '"'),
  ];
}
