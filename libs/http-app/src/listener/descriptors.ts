/**
 * File descriptors of the process, of which there is a fixed number. Clients must not get the last ones: requests that are
 * accepted need some for upstreams and files, and administrators want to be heard.
 */
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** Most descriptors that are kept from clients. */
const maxReserve = 1024;
const reservePart = 1 / 8;

/** The first descriptor that is not for clients. The system gives the lowest number that is free, so that numbers tell how many are left. */
export const firstReserved: number = firstReservedOf(limitText());

/** The first reserved descriptor by the text of `/proc/self/limits`; infinite where nothing is known of limits. */
export function firstReservedOf(limits: string): number {
  const soft = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  return soft === Number.POSITIVE_INFINITY ? soft : soft - Math.min(maxReserve, Math.floor(soft * reservePart));
}

/** The descriptor of a connection; -1 if it cannot be told. */
export function descriptorOf(socket: Socket): number {
  return (socket as Socket & { readonly _handle?: { readonly fd?: number } | null })._handle?.fd ?? -1;
}

function limitText(): string {
  try {
    return readFileSync('/proc/self/limits', 'latin1');
  } catch {
    return '';
  }
}
