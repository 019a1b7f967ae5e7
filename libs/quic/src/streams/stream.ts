/** A stream (RFC 9000 §2, §3) from the viewpoint of user and connection. */
import type { Guarded } from '@sluice/base';
import { SentFrame, type FrameOwner } from '../recovery/sent-packets.ts';
import { FlowWindow } from './flow-window.ts';
import { ReceiveBuffer, type SegmentCount } from './receive-buffer.ts';
import { SendBuffer } from './send-buffer.ts';

/** User of a stream. Exceptions in callbacks are passed to its `fault`. */
export interface StreamUser extends Guarded {
  /** Receives bytes in order. Use or copy them immediately. The bytes count against the windows until `QuicStream.credit`. */
  onData(bytes: Buffer): void;
  /** Called when the peer has sent everything. */
  onEnd(): void;
  /** Called when the peer has reset its side of the stream. */
  onReset(code: number): void;
  /** Called when the peer requests a reset of the sending side, which follows after this call. */
  onStopSending(code: number): void;
  /** Called when most written bytes were sent once, so that there is room for more. Sent bytes may be retransmitted. */
  onRoom(): void;
  /** Called once when both sides or the connection have ended, as the last callback. */
  onClosed(): void;
}

/** Callbacks of a stream to its connection. */
export interface StreamHost {
  /** Out-of-order segments of all streams. */
  readonly segments: SegmentCount;
  /** The stream has data to send. */
  ready(stream: QuicStream): void;
  consumed(stream: QuicStream, bytes: number): void;
  /** Called when the user waits for `onRoom`. */
  awaitRoom(stream: QuicStream): void;
  /** Called when both sides have ended. */
  finished(stream: QuicStream): void;
}

/** Pending control frames, as bits of {@link QuicStream.pending}. */
export const pendingFrame = { reset: 1, stopSending: 2, maxData: 4, blocked: 8 } as const;

/** Kinds of {@link SentFrame} of a stream. */
const sentKind = { data: 0, reset: 1, stopSending: 2, maxData: 3, blocked: 4 } as const;

const controlKinds: ReadonlyMap<number, number> = new Map([
  [pendingFrame.reset, sentKind.reset],
  [pendingFrame.stopSending, sentKind.stopSending],
  [pendingFrame.maxData, sentKind.maxData],
]);

/** Number of unsent bytes at which {@link QuicStream.write} asks the caller to wait, and number below which there is room again. */
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
  /** The peer's send limit, as an offset. */
  sendLimit: number;
  /** Urgency (RFC 9218 §4.1). 0 is the most urgent. */
  urgency = 3;
  /** Incremental (RFC 9218 §4.2): shares bandwidth with other streams of its urgency. */
  incremental = false;
  /** Bits of {@link pendingFrame}. */
  pending = 0;
  /** True if the stream is in a queue of the connection. */
  queued = false;
  next: QuicStream | null = null;
  resetCode = 0;
  stopCode = 0;
  /** Final size of the peer's data; -1 if unknown. */
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

  // User interface

  /** Reports whether no more data can be written. */
  get ending(): boolean {
    return this.#ending || this.#resetting;
  }

  /** Reports whether both sides have ended. */
  get closed(): boolean {
    return this.#closed;
  }

  /** Reports whether the peer has sent everything or reset its side. */
  get receiveOver(): boolean {
    return this.#receiveOver;
  }

  /** Reports whether the last delivered bytes end the stream. */
  get isLast(): boolean {
    return this.finalSize >= 0 && this.in.read === this.finalSize;
  }

  /** Reports whether all data was written and delivered, or the sending side was reset. */
  get sendOver(): boolean {
    return this.#sendOver;
  }

  get unacknowledged(): number {
    return this.out.kept;
  }

  /** Number of bytes never sent. */
  get unsent(): number {
    return this.out.written - this.out.sent;
  }

  /**
   * Writes a copy of the bytes, and of the `rest`. Returns false if the caller should wait for `onRoom`, which is called in any case.
   */
  write(bytes: Buffer, rest: Buffer | null = null): boolean {
    if (this.ending) return true;
    this.out.write(bytes);
    if (rest !== null) this.out.write(rest);
    this.#host.ready(this);
    this.#host.awaitRoom(this);
    return this.unsent < highWater;
  }

  /** Reports whether the user may write more. */
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
    // Discard unsent bytes: the final size is the number of bytes sent.
    this.pending = (this.pending | pendingFrame.reset) & ~pendingFrame.blocked;
    this.#host.ready(this);
  }

  /** Requests a reset of the peer's side. Bytes that arrive from now on are discarded. */
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

  /** Allows the peer to send `bytes` more, because the user consumed that number. */
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

  // Connection interface

  /** Reports whether received bytes are discarded, after {@link stopSending}. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** Reports whether a FIN is sent with the last byte. */
  get hasFin(): boolean {
    return this.#ending && !this.#resetting && !this.#finSent;
  }

  /** Reports whether flow control allows sending pending data or a FIN. `connection`: remaining bytes of the connection limit. */
  canSend(connection: number): boolean {
    if (this.#sendOver || this.#resetting) return false;
    const { out } = this;
    if (out.hasLost) return true;
    if (out.sent < out.written) return out.sent < this.sendLimit && connection > 0;
    return this.hasFin;
  }

  /** Reports whether the stream limit blocks written data. */
  get isBlocked(): boolean {
    return !this.#resetting && this.out.sent < this.out.written && this.out.sent >= this.sendLimit;
  }

  /** Returns a record for stream data that is about to be sent. */
  sentData(offset: number, length: number, fin: boolean): SentFrame {
    if (fin) this.#finSent = true;
    return new SentFrame(this, sentKind.data, { offset, length, fin });
  }

  /** Returns a record for a control frame, a value of {@link pendingFrame}. */
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

  /** Delivers bytes in order, or the end, to the user. */
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

  /** Called when the peer has reset its side of the stream. */
  resetByPeer(code: number): void {
    if (this.#receiveOver) return;
    this.#receiveOver = true;
    this.in.drop();
    this.user?.onReset(code);
    this.#checkOver();
  }

  /** Called when the peer requests a reset. */
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
