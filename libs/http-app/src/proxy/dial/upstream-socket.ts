/**
 * Upstream sockets that read without copying. For each read, an ordinary Node socket allocates a buffer and makes several calls. These
 * sockets read into a buffer that all sockets of the thread share. For large bodies, the reader supplies the buffer.
 */
import { Socket, type SocketConstructorOpts } from 'node:net';
import type { DirectReader, DirectSocket } from '../../engine/direct-socket.ts';
import { beginRead, connectionOf, endRead, failOwner } from '@sluice/base';

/** A consumer that receives socket data directly instead of through the stream API. */
export interface SocketReader {
  /** Receives the bytes from 0 up to, but not including, `end`. The next read into the same buffer overwrites them. */
  onBytes(bytes: Buffer, end: number): void;
  /** Returns the buffer for the next read. `null` selects the shared buffer. Called right after each {@link onBytes} call. */
  readBuffer(): Buffer | null;
}

/** Read buffer shared by all sockets of a thread. Node keeps a reference to it, so the buffer is never replaced. */
const shared = Buffer.allocUnsafeSlow(64 * 1024);

/** A socket that supports direct reads. If no reader is set, it behaves like an ordinary stream. */
export class UpstreamSocket extends Socket implements DirectSocket {
  reader: SocketReader | null = null;
  /** Reader that replaces {@link reader} after a protocol upgrade. */
  directReader: DirectReader | null = null;
  #buffer: Buffer = shared;
  /** True after Node has started to read into a buffer supplied by this class. */
  #hasRead = false;

  constructor() {
    const onread = { buffer: () => this.#next(), callback: (size: number) => this.#onRead(size) };
    super({ onread } as SocketConstructorOpts);
  }

  /** Returns the next read buffer. `null` keeps the previous buffer, so that Node doesn't validate it again. */
  #next(): Buffer | null {
    const next = this.reader?.readBuffer() ?? shared;
    if (next === this.#buffer && this.#hasRead) return null;
    this.#buffer = next;
    return next;
  }

  /** Catches exceptions in event listeners, because listeners added by other code, such as listener wrappers, may throw. */
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    try {
      return super.emit(event, ...args);
    } catch (error) {
      failOwner(connectionOf(this), error);
      return true;
    }
  }

  /** Handles a read. If this method returns false, reading pauses until the stream is read or resumed. */
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
