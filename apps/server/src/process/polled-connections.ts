/**
 * Connections of a dead worker whose descriptors Node does not manage. If they were not cleaned up, they would stay open, and their clients
 *    would wait.
 */
import { fstatSync, readFileSync } from 'node:fs';
import { closeDescriptor } from '@sluice/base';

/** Closes the epoll set of a dead worker, and the connections in it; see `proc_pid_fdinfo(5)`. The set must contain no other descriptors. */
export function closePolled(set: number): void {
  let info: string;
  try {
    info = readFileSync(`/proc/self/fdinfo/${set}`, 'latin1');
  } catch {
    return;
  }
  for (const [, descriptor, inode] of info.matchAll(/^tfd: *(\d+) .* ino:([0-9a-f]+)/gm))
    if (inodeOf(Number(descriptor)) === Number.parseInt(inode ?? '', 16)) closeDescriptor(Number(descriptor));
  closeDescriptor(set);
}

/** Returns -1 if the descriptor is closed. */
function inodeOf(descriptor: number): number {
  try {
    return fstatSync(descriptor).ino;
  } catch {
    return -1;
  }
}
