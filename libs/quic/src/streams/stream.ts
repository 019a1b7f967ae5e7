/** A QUIC stream (RFC 9000 §2, §3), with one interface for its user and one for the connection. */
import type { Guarded } from '@sluice/base';
import { SentFrame, type FrameOwner } from '../recovery/sent-packets.ts';
import { FlowWindow } from './flow-window.ts';
import { ReceiveBuffer, type SegmentCount } from './receive-buffer.ts';
import { SendBuffer } from './send-buffer.ts';

/** User of a stream. Exceptions in callbacks are passed to its `fault` method. */
export interface StreamUser extends Guarded {
  /**
   * Receives bytes in order. The user must use or copy them immediately. The bytes count against the flow-control windows until
   * `QuicStream.credit` is called.
   */
  onData(bytes: Buffer): void;
  /** Called when the peer has sent all its data. */
  onEnd(): void;
  /** Called when the peer has reset its sending side. */
  onReset(code: number): void;
  /** Called when the peer sends STOP_SENDING. After the call, the sending side of this stream is reset. */
  onStopSending(code: number): void;
  /** Called when most of the written bytes have been sent, so that more can be written. Sent bytes may still need to be retransmitted. */
  onRoom(): void;
  /** Called once, as the last callback, when both sides of the stream or the connection have ended. */
  onClosed(): void;
}

/** Callbacks from a stream to its connection. */
export interface StreamHost {
  /** Count of the out-of-order segments in all streams of the connection. */
  readonly segments: SegmentCount;
  /** Called when the stream has data to send. */
  ready(stream: QuicStream): void;
  consumed(stream: QuicStream, bytes: number): void;
  /** Called when the user starts waiting for `onRoom`. */
  awaitRoom(stream: QuicStream): void;
  /** Called when both sides of the stream have ended. */
  finished(stream: QuicStream): void;
}

/** Pending control frames, as bits of {@link QuicStream.pending}. */
export const pendingFrame = { reset: 1, stopSending: 2, maxData: 4, blocked: 8 } as const;

/** Kinds of {@link SentFrame} that a stream sends. */
const sentKind = { data: 0, reset: 1, stopSending: 2, maxData: 3, blocked: 4 } as const;

const controlKinds: ReadonlyMap<number, number> = new Map([
  [pendingFrame.reset, sentKind.reset],
  [pendingFrame.stopSending, sentKind.stopSending],
  [pendingFrame.maxData, sentKind.maxData],
]);

/** Number of unsent bytes at which {@link QuicStream.write} returns false. `lowWater` is the number at which the user may continue. */
const highWater = 64 * 1024;
const lowWater = 16 * 1024;

export interface StreamLimits {
  /** Receive window in bytes. */
  readonly receiveWindow: number;
  /** Send limit in bytes. */
  readonly sendLimit: number;
  readonly canSend: boolean;
  readonly canReceive: boolean;
}

export class QuicStream implements FrameOwner {
  readonly id: number;
  user: StreamUser | null = null;
  readonly out: SendBuffer = new SendBuffer();
  readonly in: ReceiveBuffer;
  readonly window: FlowWindow;
  /** Send limit set by the peer, as a stream offset. */
  sendLimit: number;
  /** Urgency (RFC 9218 §4.1) from 0, the most urgent, to 7. */
  urgency = 3;
  /** True if the stream is incremental (RFC 9218 §4.2), that is, it shares bandwidth with streams of the same urgency. */
  incremental = false;
  /** Pending control frames, as bits of {@link pendingFrame}. */
  pending = 0;
  /** True if the stream is in one of the connection's queues. */
  queued = false;
  next: QuicStream | null = null;
  resetCode = 0;
  stopCode = 0;
  /** Final size of the data that the peer sends; -1 if unknown. */
  finalSize = -1;
  readonly #host: StreamHost;
  // Sending side.
  #ending: boolean;
  #finSent = false;
  #sendOver: boolean;
  #resetting = false;
  #finAcked = false;
  // Receiving side.
  #receiveOver: boolean;
  #stopped = false;
  #closed = false;

  constructor(host: StreamHost, id: number, { receiveWindow, sendLimit, canSend, canReceive }: StreamLimits) {
    this.#host = host;
    this.in = new ReceiveBuffer(host.segments);
    this.id = id;
    this.window = new FlowWindow(receiveWindow);
    this.sendLimit = sendLimit;
    this.#ending = !canSend;
    this.#sendOver = !canSend;
    this.#receiveOver = !canReceive;
  }

  // Calls by the application

  /** True if no more data can be written. */
  get ending(): boolean {
    return this.#ending || this.#resetting;
  }

  /** True if both sides have ended. */
  get closed(): boolean {
    return this.#closed;
  }

  /** True if the peer has sent all its data or reset its sending side. */
  get receiveOver(): boolean {
    return this.#receiveOver;
  }

  /** True if the last delivered bytes end the stream. */
  get isLast(): boolean {
    return this.finalSize >= 0 && this.in.read === this.finalSize;
  }

  /** True if the sending side was reset, or if it has ended and all written data was delivered. */
  get sendOver(): boolean {
    return this.#sendOver;
  }

  get unacknowledged(): number {
    return this.out.kept;
  }

  /** Number of written bytes that have never been sent. */
  get unsent(): number {
    return this.out.written - this.out.sent;
  }

  /** Writes copies of `bytes` and `rest`. Returns false if the caller should wait for `onRoom`. In either case, `onRoom` is called later. */
  write(bytes: Buffer, rest: Buffer | null = null): boolean {
    if (this.ending) return true;
    this.out.write(bytes);
    if (rest !== null) this.out.write(rest);
    this.#host.ready(this);
    this.#host.awaitRoom(this);
    return this.unsent < highWater;
  }

  /** True if the user may write more data. */
  get hasRoom(): boolean {
    return this.unsent <= lowWater;
  }

  /** Ends the sending side. */
  end(): void {
    if (this.ending) return;
    this.#ending = true;
    this.#host.ready(this);
  }

  /** Resets the sending side with an application error code. */
  reset(code: number): void {
    if (this.#sendOver || this.#resetting) return;
    this.#resetting = true;
    this.resetCode = code;
    // Discard unsent bytes, because the final size must be equal to the number of bytes sent.
    this.pending = (this.pending | pendingFrame.reset) & ~pendingFrame.blocked;
    this.#host.ready(this);
  }

  /** Sends STOP_SENDING, which requests a reset of the peer's sending side. Bytes that arrive from now on are discarded. */
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

  /** Credits consumed bytes, so that the peer may send the same number of additional bytes. */
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

  // Calls by the connection

  /** True if received bytes are discarded because of {@link stopSending}. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** True if a FIN is sent with the last byte. */
  get hasFin(): boolean {
    return this.#ending && !this.#resetting && !this.#finSent;
  }

  /**
   * Reports whether flow control allows pending data or a FIN to be sent. `connection` is the number of bytes remaining in the connection's
   * limit.
   */
  canSend(connection: number): boolean {
    if (this.#sendOver || this.#resetting) return false;
    const { out } = this;
    if (out.hasLost) return true;
    if (out.sent < out.written) return out.sent < this.sendLimit && connection > 0;
    return this.hasFin;
  }

  /** True if written data is blocked by the stream's send limit. */
  get isBlocked(): boolean {
    return !this.#resetting && this.out.sent < this.out.written && this.out.sent >= this.sendLimit;
  }

  /** Returns a loss recovery record for stream data that is about to be sent. */
  sentData(offset: number, length: number, fin: boolean): SentFrame {
    if (fin) this.#finSent = true;
    return new SentFrame(this, sentKind.data, { offset, length, fin });
  }

  /** Returns a loss recovery record for a control frame. `frame` is a value of {@link pendingFrame}. */
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

  /** Delivers bytes in order to the user. `null` delivers the end of the stream. */
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

  /** Called when the peer has reset its sending side. */
  resetByPeer(code: number): void {
    if (this.#receiveOver) return;
    this.#receiveOver = true;
    this.in.drop();
    this.user?.onReset(code);
    this.#checkOver();
  }

  /** Called when the peer sends STOP_SENDING. */
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

  /** Closes the stream. Also called after the connection has ended. */
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
