/** Health states, ordered by severity. */

export type Health = 'ok' | 'warn' | 'bad' | 'idle';

const order: Readonly<Record<Health, number>> = { bad: 0, warn: 1, ok: 2, idle: 3 };

/** Compares two health states, so that the more severe state sorts first. */
export function byHealth(a: Health, b: Health): number {
  return order[a] - order[b];
}
