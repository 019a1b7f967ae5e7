/** Transports an HTTP/2 connection over a socket. */
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { failOwner, guarded, type Guarded } from '@sluice/base';
import { writeResult, type ConnectionTransport } from '@sluice/http2';
import { turnShare } from '../turn-share.ts';

/** Receives the result of writes that did not complete immediately. */
export interface TransportWatch {
  /** Called when a pending write has completed. */
  written(): void;
  /** Called when a write failed because the client has disconnected. The socket itself reports the failure only in a later event loop turn. */
  failed(): void;
}

/** Writes to a socket, one write at a time. Yields to the event loop after {@link turnShare} bytes. */
export class SocketTransport implements ConnectionTransport {
  readonly #socket: Duplex;
  /** Result value for a pending write. With TLS, the bytes have already been copied. With a plain socket, they are still in use. */
  readonly #pendingResult: number;
  /** True for a stream of unknown type that a listener wrapper created. Such a stream may retain buffers. */
  readonly #isForeign: boolean;
  readonly #onWritten: (error?: Error | null) => void;
  readonly #owner: Guarded;
  readonly #watch: TransportWatch;
  /** Number of bytes written since the last event loop turn. */
  #inTurn = 0;
  /** Number of writes that have started. `#ended` is the number of completed writes. `#awaited` is the number of the write that is awaited. */
  #begun = 0;
  #ended = 0;
  #awaited = 0;

  constructor(socket: Duplex, owner: Guarded, watch: TransportWatch) {
    this.#socket = socket;
    this.#isForeign = !(socket instanceof Socket);
    this.#pendingResult = this.#isForeign || socket instanceof TLSSocket ? writeResult.copied : writeResult.kept;
    this.#owner = owner;
    this.#watch = watch;
    this.#onWritten = guarded(owner, (error) => {
      this.#ended++;
      if (error != null) watch.failed();
      else if (this.#awaited > 0 && this.#ended >= this.#awaited) {
        this.#awaited = 0;
        if (this.#inTurn < turnShare) watch.written();
        else this.#yield();
      }
    });
  }

  write(bytes: Buffer, end: number): number {
    const socket = this.#socket;
    this.#begun++;
    this.#inTurn += end;
    const used = bytes.subarray(0, end);
    socket.write(this.#isForeign ? Buffer.from(used) : used, this.#onWritten);
    if (socket.writableLength === 0 && !socket.destroyed) {
      if (this.#inTurn < turnShare) return writeResult.done;
      this.#yield();
      return writeResult.copied;
    }
    this.#awaited = this.#begun;
    return this.#pendingResult;
  }

  /** Yields to other connections. Otherwise, a client that reads fast could occupy the thread, because its socket accepts all data. */
  #yield(): void {
    this.#inTurn = 0;
    setImmediate(this.#onTurn);
  }

  readonly #onTurn = (): void => {
    try {
      this.#watch.written();
    } catch (error) {
      failOwner(this.#owner, error);
    }
  };

  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }
}
