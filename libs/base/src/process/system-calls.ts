/**
 * System calls that Node does not provide, implemented with the experimental `node:ffi` module.
 *
 * If Node was built without `node:ffi`, the functions return `null`. Callers then use an alternative or report the limitation. The module
 * is loaded on first use.
 */
import type * as Ffi from 'node:ffi';
import { endianness } from 'node:os';
import { valueError } from '../values/value-error.ts';

/** Linux constants for `socket(2)`, `sendto(2)`, and `fcntl(2)`. */
const unixFamily = 1;
const datagramCloseOnExec = 0o2000002;
const dontWaitNoSignal = 0x4040;
const duplicateCloseOnExec = 1030;
const setFlags = 2;
const closeOnExecFlag = 1;
/** Offset of the path in a `sockaddr_un` structure, and maximum length of the path (unix(7)). */
const pathOffset = 2;
const maxPath = 108;

type Calls = LibraryCalls | null;

let calls: Calls | undefined;

function systemCalls(): Calls {
  return (calls ??= load());
}

function load(): LibraryCalls | null {
  if (process.platform !== 'linux') return null;
  const { emitWarning } = process;
  // Suppress Node's warning about the experimental module, which would appear at each start.
  process.emitWarning = () => undefined;
  try {
    const ffi = process.getBuiltinModule('node:ffi') as typeof Ffi | undefined;
    return ffi?.dlopen(null, signatures).functions ?? null;
  } finally {
    process.emitWarning = emitWarning;
  }
}

const signatures = {
  close: { arguments: ['i32'], return: 'i32' },
  fcntl: { arguments: ['i32', 'i32', 'i32'], return: 'i32' },
  sendto: { arguments: ['i32', 'buffer', 'u64', 'i32', 'buffer', 'u32'], return: 'i64' },
  socket: { arguments: ['i32', 'i32', 'i32'], return: 'i32' },
} as const;

interface LibraryCalls {
  close(descriptor: number): number;
  fcntl(descriptor: number, command: number, argument: number): number;
  sendto(descriptor: number, bytes: Buffer, size: bigint, flags: number, address: Buffer, addressSize: number): bigint;
  socket(family: number, type: number, protocol: number): number;
}

/** Duplicates a file descriptor and sets close-on-exec. Returns -1 if the descriptor is not open, and `null` if the call is unsupported. */
export function duplicateDescriptor(descriptor: number): number | null {
  return systemCalls()?.fcntl(descriptor, duplicateCloseOnExec, 0) ?? null;
}

export function closeOnExec(descriptor: number): void {
  systemCalls()?.fcntl(descriptor, setFlags, closeOnExecFlag);
}

/** Closes a file descriptor that Node does not manage. Returns false if the call is unsupported. */
export function closeDescriptor(descriptor: number): boolean {
  const library = systemCalls();
  library?.close(descriptor);
  return library !== null;
}

/**
 * Sends a datagram to a Unix socket without blocking. A path that begins with `@` is in the abstract namespace.
 *
 * Reports whether the operating system accepted the datagram. Returns `null` if the call is unsupported.
 */
export function sendUnixDatagram(path: string, text: string): boolean | null {
  const library = systemCalls();
  if (library === null) return null;
  const socket = library.socket(unixFamily, datagramCloseOnExec, 0);
  if (socket < 0) return false;
  const bytes = Buffer.from(text);
  const address = unixAddress(path);
  const sent = library.sendto(socket, bytes, BigInt(bytes.length), dontWaitNoSignal, address, address.length);
  library.close(socket);
  return sent === BigInt(bytes.length);
}

/** Encodes a `sockaddr_un` structure. A file path is null-terminated, but an abstract name is not. */
function unixAddress(path: string): Buffer {
  const abstract = path.startsWith('@');
  const name = Buffer.from(abstract ? `\0${path.slice(1)}` : `${path}\0`);
  if (name.length > maxPath) throw valueError(`a Unix socket path can have at most ${maxPath - 1} bytes: ${path}`);
  const family = Buffer.alloc(pathOffset);
  if (endianness() === 'LE') family.writeUInt16LE(unixFamily);
  else family.writeUInt16BE(unixFamily);
  return Buffer.concat([family, name]);
}
