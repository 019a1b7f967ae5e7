/** Sends files from the page cache to sockets without copying them through the process (`sendfile(2)`, Linux). */
import { functionsOf, type Functions } from '../library.ts';
import { Block } from '../memory.ts';
import { nativeSwitch } from '../native-switch.ts';
import { system } from './functions.ts';

/** Result of {@link FileSender} if the next bytes of the file are not in the page cache or can't be sent with `sendfile`. */
export const notCached = -1;

/**
 * Sends bytes `[from, to)` of the open file `file` to the non-blocking socket `socket`, at most 2 MiB per call. The caller keeps ownership
 * of both descriptors. Returns the number of bytes that the socket accepted. Returns 0 if the socket is full or has failed. Returns {@link
 * notCached} if reading would wait for the disk.
 */
export type FileSender = (socket: number, file: number, from: number, to: number) => number;

const signatures = { preadv2: ['l', 'i', 'p', 'i', 'l', 'i'] } as const;

/** Maximum number of bytes per call. A longer call would delay other connections of the thread. */
const maxPerCall = 2 * 1024 * 1024;
/** Flag for `preadv2(2)`. With this flag, the call fails if it would have to wait for the disk. */
const noWait = 8;

let sender: FileSender | null | undefined;

/** Returns this thread's file sender, or `null` on platforms without one. Functions are resolved on first use. */
export function fileSender(): FileSender | null {
  if (sender !== undefined) return sender;
  try {
    sender = nativeSwitch() === null ? createSender() : null;
  } catch {
    sender = null;
  }
  return sender;
}

function createSender(): FileSender {
  const { sendfile } = system();
  const { preadv2 }: Functions<typeof signatures> = functionsOf(signatures);
  // Memory for three values: one byte to read into, a `struct iovec` that references this byte, and the offset that `sendfile` updates.
  const block = new Block(32).pin();
  const vector = block.at(8, 16);
  const offset = block.at(24, 8);
  block.bytes.writeBigUInt64LE(block.at(0, 1), 8);
  block.bytes.writeBigUInt64LE(1n, 16);
  const isCached = (file: number, position: number): boolean =>
    preadv2(file, vector, 1, BigInt(position), noWait) === 1n;
  return (socket, file, from, to) => {
    const end = Math.min(to, from + maxPerCall);
    if (end <= from || !isCached(file, from) || !isCached(file, end - 1)) return notCached;
    block.bytes.writeBigInt64LE(BigInt(from), 24);
    return Math.max(0, Number(sendfile(socket, file, offset, BigInt(end - from))));
  };
}
