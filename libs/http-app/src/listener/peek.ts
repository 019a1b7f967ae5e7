/** Inspects the first bytes of a connection and puts unused bytes back into the socket. */
import type { Socket } from 'node:net';
import { connectionOf, failOwner, guarded, type Guarded } from '@sluice/base';
import { isDirect } from '../engine/index.ts';

/** Returned by {@link FirstBytes.look} when it needs more bytes. */
export const undecided = -1;

/** A handler that makes a decision based on the first bytes of a connection, for example which protocol to use. */
export interface FirstBytes {
  /**
   * Inspects `bytes[0..end)`, which contains everything received so far. The buffer is overwritten after the call. Returns the number of
   * bytes consumed, or {@link undecided} if it needs more bytes.
   */
  look(bytes: Buffer, end: number): number;
  /** Called after the decision, when all unused bytes are back in the socket. */
  decided(): void;
}

/**
 * Inspects the first bytes of a socket. Ends when a decision is made, when {@link stop} is called, or at the end of the input. The socket
 * must have an `error` listener, as every socket in a listener's chain does.
 */
export class Peek implements Guarded {
  readonly #socket: Socket;
  readonly #by: FirstBytes;
  /** Bytes received so far, kept until the decision. */
  #kept: Buffer | null = null;
  #over = false;

  constructor(socket: Socket, by: FirstBytes) {
    this.#socket = socket;
    this.#by = by;
  }

  /** Starts reading. The decision may happen immediately if data is available. */
  start(): void {
    const socket = this.#socket;
    socket.once('end', this.#onEnd);
    if (!isDirect(socket)) {
      socket.on('readable', this.#onReadable);
      return;
    }
    socket.directReader = this.#onBytes;
    if (socket.readableLength > 0) this.#onReadable();
  }

  /** Stops inspecting and puts all bytes back into the socket. Has no effect after a decision. */
  stop(): void {
    if (!this.#over) this.#release(this.#kept);
  }

  readonly #onReadable = (): void => {
    const bytes = this.#socket.read() as Buffer | null;
    if (bytes !== null && !this.#over) this.#onBytes(bytes, bytes.length);
  };

  /** Handles an exception thrown during inspection or by the code that runs after the decision. */
  fault(error: unknown): void {
    this.#over = true;
    failOwner(connectionOf(this.#socket), error);
  }

  readonly #onBytes = guarded(this, (bytes: Buffer, end: number) => {
    const kept = this.#kept;
    const all = kept === null ? bytes : Buffer.concat([kept, bytes.subarray(0, end)]);
    const size = kept === null ? end : all.length;
    const used = this.#by.look(all, size);
    if (this.#socket.destroyed || this.#over) return;
    if (used === undecided) {
      // Copy the bytes, because the next read of a direct socket overwrites them.
      this.#kept = kept === null ? Buffer.from(bytes.subarray(0, end)) : all;
      return;
    }
    this.#release(used < size ? Buffer.from(all.subarray(used, size)) : null);
    this.#by.decided();
  });

  readonly #onEnd = (): void => {
    this.#over = true;
    this.#socket.destroy();
  };

  #release(rest: Buffer | null): void {
    const socket = this.#socket;
    this.#over = true;
    this.#kept = null;
    socket.off('end', this.#onEnd);
    if (isDirect(socket)) socket.directReader = null;
    else socket.off('readable', this.#onReadable);
    if (rest !== null) socket.unshift(rest);
  }
}
