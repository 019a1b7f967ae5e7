/** Parses options that are durations. */
import { parseDuration, type DurationValue } from '@sluice/base';
import type { Context } from '@sluice/registry';

/**
 * Returns a duration option in milliseconds, or the default if the option is absent or 0. For an invalid value, throws an error that names
 * the option.
 */
export function timeOption(
  value: DurationValue | null | undefined,
  fallback: number,
  context: Context,
  ...at: string[]
): number {
  if (value === undefined || value === null || value === 0) return fallback;
  try {
    const time = parseDuration(value);
    return time === 0 ? fallback : time;
  } catch (error) {
    throw context.error((error as Error).message, ...at);
  }
}
