/** Pattern of Gateway API durations (GEP-2257): up to four parts with the units `h`, `m`, `s` and `ms`, such as `1m30s`. */
const parts = /^(?:(\d{1,5})h)?(?:(\d{1,5})m)?(?:(\d{1,5})s)?(?:(\d{1,5})ms)?$/;

/** Parses a duration and returns milliseconds. Returns 0 if the duration is missing or invalid. */
export function milliseconds(text: string | undefined): number {
  const [, hours = 0, minutes = 0, seconds = 0, rest = 0] = parts.exec(text ?? '') ?? [];
  return Number(hours) * 3_600_000 + Number(minutes) * 60_000 + Number(seconds) * 1000 + Number(rest);
}
