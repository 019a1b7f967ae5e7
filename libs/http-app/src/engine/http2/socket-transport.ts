/** Carries an HTTP/2 connection over a socket. */
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { guarded, type Guarded } from '@sluice/base';
import { writeResult, type ConnectionTransport } from '@sluice/http2';

/** Writes to a socket, one write at a time. */
export class SocketTransport implements ConnectionTransport {
  readonly #socket: Duplex;
  /** What a pending write leaves of its bytes: TLS has encrypted them by then, a system's socket still needs them. */
  readonly #pendingResult: number;
  /** Whether it is a stream of which nothing is known, as a listener wrapper makes it: it may keep what it is given. */
  readonly #isForeign: boolean;
  readonly #onWritten: () => void;
  /** Writes that were begun and ended, and the one that is waited for. */
  #begun = 0;
  #ended = 0;
  #awaited = 0;

  /** `written` is called when a write that did not end at once has ended. */
  constructor(socket: Duplex, owner: Guarded, written: () => void) {
    this.#socket = socket;
    this.#isForeign = !(socket instanceof Socket);
    this.#pendingResult = this.#isForeign || socket instanceof TLSSocket ? writeResult.copied : writeResult.kept;
    this.#onWritten = guarded(owner, () => {
      this.#ended++;
      if (this.#awaited === 0 || this.#ended < this.#awaited) return;
      this.#awaited = 0;
      written();
    });
  }

  write(bytes: Buffer, end: number): number {
    const socket = this.#socket;
    this.#begun++;
    const used = bytes.subarray(0, end);
    socket.write(this.#isForeign ? Buffer.from(used) : used, this.#onWritten);
    if (socket.writableLength === 0 && !socket.destroyed) return writeResult.done;
    this.#awaited = this.#begun;
    return this.#pendingResult;
  }

  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }
}
