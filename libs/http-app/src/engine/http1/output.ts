/**
 * What goes out on a connection. While the connection works through what it has read, texts are collected, so that a head
 * and its body, and the responses to pipelined requests, leave in one write. Bytes are collected only where more requests
 * came in the same read: a single response has nothing to wait for.
 */
import type { Duplex } from 'node:stream';
import type { FileSender } from '@sluice/native';
import { isDirect } from '../direct-socket.ts';
import { turnShare } from '../turn-share.ts';

/** More than this is not collected. */
const maxCollected = 64 * 1024;
/** Buffers up to this size are copied between the texts around them: cheaper than a write of several pieces. */
const maxCopied = 16 * 1024;

/** Writes to a socket. */
export class Output {
  readonly #socket: Duplex;
  /** One character per byte. */
  #text = '';
  #collecting = false;
  /** A response comes in pieces that leave together. */
  #gathering = false;
  /** The socket collects what is written to it. */
  #corked = false;
  /** Bytes written since the event loop last had a turn, as far as is known. */
  #inTurn = 0;

  constructor(socket: Duplex) {
    this.#socket = socket;
  }

  /** Begins to collect. */
  collect(): void {
    this.#collecting = true;
  }

  /** What is read still may be responded to in this turn: bytes are collected, too, until {@link release}. */
  cork(): void {
    if (this.#corked) return;
    this.#corked = true;
    this.#socket.cork();
  }

  /** Sends what was collected. */
  release(): void {
    this.#collecting = this.#gathering = false;
    this.#send();
    if (!this.#corked) return;
    this.#corked = false;
    this.#socket.uncork();
  }

  /** More of the response comes in this turn, or {@link gathered} is called: texts wait for it. */
  gather(): void {
    this.#gathering = true;
  }

  /** Sends what was gathered. */
  gathered(): void {
    this.#gathering = false;
    if (!this.#collecting) this.#send();
  }

  /** A text that goes out with what is written next, or with {@link gathered}. */
  hold(text: string): void {
    this.#text += text;
  }

  /** Whether the other side is slow, and who writes should wait. */
  get full(): boolean {
    return this.#socket.writableNeedDrain;
  }

  /** Whether the event loop should have a turn before more is written; see {@link turnShare}. */
  get spent(): boolean {
    return this.#inTurn >= turnShare;
  }

  /** The event loop had its turn. */
  turned(): void {
    this.#inTurn = 0;
  }

  /** Whether the system has not taken everything yet that was written. */
  get holds(): boolean {
    return this.#socket.writableLength > 0;
  }

  /** Writes text of one character per byte. */
  text(text: string): void {
    this.#text += text;
    if ((!this.#collecting && !this.#gathering) || this.#text.length > maxCollected) this.#send();
  }

  /** Writes bytes, with such texts before and after them. Bytes that are not `lent` must not change until they are sent. */
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

  /** Sends a part of a file after all that was written, as {@link FileSender} does; negative if the socket is not a plain connection. */
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
