/** Parses nginx sizes and times, such as `10m` and `1h30m`. */
import { problemAt } from '../problem.ts';
import type { Directive } from '../syntax/directive.ts';

const sizes: Readonly<Record<string, number>> = { k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

/** Converts a size such as `8k` to bytes. */
export function parseSize(directive: Directive, text: string): number {
  const [, digits, unit = ''] = /^(\d{1,12})([kmg]?)$/.exec(text.toLowerCase()) ?? [];
  if (digits === undefined) throw problemAt(directive, `expected a size such as 10m, not ${JSON.stringify(text)}`);
  return Number(digits) * (sizes[unit] ?? 1);
}

const seconds: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
  w: 604_800,
  M: 2_592_000,
  y: 31_536_000,
};

/** Converts a time such as `1h30m` to seconds. A number without a unit is in seconds. Returns `null` if the time is invalid. */
export function secondsOf(text: string): number | null {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  if (!/^(?:\d{1,12}(?:ms|[smhdwMy]) ?)+$/.test(text)) return null;
  let total = 0;
  for (const [, digits = '', unit = ''] of text.matchAll(/(\d+)(ms|[smhdwMy])/g))
    total += Number(digits) * (seconds[unit] ?? 1);
  return total;
}

/** Converts an nginx time to a duration in Sluice's format. */
export function parseDuration(directive: Directive, text: string): string {
  const value = secondsOf(text);
  if (value === null) throw problemAt(directive, `expected a time such as 30s or 5m, not ${JSON.stringify(text)}`);
  return value % 1 === 0 ? `${value}s` : `${Math.round(value * 1000)}ms`;
}
