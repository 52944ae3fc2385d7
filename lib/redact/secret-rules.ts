/** The version of this list. It is stored with what was masked; a change of any rule is a new version. */
export const SECRET_RULES_VERSION = "secrets@1";

/**
 * One family of secrets, as data. `pattern` finds it and its group 1 (or the whole match) is what is masked. `hints`
 * are literals of which at least one stands in every match: a text without them is not searched. `ignoreCase` says that
 * hints are compared in lower case. `strength` is what the value must look like before it is believed:
 * `any`, `mixed` (letters and digits), `cased` (upper and lower case letters and digits).
 *
 * Every pattern is linear: a run of characters is bounded, or starts behind a single-character look-behind and is
 * followed by nothing that can fail; no quantifier stands inside a repeated group.
 */
export interface SecretRule {
  family: string;
  pattern: RegExp;
  hints: string[];
  ignoreCase: boolean;
  strength: "any" | "mixed" | "cased";
  /** Characters that, standing right behind the value, show that it is code and no value. */
  notBefore: string;
}

function value(family: string, pattern: RegExp, hints: string[], strength: SecretRule["strength"] = "any"): SecretRule {
  return { family, pattern, hints, ignoreCase: false, strength, notBefore: "" };
}

function keyed(
  family: string,
  pattern: RegExp,
  hints: string[],
  strength: SecretRule["strength"],
  notBefore = "",
): SecretRule {
  return { family, pattern, hints, ignoreCase: true, strength, notBefore };
}

function environment(family: string, pattern: RegExp, hints: string[]): SecretRule {
  return { family, pattern, hints, ignoreCase: false, strength: "any", notBefore: "([{." };
}

/** Names whose value is a secret whatever it looks like. */
const STRONG = [
  "password",
  "passwd",
  "passphrase",
  "mysql_pwd",
  "pgpassword",
  "secret",
  "secret_key",
  "secretkey",
  "client_secret",
  "api_key",
  "api-key",
  "apikey",
  "access_key",
  "accesskey",
  "secret_access_key",
  "private_key",
  "private_key_id",
  "privatekey",
  "access_token",
  "refresh_token",
  "auth_token",
  "authtoken",
];
/** Names that are used for much else: the value has to look like a key too. */
const WEAK = ["token", "auth", "credential", "credentials", "bearer", "jwt"];
const STRONG_HINTS = [
  "passw",
  "passphrase",
  "pwd",
  "secret",
  "api_key",
  "api-key",
  "apikey",
  "access",
  "private",
  "auth",
  "refresh",
];
const WEAK_HINTS = ["token", "auth", "credential", "bearer", "jwt"];

const named = (names: string[], rest: string, flags: string) => new RegExp(`(?:${names.join("|")})${rest}`, flags);

/** Specific families first: where two rules overlap, the earlier one gives the name. */
export const SECRET_RULES: readonly SecretRule[] = [
  value("aws-access-key", /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g, [
    "AKIA",
    "ASIA",
    "ABIA",
    "ACCA",
  ]),
  value("anthropic-key", /sk-ant-[A-Za-z0-9_-]{12,256}/g, ["sk-ant-"]),
  value("openai-key", /sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{12,256}/g, ["sk-proj-", "sk-svcacct-", "sk-admin-"]),
  value("openrouter-key", /sk-or-v1-[A-Za-z0-9]{16,128}/g, ["sk-or-v1-"]),
  value("openai-key", /(?<![A-Za-z0-9])sk-[A-Za-z0-9]{32,128}/g, ["sk-"], "mixed"),
  value("github-token", /gh[pousr]_[A-Za-z0-9]{30,255}/g, ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"]),
  value("github-pat", /github_pat_[A-Za-z0-9_]{20,255}/g, ["github_pat_"]),
  value("gitlab-token", /gl(?:pat|ptt|rt|dt|cbt|soat|ft)-[A-Za-z0-9_.-]{18,128}/g, [
    "glpat-",
    "glptt-",
    "glrt-",
    "gldt-",
    "glcbt-",
    "glsoat-",
    "glft-",
  ]),
  value("npm-token", /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{30,64}/g, ["npm_"]),
  value("pypi-token", /pypi-AgE[A-Za-z0-9_-]{16,512}/g, ["pypi-AgE"]),
  value("hugging-face-token", /(?<![A-Za-z0-9])hf_[A-Za-z0-9]{30,64}/g, ["hf_"]),
  value("sendgrid-key", /(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,128}/g, ["SG."]),
  value("slack-token", /xox[abeoprs]-[A-Za-z0-9-]{10,256}/g, ["xox"]),
  value("slack-token", /xapp-\d-[A-Za-z0-9-]{10,256}/g, ["xapp-"]),
  value("slack-webhook", /hooks\.slack\.com\/(?:services|workflows)\/([A-Za-z0-9/]{20,128})/g, ["hooks.slack.com"]),
  value("stripe-key", /(?<![A-Za-z0-9])[sr]k_(?:live|test)_[A-Za-z0-9]{16,256}/g, ["k_live_", "k_test_"]),
  value("webhook-secret", /whsec_[A-Za-z0-9+/=_-]{16,128}/g, ["whsec_"]),
  value("google-api-key", /(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{30,64}/g, ["AIza"]),
  value("google-oauth", /(?<![A-Za-z0-9])ya29\.[A-Za-z0-9_-]{20,512}/g, ["ya29."]),
  value("google-oauth", /GOCSPX-[A-Za-z0-9_-]{20,64}/g, ["GOCSPX-"]),
  value("supabase-token", /(?<![A-Za-z0-9])sbp_[A-Za-z0-9]{32,64}/g, ["sbp_"]),
  value("telegram-bot-token", /(?<!\d)\d{8,10}:[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/g, [":"], "cased"),
  value("jwt", /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,8192}\.eyJ[A-Za-z0-9_-]{8,8192}\.[A-Za-z0-9_-]{4,2048}/g, ["eyJ"]),
  value("basic-auth-url", /:\/\/[^\s:@/'"<>]{0,128}:([^\s@/'"<>]{1,256})@/g, ["://"]),
  value("basic-auth-url", /:\/\/([A-Za-z0-9_-]{20,256})@/g, ["://"], "mixed"),
  keyed(
    "authorization",
    /\bauthorization["']?\s{0,4}[:=,]\s{0,4}["']?(?:bearer|basic|token|apikey|digest)\s{1,4}([^\s"'\\,;]{4,4096})/gi,
    ["authorization"],
    "any",
  ),
  keyed("authorization", /\bbearer\s{1,4}([A-Za-z0-9._~+/=-]{16,4096})/gi, ["bearer"], "mixed"),
  keyed(
    "cookie",
    /\b(?:set-)?cookie["']?\s{0,4}:\s{0,4}["']?([^\s=;"']{1,128}=[^\r\n"']{4,8192})/gi,
    ["cookie"],
    "any",
  ),
  // DATABASE_PASSWORD=hunter2 (environment files, exports)
  environment(
    "environment-secret",
    /(?:PASSWORD|PASSWD|MYSQL_PWD|PASSPHRASE|SECRET|TOKEN|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|SECRET_?KEY|ENCRYPTION_?KEY|CREDENTIALS?|_AUTH)(?:_[A-Z0-9_]{1,40})?=["']?([^\s"'`,;()[\]{}<>$|&\\]{4,4096})/g,
    ["PASS", "PWD", "SECRET", "TOKEN", "KEY", "CREDENTIAL", "_AUTH"],
  ),
  // "password": "...", api_key = '...', secret => `...`
  keyed(
    "named-secret",
    named(STRONG, `["']?\\s{0,4}(?:=>|:=|[:=])\\s{0,4}["'\`]([^"'\`\\s\\\\]{6,1024})["'\`]`, "gi"),
    STRONG_HINTS,
    "any",
  ),
  keyed(
    "named-secret",
    named(WEAK, `["']?\\s{0,4}(?:=>|:=|[:=])\\s{0,4}["'\`]([^"'\`\\s\\\\]{8,1024})["'\`]`, "gi"),
    WEAK_HINTS,
    "mixed",
  ),
  // password: hunter22 (YAML, headers); a type annotation has no digit in it
  keyed(
    "named-secret",
    named(STRONG, `["']?: {0,4}([^\\s"'\`,;()\\[\\]{}<>$|&\\\\]{8,1024})`, "gi"),
    STRONG_HINTS,
    "mixed",
    "([{<",
  ),
];
