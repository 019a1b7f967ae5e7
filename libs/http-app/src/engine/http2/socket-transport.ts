/** Carries an HTTP/2 connection over a socket. */
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { guarded, type Guarded } from '@sluice/base';
import { writeResult, type Transport } from '@sluice/http2';

/** Writes to a socket, one write at a time. */
export class SocketTransport implements Transport {
  /** Since when a write is on its way, in milliseconds of `performance.now()`; Infinity for none. */
  busySince = Number.POSITIVE_INFINITY;
  readonly #socket: Duplex;
  /** What a pending write leaves of its bytes: TLS has encrypted them by then, a system's socket still needs them. */
  readonly #pendingResult: number;
  readonly #onWritten: () => void;
  /** Writes that were begun and ended, and the one that is waited for. */
  #begun = 0;
  #ended = 0;
  #awaited = 0;

  /** `written` is called when a write that did not end at once has ended. */
  constructor(socket: Duplex, owner: Guarded, written: () => void) {
    this.#socket = socket;
    this.#pendingResult = socket instanceof TLSSocket ? writeResult.copied : writeResult.kept;
    this.#onWritten = guarded(owner, () => {
      this.#ended++;
      if (this.#awaited === 0 || this.#ended < this.#awaited) return;
      this.#awaited = 0;
      this.busySince = Number.POSITIVE_INFINITY;
      written();
    });
  }

  write(bytes: Buffer, end: number): number {
    const socket = this.#socket;
    this.#begun++;
    socket.write(bytes.subarray(0, end), this.#onWritten);
    if (socket.writableLength === 0 && !socket.destroyed) return writeResult.done;
    this.#awaited = this.#begun;
    this.busySince = performance.now();
    return this.#pendingResult;
  }

  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }
}
