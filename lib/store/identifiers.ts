import { createHash, randomBytes } from "node:crypto";

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

/** A random identifier of 12 base58 characters (70 bits): unique and short, not a secret. */
export function newId(): string {
  let id = "";
  while (id.length < 12) {
    for (const byte of randomBytes(24)) {
      // 232 is the largest multiple of 58 in a byte: taking more would prefer the first letters.
      if (byte < 232 && id.length < 12) id += BASE58[byte % 58];
    }
  }
  return id;
}

/** A secret of `bytes` random bytes (at least 16, that is 128 bits) as base64url. */
export function newSecret(bytes = 16): string {
  return randomBytes(Math.max(16, bytes)).toString("base64url");
}

/** SHA-256 as hex: what is stored of a secret that is shown once. A slow hash is for passwords; these are random. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret, "utf8").digest("hex");
}
