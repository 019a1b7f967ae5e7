/** One stream (RFC 9000 §2, §3), as its user and its connection see it. */
import type { Guarded } from '@sluice/base';
import { SentFrame, type FrameOwner } from '../recovery/sent-packets.ts';
import { FlowWindow } from './flow-window.ts';
import { ReceiveBuffer } from './receive-buffer.ts';
import { SendBuffer } from './send-buffer.ts';

/** Who uses a stream. What its callbacks throw goes to its `fault`. */
export interface StreamUser extends Guarded {
  /** Bytes in order, to be used or copied at once. They count against the windows until `QuicStream.credit`. */
  onData(bytes: Buffer): void;
  /** The peer has sent everything. */
  onEnd(): void;
  /** The peer has abandoned its side. */
  onReset(code: number): void;
  /** The peer does not want our side any more. It is reset after this call. */
  onStopSending(code: number): void;
  /** Nearly all that was written has been sent once: there is room for more. It may still be sent again. */
  onRoom(): void;
  /** Both sides are over, or the connection is. Called once, and nothing after it. */
  onClosed(): void;
}

/** What a stream asks of its connection. */
export interface StreamHost {
  /** There is something to send for it. */
  ready(stream: QuicStream): void;
  /** So many bytes of it were consumed. */
  consumed(stream: QuicStream, bytes: number): void;
  /** Its user waits for `onRoom`. */
  awaitRoom(stream: QuicStream): void;
  /** Both sides are over. */
  finished(stream: QuicStream): void;
}

/** Control frames that a stream has to send, as bits of {@link QuicStream.pending}. */
export const pendingFrame = { reset: 1, stopSending: 2, maxData: 4, blocked: 8 } as const;

/** Kinds of {@link SentFrame} of a stream. */
const sentKind = { data: 0, reset: 1, stopSending: 2, maxData: 3, blocked: 4 } as const;

const controlKinds: ReadonlyMap<number, number> = new Map([
  [pendingFrame.reset, sentKind.reset],
  [pendingFrame.stopSending, sentKind.stopSending],
  [pendingFrame.maxData, sentKind.maxData],
]);

/** Unsent bytes from which on {@link QuicStream.write} asks its user to wait, and below which there is room again. */
const highWater = 64 * 1024;
const lowWater = 16 * 1024;

/** What a stream begins with. */
export interface StreamLimits {
  /** Bytes that the peer may send. */
  readonly receiveWindow: number;
  /** Bytes that we may send. */
  readonly sendLimit: number;
  readonly canSend: boolean;
  readonly canReceive: boolean;
}

export class QuicStream implements FrameOwner {
  readonly id: number;
  user: StreamUser | null = null;
  readonly out: SendBuffer = new SendBuffer();
  readonly in: ReceiveBuffer = new ReceiveBuffer();
  readonly window: FlowWindow;
  /** What the peer allows us to send, as an offset. */
  sendLimit: number;
  /** RFC 9218 §4.1: 0 comes first. */
  urgency = 3;
  /** RFC 9218 §4.2: takes turns with others of its urgency. */
  incremental = false;
  /** Bits of {@link pendingFrame}. */
  pending = 0;
  /** The connection has it in a queue. */
  queued = false;
  next: QuicStream | null = null;
  resetCode = 0;
  stopCode = 0;
  /** Where the peer's data ends; -1 while unknown. */
  finalSize = -1;
  readonly #host: StreamHost;
  // Our side.
  #ending: boolean;
  #finSent = false;
  #sendOver: boolean;
  #resetting = false;
  #finAcked = false;
  // The peer's side.
  #receiveOver: boolean;
  #stopped = false;
  #closed = false;

  constructor(host: StreamHost, id: number, { receiveWindow, sendLimit, canSend, canReceive }: StreamLimits) {
    this.#host = host;
    this.id = id;
    this.window = new FlowWindow(receiveWindow);
    this.sendLimit = sendLimit;
    this.#ending = !canSend;
    this.#sendOver = !canSend;
    this.#receiveOver = !canReceive;
  }

  // For the user

  /** Whether no more can be written. */
  get ending(): boolean {
    return this.#ending || this.#resetting;
  }

  /** Whether both sides are over. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Whether the peer has sent everything, or has abandoned it. */
  get receiveOver(): boolean {
    return this.#receiveOver;
  }

  /** Whether nothing follows what was delivered last. */
  get isLast(): boolean {
    return this.finalSize >= 0 && this.in.read === this.finalSize;
  }

  /** Whether everything was written, and has arrived; or was reset. */
  get sendOver(): boolean {
    return this.#sendOver;
  }

  /** Bytes that were written and are not acknowledged. */
  get unacknowledged(): number {
    return this.out.kept;
  }

  /** Bytes that were written and never sent. */
  get unsent(): number {
    return this.out.written - this.out.sent;
  }

  /** Writes bytes, which must not change until they are acknowledged. Returns false if the writer is to wait for `onRoom`, which follows either way. */
  write(bytes: Buffer): boolean {
    if (this.ending) return true;
    this.out.write(bytes);
    this.#host.ready(this);
    this.#host.awaitRoom(this);
    return this.unsent < highWater;
  }

  /** Whether the user may write more. */
  get hasRoom(): boolean {
    return this.unsent <= lowWater;
  }

  /** Ends our side. */
  end(): void {
    if (this.ending) return;
    this.#ending = true;
    this.#host.ready(this);
  }

  /** Abandons our side with an error code of the application. */
  reset(code: number): void {
    if (this.#sendOver || this.#resetting) return;
    this.#resetting = true;
    this.resetCode = code;
    // What was never sent counts no more: the final size is what was sent.
    this.pending = (this.pending | pendingFrame.reset) & ~pendingFrame.blocked;
    this.#host.ready(this);
  }

  /** Asks the peer to abandon its side. What arrives from now on is dropped. */
  stopSending(code: number): void {
    if (this.#receiveOver || this.#stopped) return;
    this.#stopped = true;
    this.stopCode = code;
    this.pending |= pendingFrame.stopSending;
    this.#host.ready(this);
    const { read, highest } = this.in;
    this.in.drop();
    if (highest > read) this.#host.consumed(this, highest - read);
  }

  /** Lets the peer send `bytes` more: they were consumed. */
  credit(bytes: number): void {
    if (this.#closed) return;
    this.#host.consumed(this, bytes);
    if (this.#receiveOver || this.#stopped || this.finalSize >= 0) {
      this.window.consumed += bytes;
      return;
    }
    if (!this.window.consume(bytes)) return;
    this.pending |= pendingFrame.maxData;
    this.#host.ready(this);
  }

  // For the connection

  /** Whether the peer's bytes are dropped, as {@link stopSending} was called. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Whether a FIN is to be sent with the last byte. */
  get hasFin(): boolean {
    return this.#ending && !this.#resetting && !this.#finSent;
  }

  /** Whether there are bytes or an end to send that flow control lets through; `connection`: bytes that it has left. */
  canSend(connection: number): boolean {
    if (this.#sendOver || this.#resetting) return false;
    const { out } = this;
    if (out.hasLost) return true;
    if (out.sent < out.written) return out.sent < this.sendLimit && connection > 0;
    return this.hasFin;
  }

  /** Whether the stream's own limit holds back what was written. */
  get isBlocked(): boolean {
    return !this.#resetting && this.out.sent < this.out.written && this.out.sent >= this.sendLimit;
  }

  /** A record of stream data that is about to be sent. */
  sentData(offset: number, length: number, fin: boolean): SentFrame {
    if (fin) this.#finSent = true;
    return new SentFrame(this, sentKind.data, { offset, length, fin });
  }

  /** A record of a control frame, one of {@link pendingFrame}. */
  sentControl(frame: number): SentFrame {
    this.pending &= ~frame;
    const kind = controlKinds.get(frame) ?? sentKind.blocked;
    return new SentFrame(this, kind, { offset: this.window.limit, length: 0, fin: false });
  }

  onFrameAcked({ kind, offset, length, fin }: SentFrame): void {
    if (kind === sentKind.reset) {
      this.#endSend();
      return;
    }
    if (kind !== sentKind.data || this.#sendOver) return;
    this.out.acked(offset, length);
    if (fin) this.#finAcked = true;
    if (this.#finAcked && this.out.done) this.#endSend();
  }

  onFrameLost({ kind, offset, length, fin }: SentFrame): void {
    if (this.#closed) return;
    if (kind === sentKind.data) {
      if (this.#sendOver || this.#resetting) return;
      this.out.lost(offset, length);
      if (fin && !this.#finAcked) this.#finSent = false;
    } else if (kind === sentKind.reset) this.pending |= pendingFrame.reset;
    else if (kind === sentKind.stopSending && !this.#receiveOver) this.pending |= pendingFrame.stopSending;
    else if (kind === sentKind.maxData && !this.#receiveOver && this.finalSize < 0)
      this.pending |= pendingFrame.maxData;
    else if (kind === sentKind.blocked && this.isBlocked) this.pending |= pendingFrame.blocked;
    this.#host.ready(this);
  }

  /** Bytes in order have arrived, or the end: gives them to the user. */
  deliver(bytes: Buffer | null): void {
    if (bytes !== null && bytes.length > 0) {
      if (this.#stopped || this.user === null) this.#host.consumed(this, bytes.length);
      else this.user.onData(bytes);
    }
    if (this.finalSize < 0 || this.in.read < this.finalSize || this.#receiveOver) return;
    this.#receiveOver = true;
    if (!this.#stopped) this.user?.onEnd();
    this.#checkOver();
  }

  /** The peer has reset its side. */
  resetByPeer(code: number): void {
    if (this.#receiveOver) return;
    this.#receiveOver = true;
    this.in.drop();
    this.user?.onReset(code);
    this.#checkOver();
  }

  /** The peer asks for a reset. */
  stoppedByPeer(code: number): void {
    if (this.#sendOver || this.#resetting) return;
    this.user?.onStopSending(code);
    this.reset(code);
  }

  #endSend(): void {
    if (this.#sendOver) return;
    this.#sendOver = true;
    this.out.drop();
    this.#checkOver();
  }

  #checkOver(): void {
    if (this.#sendOver && this.#receiveOver) this.close();
  }

  /** Ends the stream for good. Called by the connection when it is over, too. */
  close(): void {
    if (this.#closed) return;
    this.#closed = this.#sendOver = this.#receiveOver = true;
    this.pending = 0;
    this.out.drop();
    this.in.drop();
    this.#host.finished(this);
    const { user } = this;
    this.user = null;
    user?.onClosed();
  }
}
