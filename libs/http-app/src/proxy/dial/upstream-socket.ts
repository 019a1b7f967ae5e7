/**
 * Sockets to upstreams whose input is read where it lies. Node makes a buffer and several calls for each read of an
 * ordinary socket; these read into one buffer of the thread, or into one that their reader has for large bodies.
 */
import { Socket, type SocketConstructorOpts } from 'node:net';
import type { DirectReader, DirectSocket } from '../../engine/direct-socket.ts';
import { beginRead, connectionOf, endRead, failOwner } from '@sluice/base';

/** Reads a socket instead of its stream. */
export interface SocketReader {
  /** Takes `bytes[0..end)`, which are overwritten by the next read into the same buffer. */
  onBytes(bytes: Buffer, end: number): void;
  /** Where to read next; `null` for the buffer of the thread. Asked right after each {@link onBytes}, not before the read. */
  readBuffer(): Buffer | null;
}

/** All sockets of a thread read into this, one after the other. Each has been told of it: it stays the same for good. */
const shared = Buffer.allocUnsafeSlow(64 * 1024);

/** A socket. Without a reader, of either kind, it is a stream like any other. */
export class UpstreamSocket extends Socket implements DirectSocket {
  reader: SocketReader | null = null;
  /** Reads what has no {@link reader} any more, because the connection was upgraded. */
  directReader: DirectReader | null = null;
  #buffer: Buffer = shared;
  /** Whether Node has been told of a buffer. */
  #hasRead = false;

  constructor() {
    const onread = { buffer: () => this.#next(), callback: (size: number) => this.#onRead(size) };
    super({ onread } as SocketConstructorOpts);
  }

  /** Where to read next; `null` stands for the buffer of before, as Node looks into each that it is given. */
  #next(): Buffer | null {
    const next = this.reader?.readBuffer() ?? shared;
    if (next === this.#buffer && this.#hasRead) return null;
    this.#buffer = next;
    return next;
  }

  /** Listeners that others have added, as listener wrappers do, may throw, too. */
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    try {
      return super.emit(event, ...args);
    } catch (error) {
      failOwner(connectionOf(this), error);
      return true;
    }
  }

  /** Returning false stops reading, until the stream is read or resumed. */
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
