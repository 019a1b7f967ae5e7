/** Sockets in the file system: their permissions, and what a process that was killed left behind. */
import { lstatSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';

/** Runs something that creates a socket, so that it has these permissions from the beginning. */
export function withMode<T>(mode: number, create: () => T): T {
  const umask = process.umask(0o777 & ~mode);
  try {
    return create();
  } finally {
    process.umask(umask);
  }
}

/** Removes a socket that no process listens on, and nothing that is not a socket. */
export async function removeStale(path: string): Promise<void> {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket() !== true) return;
  const code = await new Promise<string>((resolve) => {
    const socket = connect(path);
    socket.on('connect', () => {
      socket.destroy();
      resolve('');
    });
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
  });
  if (code === 'ECONNREFUSED') unlinkSync(path);
}
