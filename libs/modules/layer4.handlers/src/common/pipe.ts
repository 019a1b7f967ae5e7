/**
 * One direction of a proxied connection. Passes data, and the end of data, from one socket to one or more others. Data is read at the speed
 * of the slowest receiver. Each chunk is copied once, into reused memory. Directions that carry a lot of data get separate read buffers,
 * which are written without copying.
 */
import type { Duplex } from 'node:stream';
import { guarded, type Guarded } from '@sluice/base';
import { isDirect, SendBuffer, UpstreamSocket, type SocketReader } from '@sluice/http-app';

/** Size of the separate read buffer for a direction that carries a lot of data, in bytes. */
const largeSize = 128 * 1024;
/** If a read returns more bytes than this, a lot more data is expected. */
const manyBytes = 64 * 1024;
/** If a read returns fewer bytes than this, a burst of data is considered over. */
const fewBytes = 8 * 1024;
/** Maximum number of free buffers to keep for reuse. */
const maxFree = 16;

const free: Buffer[] = [];

/** One direction of a proxied connection. */
export class Pipe implements SocketReader {
  readonly #from: Duplex;
  readonly #to: readonly Duplex[];
  readonly #memory = new SendBuffer();
  /** Minimum chunk size, in bytes, for which the pipe waits until the write completes. */
  readonly #minWaited: number;
  /** Separate read buffer, or `null` to use the thread's buffer. While the buffer is being written, nothing is read. */
  #large: Buffer | null = null;
  readonly #onEnd: () => void;

  /** `owner` handles exceptions in callbacks. If `onEnd` is given, it is called at the end of the data, and the receivers remain open. */
  constructor(from: Duplex, to: readonly Duplex[], owner: Guarded, onEnd: (() => void) | null = null) {
    this.#from = from;
    this.#to = to;
    this.#onEnd = onEnd ?? (() => this.#end());
    this.#minWaited = Math.max(...to.map((each) => each.writableHighWaterMark));
    const drained = guarded(owner, () => this.#drained());
    for (const each of to) each.on('drain', drained);
  }

  /** Starts the pipe with data received earlier. */
  start(owner: Guarded): void {
    const from = this.#from;
    if (from.readableEnded) {
      this.#onEnd();
      return;
    }
    from.once(
      'end',
      guarded(owner, () => this.#onEnd()),
    );
    while (from.readableLength > 0) {
      const early = from.read() as Buffer | null;
      if (early === null) break;
      this.#write(early);
    }
    if (from instanceof UpstreamSocket) {
      from.reader = this;
      from.once(
        'close',
        guarded(owner, () => this.#releaseLarge()),
      );
    } else if (isDirect(from)) from.directReader = this.#read;
    else
      from.on(
        'data',
        guarded(owner, (piece: Buffer) => this.#write(piece)),
      );
    if (this.#isFull) from.pause();
    else from.resume();
  }

  onBytes(bytes: Buffer, end: number): void {
    if (bytes !== this.#large) {
      this.#read(bytes, end);
      if (end >= manyBytes) this.#large ??= free.pop() ?? Buffer.allocUnsafeSlow(largeSize);
      return;
    }
    // Wait only for writes of at least this size. The memory of these writes must not be overwritten before the writes complete.
    if (end >= this.#minWaited) this.#write(bytes.subarray(0, end));
    else this.#read(bytes, end);
    if (end < fewBytes) this.#releaseLarge();
  }

  readBuffer(): Buffer | null {
    return this.#large;
  }

  /** Releases the separate read buffer. If its memory may still be in use, the buffer is not reused. */
  #releaseLarge(): void {
    if (this.#large !== null && this.#isIdle && free.length < maxFree) free.push(this.#large);
    this.#large = null;
  }

  /** Callback for sockets with direct reads. The callback copies the bytes, and does not catch exceptions. */
  readonly #read = (bytes: Buffer, end: number): void => {
    const piece = this.#memory.take(end, this.#isIdle);
    bytes.copy(piece, 0, 0, end);
    this.#write(piece);
    if (this.#isIdle) this.#memory.release(true);
  };

  #write(piece: Buffer): void {
    let full = false;
    for (const each of this.#to) if (each.writable && !each.write(piece)) full = true;
    if (full) this.#from.pause();
  }

  #drained(): void {
    if (this.#isIdle) this.#memory.release(true);
    if (!this.#isFull) this.#from.resume();
  }

  #end(): void {
    for (const each of this.#to) if (each.writable) each.end();
  }

  /** True if the kernel has accepted all written data. */
  get #isIdle(): boolean {
    for (const each of this.#to) if (each.writableLength > 0) return false;
    return true;
  }

  get #isFull(): boolean {
    for (const each of this.#to) if (each.writableNeedDrain) return true;
    return false;
  }
}

/** Closes several sockets together: when one closes, the others close after sending their pending data. */
export function closeTogether(sockets: readonly Duplex[], owner: Guarded, done: () => void): void {
  let left = sockets.length;
  for (const socket of sockets) {
    const onClose = guarded(owner, () => {
      if (--left === 0) done();
      for (const other of sockets) if (other !== socket) finish(other);
    });
    socket.on('error', ignore);
    if (socket.closed) onClose();
    else socket.once('close', onClose);
  }
}

/** Sends the pending data, then closes the socket. */
function finish(socket: Duplex): void {
  if (socket.destroyed) return;
  if (socket.writable) socket.end(() => socket.destroy());
  else socket.destroy();
}

function ignore(): void {}
