// One notation whatever the browser's language, so that the server and the browser write the same.
const WHOLE = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** `6,084`. */
export function formatCount(count: number): string {
  return WHOLE.format(count);
}

/** `1 turn`, `2 turns`. */
export function formatPlural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

function scaled(value: number, units: readonly [number, string][]): string {
  for (const [size, unit] of units) {
    if (value >= size) {
      const number = value / size;
      return `${number >= 100 ? number.toFixed(0) : number >= 10 ? number.toFixed(1) : number.toFixed(2)} ${unit}`;
    }
  }
  return formatCount(value);
}

/** `18,204`, `1.21 M`: tokens. */
export function formatTokens(tokens: number): string {
  return scaled(tokens, [
    [1e9, "G"],
    [1e6, "M"],
  ]);
}

/** `312`, `2.1 k`, `12.0 M`: characters, short. */
export function formatSize(chars: number): string {
  if (chars < 1_000) return String(chars);
  if (chars < 1_000_000) return `${(chars / 1_000).toFixed(chars < 100_000 ? 1 : 0)} k`;
  return `${(chars / 1_000_000).toFixed(1)} M`;
}

/** `0.4 s`, `41 s`, `41 min 08 s`, `3 h 05 min`. */
export function formatDuration(durationMs: number): string {
  const seconds = durationMs / 1_000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const whole = Math.round(seconds);
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, "0")} s`;
  const minutes = Math.round(whole / 60);
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")} min`;
}

/** `$1.94`; four digits under a cent's worth of sense. */
export function formatCost(costUsd: number): string {
  return `$${costUsd.toFixed(costUsd > 0 && costUsd < 0.1 ? 4 : 2)}`;
}

const ISO_TIME = /T(\d{2}:\d{2}:\d{2})/;

/** The clock time of a trace's timestamp as the trace wrote it (no zone is assumed); the text itself when it has none. */
export function formatClock(iso: string): string {
  return ISO_TIME.exec(iso)?.[1] ?? iso;
}

const MONTHS = "January February March April May June July August September October November December".split(" ");

/** `7 December 2026, 18:00 UTC`. */
export function formatMoment(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ""} ${date.getUTCFullYear()}, ${two(date.getUTCHours())}:${two(date.getUTCMinutes())} UTC`;
}
