/** Sends an upstream request over HTTP/1.1: head and body, with backpressure (RFC 9112 §6, §7). */
import type { Duplex } from 'node:stream';
import { fieldLines } from '@sluice/http1';
import { SendBuffer, type BodySink } from '@sluice/http-app';
import type { ClientCall } from './client-call.ts';

/** Size in bytes below which body chunks are combined into one write. */
const smallPiece = 1024;

export interface SendObserver {
  /** Called when the whole request has been written. */
  onRequestSent(): void;
  /** Called when reading the request body from the client fails. */
  onRequestFailed(error: Error): void;
  /** Called when the upstream temporarily accepts no more data. */
  onRequestBlocked(): void;
}

export class RequestSender implements BodySink {
  readonly borrows = true;
  /** True if the whole request has been written. */
  sent = true;
  readonly #socket: Duplex;
  readonly #observer: SendObserver;
  #call: ClientCall | null = null;
  /** True if the request body uses chunked transfer coding. */
  #chunked = false;
  /** Request head that is written together with the first body chunk. */
  #head = '';
  readonly #buffer = new SendBuffer();
  /** True if writes are deferred to the end of the current event loop turn. */
  #gathers = false;

  constructor(socket: Duplex, observer: SendObserver) {
    this.#socket = socket;
    this.#observer = observer;
  }

  /** Sends a request head and starts the body immediately. */
  start(call: ClientCall, head: string): void {
    if (call.request.body.length === 0) {
      this.sent = true;
      this.#socket.write(head, 'latin1');
      this.#observer.onRequestSent();
      return;
    }
    this.#head = head;
    this.startBody(call);
    if (this.#call === call) this.#sendHead();
  }

  /** Sends a request head. The body waits for {@link startBody}. */
  startHead(head: string): void {
    this.sent = false;
    this.#socket.write(head, 'latin1');
  }

  startBody(call: ClientCall): void {
    this.sent = false;
    this.#call = call;
    const { body } = call.request;
    this.#chunked = body.length < 0;
    body.consume(this);
  }

  /** Stops sending the request, and discards the rest of its body. */
  stop(): void {
    this.#call = null;
    this.#head = '';
    this.#buffer.release(this.#isIdle);
  }

  /** Stops sending because the upstream accepts no more data. The request remains incomplete. */
  breakOff(): void {
    this.stop();
    this.sent = false;
  }

  /** Called when the upstream accepts more data. */
  drained(): void {
    this.#call?.request.body.resume();
  }

  #sendHead(): void {
    const text = this.#head;
    this.#head = '';
    if (text !== '') this.#socket.write(text, 'latin1');
  }

  onData(chunk: Buffer): boolean {
    if (this.#call === null) return true;
    let before = this.#head;
    this.#head = '';
    if (before === '' && chunk.length < smallPiece) this.#gather();
    if (this.#chunked) before += `${chunk.length.toString(16)}\r\n`;
    this.#write(before, chunk, this.#chunked ? '\r\n' : '');
    if (!this.#socket.writableNeedDrain) return true;
    this.#observer.onRequestBlocked();
    return false;
  }

  /** Combines the small chunks of one event loop turn into one write. */
  #gather(): void {
    if (this.#gathers) return;
    this.#gathers = true;
    this.#socket.cork();
    process.nextTick(this.#release);
  }

  readonly #release = (): void => {
    this.#gathers = false;
    this.#socket.uncork();
  };

  /** Writes the first string, the bytes and the second string. Copies the bytes, because the caller owns them. */
  #write(before: string, bytes: Buffer, after: string): void {
    const whole = this.#buffer.take(before.length + bytes.length + after.length, this.#isIdle);
    if (before !== '') whole.write(before, 0, 'latin1');
    bytes.copy(whole, before.length);
    if (after !== '') whole.write(after, before.length + bytes.length, 'latin1');
    this.#socket.write(whole);
  }

  /** True if the kernel has accepted all written data. */
  get #isIdle(): boolean {
    return this.#socket.writableLength === 0 && !this.#socket.destroyed;
  }

  onEnd(): void {
    const call = this.#call;
    if (call === null) return;
    this.#call = null;
    this.sent = true;
    if (this.#chunked) {
      const { trailers } = call.request.body;
      this.#head += `0\r\n${trailers === null ? '' : fieldLines(trailers)}\r\n`;
    }
    this.#sendHead();
    this.#observer.onRequestSent();
  }

  onError(error: Error): void {
    if (this.#call === null) return;
    this.stop();
    this.#observer.onRequestFailed(error);
  }
}
