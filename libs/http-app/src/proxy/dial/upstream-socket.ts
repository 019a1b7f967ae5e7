/**
 * Upstream sockets that read without copies. An ordinary Node socket creates a buffer and makes several calls per read.
 * These sockets read into a buffer shared by the thread, or into a buffer of the reader for large bodies.
 */
import { Socket, type SocketConstructorOpts } from 'node:net';
import type { DirectReader, DirectSocket } from '../../engine/direct-socket.ts';
import { beginRead, connectionOf, endRead, failOwner } from '@sluice/base';

/** Receives the data of a socket directly instead of through its stream. */
export interface SocketReader {
  /** Receives `bytes[0..end)`, which are overwritten by the next read into the same buffer. */
  onBytes(bytes: Buffer, end: number): void;
  /**
   * Returns the buffer for the next read; `null` means the shared buffer. Called immediately after each {@link onBytes}.
   */
  readBuffer(): Buffer | null;
}

/** Read buffer shared by all sockets of a thread. Node holds a reference, so the buffer is never replaced. */
const shared = Buffer.allocUnsafeSlow(64 * 1024);

/** A socket with direct reads. Without a reader, it behaves like an ordinary stream. */
export class UpstreamSocket extends Socket implements DirectSocket {
  reader: SocketReader | null = null;
  /** Reader that replaces {@link reader} after the connection was upgraded. */
  directReader: DirectReader | null = null;
  #buffer: Buffer = shared;
  /** True once Node uses a buffer of ours. */
  #hasRead = false;

  constructor() {
    const onread = { buffer: () => this.#next(), callback: (size: number) => this.#onRead(size) };
    super({ onread } as SocketConstructorOpts);
  }

  /** Returns the next read buffer; `null` keeps the previous one, because Node validates each new buffer. */
  #next(): Buffer | null {
    const next = this.reader?.readBuffer() ?? shared;
    if (next === this.#buffer && this.#hasRead) return null;
    this.#buffer = next;
    return next;
  }

  /** Listeners added by other code, for example listener wrappers, may throw too. */
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    try {
      return super.emit(event, ...args);
    } catch (error) {
      failOwner(connectionOf(this), error);
      return true;
    }
  }

  /** Returning false pauses reading until the stream is read or resumed. */
  #onRead(size: number): boolean {
    this.#hasRead = true;
    const { reader, directReader } = this;
    if (reader === null && directReader === null) return this.push(Buffer.from(this.#buffer.subarray(0, size)));
    beginRead();
    try {
      if (reader === null) directReader?.(this.#buffer, size);
      else reader.onBytes(this.#buffer, size);
    } catch (error) {
      failOwner(connectionOf(this), error);
    }
    endRead();
    return true;
  }
}
