/**
 * Calls of the operating system that Node has no function of its own for, by `node:ffi`. That module is young: where a Node
 * is built without it, callers get `null` and do without, or say what does not work. It is loaded when it is first needed.
 */
import type * as Ffi from 'node:ffi';
import { endianness } from 'node:os';
import { valueError } from '../values/value-error.ts';

/** Flags of `socket(2)`, `sendto(2)` and `fcntl(2)` on Linux. */
const unixFamily = 1;
const datagramCloseOnExec = 0o2000002;
const dontWaitNoSignal = 0x4040;
const duplicateCloseOnExec = 1030;
const setFlags = 2;
const closeOnExecFlag = 1;
/** Where the path of a `sockaddr_un` begins, and how long it may be (unix(7)). */
const pathOffset = 2;
const maxPath = 108;

type Calls = LibraryCalls | null;

let calls: Calls | undefined;

/** Loads the functions once. */
function systemCalls(): Calls {
  return (calls ??= load());
}

function load(): LibraryCalls | null {
  if (process.platform !== 'linux') return null;
  const { emitWarning } = process;
  // That it is experimental is said here, and operators need not read it at each start.
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

/** The functions of the C library that are used here. */
interface LibraryCalls {
  close(descriptor: number): number;
  fcntl(descriptor: number, command: number, argument: number): number;
  sendto(descriptor: number, bytes: Buffer, size: bigint, flags: number, address: Buffer, addressSize: number): bigint;
  socket(family: number, type: number, protocol: number): number;
}

/**
 * A second descriptor of an open file, which is closed in programs that this process starts. Gives -1 if there is no such
 * open file, and `null` where this cannot be done.
 */
export function duplicateDescriptor(descriptor: number): number | null {
  return systemCalls()?.fcntl(descriptor, duplicateCloseOnExec, 0) ?? null;
}

/** Has a descriptor closed in programs that this process starts. */
export function closeOnExec(descriptor: number): void {
  systemCalls()?.fcntl(descriptor, setFlags, closeOnExecFlag);
}

/** Closes a descriptor that Node does not know. Returns false where this cannot be done. */
export function closeDescriptor(descriptor: number): boolean {
  const library = systemCalls();
  library?.close(descriptor);
  return library !== null;
}

/**
 * Sends a datagram to a Unix socket; a path that begins with `@` is in the abstract namespace. Does not wait. Gives whether
 * the system took it, and `null` where this cannot be done.
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

/** A `sockaddr_un`. One in the abstract namespace ends with its last byte, one of a file with a zero. */
function unixAddress(path: string): Buffer {
  const abstract = path.startsWith('@');
  const name = Buffer.from(abstract ? `\0${path.slice(1)}` : `${path}\0`);
  if (name.length > maxPath) throw valueError(`a Unix socket path can have at most ${maxPath - 1} bytes: ${path}`);
  const family = Buffer.alloc(pathOffset);
  if (endianness() === 'LE') family.writeUInt16LE(unixFamily);
  else family.writeUInt16BE(unixFamily);
  return Buffer.concat([family, name]);
}
