/** libc and libuv functions for sockets, resolved on first use. */
import { endianness } from 'node:os';
import { functionsOf, type Functions } from '../library.ts';

const signatures = {
  socket: ['i', 'i', 'i', 'i'],
  socketpair: ['i', 'i', 'i', 'i', 'p'],
  bind: ['i', 'i', 'p', 'u'],
  close: ['i', 'i'],
  getsockname: ['i', 'i', 'p', 'p'],
  setsockopt: ['i', 'i', 'i', 'i', 'p', 'u'],
  poll: ['i', 'p', 'L', 'i'],
  recvmmsg: ['i', 'i', 'p', 'u', 'i', 'p'],
  // The actual type is 64-bit. The lower half is sufficient to detect an error and avoids a `bigint`.
  sendmsg: ['i', 'i', 'p', 'i'],
  if_indextoname: ['p', 'u', 'p'],
  if_nametoindex: ['u', 's'],
  sendfile: ['l', 'i', 'i', 'p', 'L'],
  calloc: ['p', 'L', 'L'],
  free: ['v', 'p'],
  uv_poll_init: ['i', 'p', 'p', 'i'],
  uv_poll_start: ['i', 'p', 'i', 'p'],
  uv_poll_stop: ['i', 'p'],
  uv_unref: ['v', 'p'],
  uv_close: ['v', 'p', 'p'],
} as const;

let resolved: Functions<typeof signatures> | null = null;

/** Returns all functions. Throws on unsupported platforms: the struct layouts require Linux on a 64-bit little-endian machine. */
export function system(): Functions<typeof signatures> {
  if (resolved !== null) return resolved;
  if (process.platform !== 'linux') throw new Error(`node:ffi sockets are not supported on ${process.platform}`);
  if (!['x64', 'arm64'].includes(process.arch) || endianness() !== 'LE')
    throw new Error(`node:ffi sockets are not supported on ${process.arch}`);
  return (resolved = functionsOf(signatures));
}
