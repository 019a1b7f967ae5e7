/** Packets that were sent but have been neither acknowledged nor declared lost (RFC 9002 §A.1). */

/** Owner of a sent frame, which is notified when the frame is delivered or lost. */
export interface FrameOwner {
  onFrameAcked(frame: SentFrame): void;
  /** Called when a frame was lost. Retransmits the parts that are still needed. */
  onFrameLost(frame: SentFrame): void;
}

/** A frame that must be retransmitted if its packet is lost. */
export class SentFrame {
  readonly owner: FrameOwner;
  /** Value that the owner uses to identify the type of frame. */
  readonly kind: number;
  /** Offset of stream or CRYPTO data, or another value that the owner needs. */
  readonly offset: number;
  readonly length: number;
  readonly fin: boolean;

  constructor(
    owner: FrameOwner,
    kind: number,
    { offset, length, fin }: { offset: number; length: number; fin: boolean },
  ) {
    this.owner = owner;
    this.kind = kind;
    this.offset = offset;
    this.length = length;
    this.fin = fin;
  }
}

export class SentPacket {
  readonly number: number;
  readonly sentAt: number;
  /** Size on the wire in bytes; 0 if the packet doesn't count as in flight. */
  readonly size: number;
  readonly ackEliciting: boolean;
  /** True for an MTU probe. The loss of an MTU probe does not indicate congestion (RFC 8899 §3). */
  readonly mtuProbe: boolean;
  readonly frames: readonly SentFrame[];
  /** Largest packet number in the packet's ACK frame; -1 if the packet has no ACK frame. */
  readonly acked: number;
  /** True if the congestion window limited sending. */
  limited = false;
  /** True if the packet was marked with ECN. */
  marked = false;

  constructor(
    { number, sentAt, size }: { number: number; sentAt: number; size: number },
    { ackEliciting, mtuProbe, acked }: { ackEliciting: boolean; mtuProbe: boolean; acked: number },
    frames: readonly SentFrame[],
  ) {
    this.number = number;
    this.sentAt = sentAt;
    this.size = size;
    this.ackEliciting = ackEliciting;
    this.mtuProbe = mtuProbe;
    this.acked = acked;
    this.frames = frames;
  }
}

/** Sent packets ordered by age, with constant-time lookup by packet number. */
export class SentPackets {
  #packets: (SentPacket | null)[] = [];
  /** Packet number of the first slot. */
  #base = 0;
  /** Index of the first slot that may contain a packet. */
  #head = 0;
  size = 0;
  ackEliciting = 0;

  /** Lowest packet number that may be present. */
  get first(): number {
    return this.#base + this.#head;
  }

  /** Highest packet number in use, plus one. */
  get end(): number {
    return this.#base + this.#packets.length;
  }

  /** Adds a packet. Its number must be higher than all previous numbers. */
  add(packet: SentPacket): void {
    if (this.size === 0) {
      this.#packets.length = 0;
      this.#head = 0;
      this.#base = packet.number;
    }
    while (this.end < packet.number) this.#packets.push(null);
    this.#packets.push(packet);
    this.size += 1;
    if (packet.ackEliciting) this.ackEliciting += 1;
  }

  get(number: number): SentPacket | null {
    return this.#packets[number - this.#base] ?? null;
  }

  delete(packet: SentPacket): void {
    this.#packets[packet.number - this.#base] = null;
    this.size -= 1;
    if (packet.ackEliciting) this.ackEliciting -= 1;
    const packets = this.#packets;
    let head = this.#head;
    while (head < packets.length && packets[head] === null) head += 1;
    this.#head = head;
    if (head < 64 || head * 2 < packets.length) return;
    this.#packets = packets.slice(head);
    this.#base += head;
    this.#head = 0;
  }

  /** Yields the packets, oldest first. Skips packets that are deleted during the iteration. */
  *[Symbol.iterator](): IterableIterator<SentPacket> {
    for (let number = this.first; number < this.end; number++) {
      const packet = this.get(number);
      if (packet !== null) yield packet;
    }
  }
}
