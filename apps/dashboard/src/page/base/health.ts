/** Health states in order of severity. */

export type Health = 'ok' | 'warn' | 'bad' | 'idle';

const order: Readonly<Record<Health, number>> = { bad: 0, warn: 1, ok: 2, idle: 3 };

/** Compares two states, sorting the more severe state first. */
export function byHealth(a: Health, b: Health): number {
  return order[a] - order[b];
}
