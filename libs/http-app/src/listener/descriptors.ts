/**
 * Reserves file descriptors, which are a limited process resource: accepted requests need descriptors for upstreams and
 * files, and the admin API must stay reachable.
 */
import { readFileSync } from 'node:fs';

/** Maximum number of descriptors that clients can't use. */
const maxReserve = 1024;
const reservePart = 1 / 8;

/**
 * First descriptor that clients can't use. The system assigns the lowest free number, so a number reveals how many
 * remain.
 */
export const firstReserved: number = firstReservedOf(limitText());

/** Returns the first reserved descriptor, from the text of `/proc/self/limits`; infinite if the limits are unknown. */
export function firstReservedOf(limits: string): number {
  const soft = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  return soft === Number.POSITIVE_INFINITY ? soft : soft - Math.min(maxReserve, Math.floor(soft * reservePart));
}

function limitText(): string {
  try {
    return readFileSync('/proc/self/limits', 'latin1');
  } catch {
    return '';
  }
}
