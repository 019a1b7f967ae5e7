/** The packets of one UDP peer, as a stream that preserves packet boundaries. */
import { Duplex } from 'node:stream';
import type { DirectReader, DirectSocket } from '@sluice/http-app';

/** Maximum number of packets to queue while the reader is busy. Any further packets are dropped, as a network would do. */
const maxQueued = 256;

export type SendPacket = (bytes: Buffer, done: (error: Error | null) => void) => void;

/**
 * Stream of UDP packets. Each write, each call of the {@link directReader}, and each `read` transfers one packet. UDP has no end of stream,
 * so `end` closes the peer.
 */
export class DatagramPeer extends Duplex implements DirectSocket {
  directReader: DirectReader | null = null;
  /** Time of the last packet in either direction, in milliseconds of `performance.now()`. */
  usedAt: number = performance.now();
  readonly #send: SendPacket;
  readonly #queue: Buffer[] = [];
  /** Sizes of the packets read during route matching, so that they can be put back. */
  #given: number[] | null = [];
  #paused = false;

  constructor(send: SendPacket) {
    super({ allowHalfOpen: true, decodeStrings: true });
    this.#send = send;
    Object.defineProperty(this, 'readableLength', { get: () => (this.#queue.length === 0 ? 0 : 1) });
  }

  /** Delivers a received packet. The peer takes ownership of the buffer. */
  deliver(bytes: Buffer): void {
    this.usedAt = performance.now();
    const reader = this.directReader;
    if (reader !== null && !this.#paused && this.#queue.length === 0) {
      this.#given?.push(bytes.length);
      reader(bytes, bytes.length);
    } else if (this.#queue.length < maxQueued) this.#queue.push(bytes);
  }

  override read(): Buffer | null {
    const next = this.#queue.shift() ?? null;
    if (next !== null) this.#given?.push(next.length);
    return next;
  }

  /** Puts packets back into the stream. A chunk may contain several packets. */
  override unshift(bytes: Buffer): void {
    for (let end = bytes.length; end > 0;) {
      const size = Math.min(this.#given?.pop() ?? end, end);
      this.#queue.unshift(bytes.subarray(end - size, end));
      end -= size;
    }
  }

  override pause(): this {
    this.#paused = true;
    return this;
  }

  /** Passes packets to the {@link directReader}, and stops recording packet sizes. */
  override resume(): this {
    this.#paused = false;
    this.#given = null;
    while (this.directReader !== null && !this.#paused) {
      const next = this.#queue.shift();
      if (next === undefined) break;
      this.directReader(next, next.length);
    }
    return this;
  }

  override _write(bytes: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    this.usedAt = performance.now();
    this.#send(bytes, done);
  }

  override _final(done: () => void): void {
    done();
    this.destroy();
  }

  override _read(): void {
    // `_read` is empty, because `deliver` receives the packets.
  }
}
