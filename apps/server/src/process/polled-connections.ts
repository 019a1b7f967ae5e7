/**
 * Connections of a dead worker that Node.js does not manage. If they were not closed here, they would stay open, and their clients would
 * wait.
 */
import { fstatSync, readFileSync, readlinkSync } from 'node:fs';
import { closeDescriptor, type PollSets } from '@sluice/base';

/** Closes the epoll sets of a dead worker, and the connections in them; see `proc_pid_fdinfo(5)`. Does not close listening sockets. */
export function closePolled({ connections, listeners }: PollSets): void {
  if (isEpollSet(listeners)) closeDescriptor(listeners);
  if (!isEpollSet(connections)) return;
  const info = readFileSync(`/proc/self/fdinfo/${connections}`, 'latin1');
  for (const [, descriptor, inode] of info.matchAll(/^tfd: *(\d+) .* ino:([0-9a-f]+)/gm))
    if (inodeOf(Number(descriptor)) === Number.parseInt(inode ?? '', 16)) closeDescriptor(Number(descriptor));
  closeDescriptor(connections);
}

function isEpollSet(descriptor: number): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`) === 'anon_inode:[eventpoll]';
  } catch {
    return false;
  }
}

/** Returns -1 if the descriptor is closed. */
function inodeOf(descriptor: number): number {
  try {
    return fstatSync(descriptor).ino;
  } catch {
    return -1;
  }
}
