/**
 * Reserves some of the process's limited number of file descriptors. Accepted requests need descriptors for upstreams and files, and the
 * admin API must remain available.
 */
import { readFileSync } from 'node:fs';

/** Maximum number of file descriptors that are reserved and can't be used for client connections. */
const maxReserve = 1024;
const reservePart = 1 / 8;

/**
 * First file descriptor that can't be used for client connections. The operating system assigns the lowest free number, so a descriptor's
 * number shows how many remain.
 */
export const firstReserved: number = firstReservedOf(limitText());

/** Returns the first reserved file descriptor, based on the text of `/proc/self/limits`. Returns `Infinity` if the limits are unknown. */
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
