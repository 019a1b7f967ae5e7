/**
 * Collects the output of a connection. Strings are collected while a read is processed, so that headers, bodies, and pipelined responses go
 * out in one write. Byte chunks are collected only if the read contained further requests.
 */
import type { Duplex } from 'node:stream';
import type { FileSender } from '@sluice/native';
import { isDirect } from '../direct-socket.ts';
import { turnShare } from '../turn-share.ts';

/** Maximum amount of collected output, in bytes. */
const maxCollected = 64 * 1024;
/** Maximum size of a buffer that is copied into the collected output, in bytes. Larger buffers are written separately. */
const maxCopied = 16 * 1024;

export class Output {
  readonly #socket: Duplex;
  /** Collected output as text with one character per byte. */
  #text = '';
  #collecting = false;
  /** True if the parts of a response are collected and sent together. */
  #gathering = false;
  /** True while the socket is corked. */
  #corked = false;
  /** Approximate number of bytes written in the current event loop turn. */
  #inTurn = 0;

  constructor(socket: Duplex) {
    this.#socket = socket;
  }

  collect(): void {
    this.#collecting = true;
  }

  /** Also collects byte chunks until {@link release} is called, because more responses may follow in this event loop turn. */
  cork(): void {
    if (this.#corked) return;
    this.#corked = true;
    this.#socket.cork();
  }

  release(): void {
    this.#collecting = this.#gathering = false;
    this.#send();
    if (!this.#corked) return;
    this.#corked = false;
    this.#socket.uncork();
  }

  /** Collects strings until the next part of the response is written in this event loop turn, or until {@link gathered} is called. */
  gather(): void {
    this.#gathering = true;
  }

  gathered(): void {
    this.#gathering = false;
    if (!this.#collecting) this.#send();
  }

  /** Buffers a string until the next write or until {@link gathered} is called. */
  hold(text: string): void {
    this.#text += text;
  }

  /** True if the client reads too slowly, so that writers must wait. */
  get full(): boolean {
    return this.#socket.writableNeedDrain;
  }

  /** True if the event loop must run before more data is written; see {@link turnShare}. */
  get spent(): boolean {
    return this.#inTurn >= turnShare;
  }

  turned(): void {
    this.#inTurn = 0;
  }

  /** True if the kernel has not accepted all written data yet. */
  get holds(): boolean {
    return this.#socket.writableLength > 0;
  }

  /** Writes a Latin-1 string (one character per byte). */
  text(text: string): void {
    this.#text += text;
    if ((!this.#collecting && !this.#gathering) || this.#text.length > maxCollected) this.#send();
  }

  /**
   * Writes bytes between two strings that have one character per byte. Unless `lent` is true, the bytes must not change until they have
   * been sent.
   */
  bytes(before: string, bytes: Buffer, after: string, lent = false): void {
    const start = this.#text + before;
    this.#text = '';
    const socket = this.#socket;
    this.#inTurn += start.length + bytes.length;
    if (bytes.length <= maxCopied || lent) {
      if (start === '' && after === '' && !lent) socket.write(bytes);
      else socket.write(joined(start, bytes, after));
    } else if (start === '' && after === '') socket.write(bytes);
    else {
      socket.cork();
      if (start !== '') socket.write(start, 'latin1');
      socket.write(bytes);
      if (after !== '') socket.write(after, 'latin1');
      socket.uncork();
    }
  }

  /**
   * Sends part of a file after all data written so far, like {@link FileSender}. Returns a negative number if the socket does not send
   * bytes unchanged.
   */
  sendFile(send: FileSender, file: number, from: number, to: number): number {
    const socket = this.#socket;
    if (!isDirect(socket) || this.#corked) return -1;
    this.#send();
    const descriptor = socket.descriptor ?? -1;
    if (descriptor < 0) return -1;
    if (socket.writableLength > 0) return 0;
    const count = send(descriptor, file, from, to);
    if (count > 0) this.#inTurn += count;
    return count;
  }

  #send(): void {
    if (this.#text === '') return;
    const text = this.#text;
    this.#text = '';
    this.#inTurn += text.length;
    this.#socket.write(text, 'latin1');
  }
}

function joined(before: string, bytes: Buffer, after: string): Buffer {
  const whole = Buffer.allocUnsafe(before.length + bytes.length + after.length);
  whole.write(before, 0, 'latin1');
  bytes.copy(whole, before.length);
  if (after !== '') whole.write(after, before.length + bytes.length, 'latin1');
  return whole;
}
