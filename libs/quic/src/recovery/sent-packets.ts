/** Packets that were sent and neither acknowledged nor declared lost (RFC 9002 §A.1). */

/** What sent a frame: hears whether it arrived. */
export interface FrameOwner {
  onFrameAcked(frame: SentFrame): void;
  /** Sends again what is still needed. */
  onFrameLost(frame: SentFrame): void;
}

/** One frame of a packet that has to be sent again if the packet is lost. */
export class SentFrame {
  readonly owner: FrameOwner;
  /** Chosen by the owner. */
  readonly kind: number;
  /** Of stream or CRYPTO data; else whatever the owner wants back. */
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

/** One packet. */
export class SentPacket {
  readonly number: number;
  readonly sentAt: number;
  /** Bytes on the wire; 0 if it does not count as in flight. */
  readonly size: number;
  readonly ackEliciting: boolean;
  /** It probes the MTU: its loss says nothing about congestion (RFC 8899 §3). */
  readonly mtuProbe: boolean;
  readonly frames: readonly SentFrame[];
  /** The largest packet that an ACK frame in it reports; -1 for none. */
  readonly acked: number;
  /** The congestion window held the sender back when it was sent. */
  limited = false;
  /** It carries an ECN mark. */
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

/** Finds packets by number in constant time, oldest first. */
export class SentPackets {
  #packets: (SentPacket | null)[] = [];
  /** Packet number of the first entry. */
  #base = 0;
  /** Entries before it are gone. */
  #head = 0;
  /** How many there are. */
  size = 0;
  ackEliciting = 0;

  /** The smallest number that may still be there. */
  get first(): number {
    return this.#base + this.#head;
  }

  /** One more than the largest number. */
  get end(): number {
    return this.#base + this.#packets.length;
  }

  /** Adds a packet. Its number is the largest so far. */
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

  /** The packets, oldest first. What the caller deletes is not given. */
  *[Symbol.iterator](): IterableIterator<SentPacket> {
    for (let number = this.first; number < this.end; number++) {
      const packet = this.get(number);
      if (packet !== null) yield packet;
    }
  }
}
