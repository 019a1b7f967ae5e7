/** A protocol between a connection and the users of its socket, such as TLS. The socket object stays the same. */
import type { Socket } from 'node:net';

/** One element of a vectored write. */
export interface WritePart {
  readonly chunk: Buffer | string;
  readonly encoding: BufferEncoding;
}

export type WriteDone = (error?: Error | null) => void;

/** Transforms what a socket reads and writes. Methods are called by the socket only. */
export interface SocketLayer {
  /** Receives `bytes[0..end)` from the connection, which are overwritten later. Returns false to stop reading until the socket resumes. */
  received(bytes: Buffer, end: number): boolean;
  /** Writes data. Called again only after `done`. */
  write(data: Buffer | string, encoding: BufferEncoding, done: WriteDone): void;
  writeAll(parts: readonly WritePart[], done: WriteDone): void;
  /** Called after the last write, before the connection is shut down. */
  end(done: WriteDone): void;
  /** Called once when the socket is destroyed. */
  close(): void;
}

/** A socket that supports a layer. */
export interface LayeredSocket extends Socket {
  /** Set once. */
  layer: SocketLayer | null;
  /** Descriptor of the connection; -1 if closed. */
  readonly connectionDescriptor: number;
  /** Writes bytes to the connection. */
  writeBelow(bytes: Buffer, done: WriteDone): void;
  /** Passes bytes to the reader of the socket. Returns false to stop reading. */
  deliver(bytes: Buffer, end: number): boolean;
}

/** Reports whether a socket supports a layer and has none. */
export function canHaveLayer(socket: Socket): socket is LayeredSocket {
  return 'layer' in socket && socket.layer === null;
}

/** Reports whether a socket has a layer, so that its handle does not carry what is written to the socket. */
export function hasLayer(socket: Socket): boolean {
  return 'layer' in socket && socket.layer !== null;
}
