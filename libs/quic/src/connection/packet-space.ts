/** A packet number space (RFC 9000 §12.3), with its keys, acknowledgments and CRYPTO data. */
import type { Keys } from '../crypto/keys.ts';
import type { FrameOwner, SentFrame } from '../recovery/sent-packets.ts';
import { ReceiveBuffer } from '../streams/receive-buffer.ts';
import { SendBuffer } from '../streams/send-buffer.ts';
import { AckTracker } from './ack-tracker.ts';

export class PacketSpace implements FrameOwner {
  /** Identifies the packet number space; see `space`. */
  readonly which: number;
  readonly acks: AckTracker;
  readonly out: SendBuffer = new SendBuffer();
  readonly in: ReceiveBuffer = new ReceiveBuffer();
  /** Keys for Initial and Handshake packets. 1-RTT packets use `ApplicationKeys`. */
  open: Keys | null = null;
  seal: Keys | null = null;
  next = 0;
  /** Number of pending probe packets. They are not subject to the congestion window (RFC 9002 §6.2.4). */
  probes = 0;
  /** True after the keys were discarded. */
  discarded = false;
  readonly #wake: () => void;

  constructor(which: number, maxAckDelay: number, wake: () => void) {
    this.which = which;
    this.acks = new AckTracker(maxAckDelay);
    this.#wake = wake;
  }

  /** True if CRYPTO data is pending. */
  get hasCrypto(): boolean {
    return this.out.hasLost || this.out.sent < this.out.written;
  }

  onFrameAcked({ offset, length }: SentFrame): void {
    this.out.acked(offset, length);
  }

  onFrameLost({ offset, length }: SentFrame): void {
    if (this.discarded) return;
    this.out.lost(offset, length);
    this.#wake();
  }

  /** Discards the keys (RFC 9001 §4.9). */
  discard(): void {
    this.discarded = true;
    this.open?.free(true);
    this.seal?.free(true);
    this.open = this.seal = null;
    this.out.drop();
    this.in.drop();
    this.probes = 0;
  }
}
