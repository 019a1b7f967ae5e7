/** Interface for protocol layers between a connection and the users of its socket, such as TLS. The socket object stays the same. */
import type { Socket } from 'node:net';

/** One chunk of a vectored write. */
export interface WritePart {
  readonly chunk: Buffer | string;
  readonly encoding: BufferEncoding;
}

export type WriteDone = (error?: Error | null) => void;

/** Transforms the data that a socket reads and writes. Only the socket calls these methods. */
export interface SocketLayer {
  /** Receives `bytes[0..end)` from the connection. The buffer is overwritten later. Returns false to stop reading until the socket resumes. */
  received(bytes: Buffer, end: number): boolean;
  /** Writes data to the connection. The socket waits for `done` before the next call. */
  write(data: Buffer | string, encoding: BufferEncoding, done: WriteDone): void;
  writeAll(parts: readonly WritePart[], done: WriteDone): void;
  /** Called after the last write and before the connection is shut down. */
  end(done: WriteDone): void;
  /** Called once when the socket is destroyed. */
  close(): void;
}

/** A socket that supports a protocol layer. */
export interface LayeredSocket extends Socket {
  /** Set once. */
  layer: SocketLayer | null;
  /** File descriptor of the connection. -1 if the connection is closed. */
  readonly connectionDescriptor: number;
  /** Writes bytes directly to the connection, below the layer. */
  writeBelow(bytes: Buffer, done: WriteDone): void;
  /** Passes bytes from the layer to the reader of the socket. Returns false to stop reading. */
  deliver(bytes: Buffer, end: number): boolean;
}

/** Reports whether a socket supports a protocol layer and does not have one yet. */
export function canHaveLayer(socket: Socket): socket is LayeredSocket {
  return 'layer' in socket && socket.layer === null;
}

/**
 * Reports whether a socket has a protocol layer. The layer transforms the data, so the bytes on the connection differ from the bytes
 * written to the socket.
 */
export function hasLayer(socket: Socket): boolean {
  return 'layer' in socket && socket.layer !== null;
}
