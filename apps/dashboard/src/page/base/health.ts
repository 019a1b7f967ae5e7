/** How things are, and what comes first because of that. */

/** The states that things have. */
export type Health = 'ok' | 'warn' | 'bad' | 'idle';

const order: Readonly<Record<Health, number>> = { bad: 0, warn: 1, ok: 2, idle: 3 };

/** For sorting: the worst comes first. */
export function byHealth(a: Health, b: Health): number {
  return order[a] - order[b];
}
