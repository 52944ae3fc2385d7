/**
 * SHA-256 (FIPS 180-4) in pieces. Browsers offer `crypto.subtle` only on secure origins; this is for an installation
 * that is reached by plain HTTP under a name.
 */
export class Sha256 {
  private readonly state = new Uint32Array([
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
  ]);
  private readonly words = new Uint32Array(64);
  private readonly block = new Uint8Array(64);
  private filled = 0;
  private totalBytes = 0;

  /** Takes the next bytes. */
  update(bytes: Uint8Array): void {
    this.totalBytes += bytes.length;
    let offset = 0;
    if (this.filled > 0) {
      offset = Math.min(64 - this.filled, bytes.length);
      this.block.set(bytes.subarray(0, offset), this.filled);
      this.filled += offset;
      if (this.filled < 64) return;
      this.compress(this.block, 0);
      this.filled = 0;
    }
    for (; offset + 64 <= bytes.length; offset += 64) this.compress(bytes, offset);
    this.block.set(bytes.subarray(offset), 0);
    this.filled = bytes.length - offset;
  }

  /** The hash of everything taken, as 64 lower-case hexadecimal digits. Nothing may be added afterwards. */
  digest(): string {
    const end = new Uint8Array(this.filled < 56 ? 64 : 128);
    end.set(this.block.subarray(0, this.filled));
    end[this.filled] = 0x80;
    const view = new DataView(end.buffer);
    view.setUint32(end.length - 8, Math.floor(this.totalBytes / 0x2000_0000));
    view.setUint32(end.length - 4, (this.totalBytes * 8) >>> 0);
    for (let offset = 0; offset < end.length; offset += 64) this.compress(end, offset);
    return Array.from(this.state, (word) => word.toString(16).padStart(8, "0")).join("");
  }

  private compress(bytes: Uint8Array, offset: number): void {
    const w = this.words;
    const at = (i: number): number => w[i] ?? 0;
    const view = new DataView(bytes.buffer, bytes.byteOffset + offset, 64);
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(i * 4);
    for (let i = 16; i < 64; i++) {
      const x = at(i - 15);
      const y = at(i - 2);
      const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
      const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
      w[i] = (at(i - 16) + s0 + at(i - 7) + s1) | 0;
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = this.state;
    for (let i = 0; i < 64; i++) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (ROUND[i] ?? 0) + at(i)) | 0;
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + t1) | 0;
      d = c;
      c = b;
      b = a;
      a = (t1 + t2) | 0;
    }
    for (const [i, value] of [a, b, c, d, e, f, g, h].entries()) this.state[i] = ((this.state[i] ?? 0) + value) | 0;
  }
}

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes (section 4.2.2). */
const ROUND = roundConstants();

function roundConstants(): Uint32Array {
  const constants = new Uint32Array(64);
  let found = 0;
  for (let n = 2; found < 64; n++) {
    let isPrime = true;
    for (let d = 2; d * d <= n; d++) if (n % d === 0) isPrime = false;
    if (!isPrime) continue;
    constants[found++] = cubeRootFraction(n);
  }
  return constants;
}

/** The first 32 bits of the fraction of a cube root, exactly: the largest r with r^3 <= n * 2^96, less its whole part. */
function cubeRootFraction(n: number): number {
  const target = BigInt(n) << 96n;
  let low = 0n;
  let high = 1n << 36n;
  while (high - low > 1n) {
    const middle = (low + high) >> 1n;
    if (middle * middle * middle <= target) low = middle;
    else high = middle;
  }
  return Number(low & 0xffff_ffffn);
}
