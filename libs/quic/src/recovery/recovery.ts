/** Loss detection (RFC 9002 §6): acknowledged packets, lost packets and probes. Times are in milliseconds. */
import { numberAt, itemAt } from '@sluice/base';
import { Congestion } from './congestion.ts';
import { Ecn, type EcnCounts } from './ecn.ts';
import { Pacer } from './pacer.ts';
import { granularity, Rtt } from './rtt.ts';
import { SentPackets, type SentPacket } from './sent-packets.ts';

/** Packet number spaces (RFC 9000 §12.3). */
export const space = { initial: 0, handshake: 1, application: 2 } as const;
const spaces = [space.initial, space.handshake, space.application];

/** Packet reordering threshold: the initial value (RFC 9002 §6.1.1), and the maximum for paths that reorder packets. */
const minPacketThreshold = 3;
const maxPacketThreshold = 128;
/** Maximum number of lost packets to remember. Needed to recognize packets that arrive late. */
const maxLost = 512;
/** Number of probe timeouts after which a lost packet is forgotten. */
const lateFactor = 4;
const persistentFactor = 3;
const never = Number.POSITIVE_INFINITY;
/** Maximum exponent of the probe timeout backoff. */
const maxBackoff = 10;

/** Recovery state of a packet number space. */
class SpaceRecovery {
  readonly sent: SentPackets = new SentPackets();
  /** Times when lost packets were sent, by packet number. */
  readonly lost = new Map<number, number>();
  largestAcked = -1;
  /** Time at which the oldest outstanding packet is declared lost. */
  lossTime: number = never;
  lastElicitingAt = 0;
}

/** Content of a validated ACK frame. */
export interface Acknowledgement {
  readonly largest: number;
  /** Delay in milliseconds. */
  readonly delay: number;
  /** Acknowledged ranges as alternating `high, low`, largest first. */
  readonly bounds: readonly number[];
  /** ECN counters; `null` if not reported. */
  readonly ecn: EcnCounts | null;
}

/** Callbacks from loss detection. */
export interface RecoveryWatch {
  onPacketAcked(which: number, packet: SentPacket): void;
  onPacketLost(which: number, packet: SentPacket): void;
  /** Reports whether packets in a packet number space can be sent. */
  hasKeys(which: number): boolean;
  /** True if the handshake is confirmed (RFC 9001 §4.1.2). */
  readonly confirmed: boolean;
  /**
   * True if the peer may be blocked by its amplification limit (RFC 9002 §6.2.2.1). This is the case for a client that has not received a
   * Handshake or 1-RTT acknowledgment.
   */
  readonly mustProbe: boolean;
  /** True if the amplification limit blocks sending (RFC 9000 §8.1). */
  readonly amplificationLimited: boolean;
  /** The peer's max_ack_delay. */
  readonly maxAckDelay: number;
}

export class Recovery {
  rtt: Rtt = new Rtt();
  congestion: Congestion;
  ecn: Ecn = new Ecn();
  readonly pacer: Pacer = new Pacer();
  readonly spaces: readonly [SpaceRecovery, SpaceRecovery, SpaceRecovery] = [
    new SpaceRecovery(),
    new SpaceRecovery(),
    new SpaceRecovery(),
  ];
  /** Number of probe timeouts since the last acknowledgment. */
  timeouts = 0;
  readonly #watch: RecoveryWatch;
  #packetThreshold = minPacketThreshold;
  /** Time of the first round-trip time sample. The detection of persistent congestion ignores packets that were sent before this time. */
  #firstSampleAt: number = never;
  /** Time when the last ack-eliciting packet was sent, in any packet number space. */
  #lastElicitingAt = 0;

  constructor(watch: RecoveryWatch, datagram: number) {
    this.#watch = watch;
    this.congestion = new Congestion(datagram);
  }

  onSent(which: number, packet: SentPacket): void {
    const known = this.#space(which);
    known.sent.add(packet);
    if (packet.marked) this.ecn.onSent(which);
    if (packet.size === 0) return;
    if (packet.ackEliciting) known.lastElicitingAt = this.#lastElicitingAt = packet.sentAt;
    this.congestion.inFlight += packet.size;
    this.pacer.spend(packet.size);
  }

  /** Handles an acknowledgment. Throws if it reports packets that were never sent. */
  onAck(which: number, ack: Acknowledgement, now: number): void {
    const known = this.#space(which);
    const newest = known.sent.get(ack.largest);
    const before = known.largestAcked;
    known.largestAcked = Math.max(known.largestAcked, ack.largest);
    if (newest !== null && newest.ackEliciting && ack.largest > before)
      this.#sample(now - newest.sentAt, ack.delay, now);
    let acked = false;
    let marked = 0;
    const { bounds } = ack;
    if (known.lost.size > 0) this.#findLate(known, bounds, now);
    for (let i = 0; i < bounds.length; i += 2) {
      const low = Math.max(numberAt(bounds, i + 1), known.sent.first);
      for (let number = Math.min(numberAt(bounds, i), known.sent.end - 1); number >= low; number--) {
        const packet = known.sent.get(number);
        if (packet === null) continue;
        acked = true;
        if (packet.marked) marked += 1;
        this.#acked(which, packet, now);
      }
    }
    if (!acked) return;
    if (ack.largest > before && this.ecn.onAck(which, marked, ack.ecn) && newest !== null)
      this.congestion.onCongestion(newest.sentAt, now, 0);
    this.#detectLosses(which, now);
    if (newest !== null) this.congestion.onRound(ack.largest, known.sent.end, this.rtt);
    if (!this.#watch.mustProbe) this.timeouts = 0;
  }

  /**
   * Finds acknowledged packets that were previously declared lost. Their arrival shows that the path reorders packets. Raises the
   * thresholds as RFC 9002 §6.1 allows, and undoes the reduction of the congestion window.
   */
  #findLate({ lost, largestAcked }: SpaceRecovery, bounds: readonly number[], now: number): void {
    const oldest = now - this.rtt.probeTimeout * lateFactor;
    for (const [number, sentAt] of lost) {
      if (sentAt < oldest) lost.delete(number);
      if (!isWithin(bounds, number)) continue;
      lost.delete(number);
      const distance = largestAcked - number + 1;
      this.#packetThreshold = Math.min(maxPacketThreshold, Math.max(this.#packetThreshold, distance));
      this.rtt.arrivedLate(now - sentAt);
      this.congestion.onSpuriousLoss(sentAt);
    }
  }

  #sample(sample: number, delay: number, now: number): void {
    if (!this.rtt.sampled) this.#firstSampleAt = now;
    this.rtt.add(Math.max(sample, 0.01), this.#watch.confirmed ? Math.min(delay, this.#watch.maxAckDelay) : delay);
  }

  #acked(which: number, packet: SentPacket, now: number): void {
    this.#space(which).sent.delete(packet);
    this.congestion.inFlight -= packet.size;
    const { limited, size, sentAt } = packet;
    if (size > 0) this.congestion.onAcked(size, sentAt, { now, rtt: this.rtt, limited });
    this.#watch.onPacketAcked(which, packet);
  }

  #detectLosses(which: number, now: number): void {
    const known = this.#space(which);
    known.lossTime = never;
    const delay = this.rtt.lossDelay;
    let newest = -1;
    let count = 0;
    let elicitingSince = never;
    for (const packet of known.sent) {
      if (packet.number > known.largestAcked) break;
      if (packet.number > known.largestAcked - this.#packetThreshold && packet.sentAt + delay > now) {
        known.lossTime = Math.min(known.lossTime, packet.sentAt + delay);
        continue;
      }
      this.#drop(known, packet);
      if (packet.size > 0 && !packet.mtuProbe) {
        newest = Math.max(newest, packet.sentAt);
        count += 1;
        this.#remember(known, packet);
        if (packet.ackEliciting && packet.sentAt > this.#firstSampleAt)
          elicitingSince = Math.min(elicitingSince, packet.sentAt);
      }
      this.#watch.onPacketLost(which, packet);
    }
    if (newest < 0) return;
    this.congestion.onCongestion(newest, now, count);
    // Persistent congestion means that all packets over a long period were lost (RFC 9002 §7.6).
    const persistent = (this.rtt.probeTimeout + this.#watch.maxAckDelay) * persistentFactor;
    if (newest - elicitingSince > persistent) this.congestion.onPersistentCongestion();
  }

  #remember({ lost }: SpaceRecovery, { number, sentAt }: SentPacket): void {
    lost.set(number, sentAt);
    if (lost.size <= maxLost) return;
    for (const oldest of lost.keys()) {
      lost.delete(oldest);
      return;
    }
  }

  #drop(known: SpaceRecovery, packet: SentPacket): void {
    known.sent.delete(packet);
    this.congestion.inFlight -= packet.size;
    if (packet.marked) this.ecn.onLost();
  }

  /** Called when the keys of a packet number space were discarded. The packets of this space no longer count as in flight or lost. */
  discard(which: number): void {
    const known = this.#space(which);
    for (const packet of known.sent) this.#drop(known, packet);
    known.lossTime = never;
    known.lastElicitingAt = 0;
    this.timeouts = 0;
  }

  /** Declares all packets of a space lost, because the peer did not process them. This happens after Retry or rejected 0-RTT. */
  loseAll(which: number): void {
    const known = this.#space(which);
    for (const packet of [...known.sent]) {
      this.#drop(known, packet);
      this.#watch.onPacketLost(which, packet);
    }
  }

  /** Returns the time when {@link onTimeout} is due; `Infinity` means never. */
  deadline(): number {
    let earliest = never;
    for (const which of spaces) earliest = Math.min(earliest, this.#space(which).lossTime);
    if (earliest !== never) return earliest;
    if (this.#watch.amplificationLimited) return never;
    return this.#probe().at;
  }

  /** Returns the time of the next probe and its packet number space (RFC 9002 §A.8). */
  #probe(): { readonly at: number; readonly which: number } {
    const backoff = 2 ** Math.min(this.timeouts, maxBackoff);
    const base = this.rtt.probeTimeout;
    let at = never;
    let which: number = space.initial;
    let inFlight = false;
    for (const each of spaces) {
      const known = this.#space(each);
      if (known.sent.ackEliciting === 0) continue;
      inFlight = true;
      if (each === space.application && !this.#watch.confirmed) continue;
      const delay = each === space.application ? this.#watch.maxAckDelay : 0;
      const due = known.lastElicitingAt + (base + delay) * backoff;
      if (due >= at) continue;
      at = due;
      which = each;
    }
    if (!inFlight && this.#watch.mustProbe)
      return {
        at: this.#lastElicitingAt + base * backoff,
        which: this.#watch.hasKeys(space.handshake) ? space.handshake : space.initial,
      };
    return { at, which };
  }

  /** Called when the deadline has passed. Returns the packet number space to probe, or -1 if no probe is needed. */
  onTimeout(now: number): number {
    for (const which of spaces) {
      if (this.#space(which).lossTime > now + granularity / 2) continue;
      this.#detectLosses(which, now);
      return -1;
    }
    const { which } = this.#probe();
    this.timeouts += 1;
    return which;
  }

  /** Resets the estimates for a new path (RFC 9000 §9.4). Packets in flight still count as in flight. */
  resetPath(datagram: number): void {
    const { inFlight } = this.congestion;
    this.congestion = new Congestion(datagram);
    this.congestion.inFlight = inFlight;
    this.rtt = new Rtt();
    this.ecn = new Ecn();
    this.timeouts = 0;
    this.#packetThreshold = minPacketThreshold;
  }

  #space(which: number): SpaceRecovery {
    return itemAt(this.spaces, which);
  }
}

/** Reports whether a number is in one of the ranges, which are given as alternating `high, low`, largest first. */
function isWithin(bounds: readonly number[], number: number): boolean {
  let first = 0;
  let end = bounds.length / 2;
  while (first < end) {
    const middle = (first + end) >> 1;
    if (numberAt(bounds, 2 * middle + 1) > number) first = middle + 1;
    else end = middle;
  }
  return first < bounds.length / 2 && number <= numberAt(bounds, 2 * first);
}
