/** Numbers in [0, 1) that look random and are the same for the same seed. */
export type RandomSource = () => number;

const STEP = 0x6d2b79f5;

/**
 * A generator of 32-bit numbers after Tommy Ettinger's mulberry32: small, fast, and good enough to draw samples with; no
 * secret may hang on it.
 * @param seed a whole number; its lowest 32 bits count
 */
export function seededRandom(seed: number): RandomSource {
  let state = seed | 0;
  return () => {
    state = (state + STEP) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
