/**
 * libc and libuv functions for connections without libuv handles. Separate from the functions that UDP and `sendfile` need, so that a
 * missing function disables only these connections. Resolved on first use.
 */
import { functionsOf, type Functions } from '../library.ts';
import { system } from './functions.ts';

const signatures = {
  accept4: ['i', 'i', 'p', 'p', 'i'],
  shutdown: ['i', 'i', 'i'],
  // The results are ssize_t. Their lower halves are enough for the sizes read and written here.
  read: ['i', 'i', 'p', 'L'],
  write: ['i', 'i', 'p', 'L'],
  epoll_create1: ['i', 'i'],
  epoll_ctl: ['i', 'i', 'i', 'i', 'p'],
  epoll_wait: ['i', 'i', 'p', 'i', 'i'],
  uv_backend_fd: ['i', 'p'],
} as const;

let resolved: Functions<typeof signatures> | null = null;

/** Returns all functions. Throws on unsupported platforms, as `system` does. */
export function polledSystem(): Functions<typeof signatures> {
  if (resolved !== null) return resolved;
  system();
  return (resolved = functionsOf(signatures));
}
