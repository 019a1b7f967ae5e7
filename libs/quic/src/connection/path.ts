/** The path to a peer (RFC 9000 §8, §9, §14): its address, its validation, its largest datagram. Times in milliseconds. */
import { randomBytes } from 'node:crypto';
import type { FrameOwner } from '../recovery/sent-packets.ts';
import type { PeerAddress } from '../wire/address.ts';

/** Every path carries this (RFC 9000 §14). */
export const baseDatagram = 1200;
/** The largest datagram that is probed for: Ethernet without the headers of IPv6 and UDP, in bytes. */
const maxProbed = 1452;
const probeSizes = [1350, 1400, maxProbed];
/** Probes of one size that are lost before it is given up (RFC 8899 §5.1.2). */
const maxProbeLosses = 3;
/** An unvalidated address is sent at most this many times what it sent (RFC 9000 §8.1). */
const amplification = 3;

export class Path implements FrameOwner {
  readonly address: PeerAddress;
  validated: boolean;
  /** Bytes received from, and sent to, an address that is not validated. */
  received = 0;
  sent = 0;
  /** Of PATH_CHALLENGE frames that wait for their responses. */
  #challenge: Buffer | null = null;
  /** When a challenge is given up. */
  challengeDeadline: number = Number.POSITIVE_INFINITY;
  /** A PATH_CHALLENGE frame is to be sent. */
  challengeUnsent = false;
  /** To be sent back in PATH_RESPONSE frames. */
  response: Buffer | null = null;
  /** The largest datagram that is known to arrive. */
  datagram: number = baseDatagram;
  #probing = 0;
  #probeLosses = 0;
  #probeInFlight = false;

  constructor(address: PeerAddress, validated: boolean) {
    this.address = address;
    this.validated = validated;
  }

  /** Bytes that may be sent before the peer has proved its address. */
  get amplificationRoom(): number {
    return this.validated ? Number.POSITIVE_INFINITY : amplification * this.received - this.sent;
  }

  /** Has the peer prove its address (RFC 9000 §8.2). */
  challenge(deadline: number): void {
    this.#challenge = randomBytes(8);
    this.challengeUnsent = true;
    this.challengeDeadline = deadline;
  }

  onFrameAcked(): void {}

  /** A challenge was lost: it is sent again, for as long as it waits for a response. */
  onFrameLost(): void {
    this.challengeUnsent = this.#challenge !== null;
  }

  get challengeData(): Buffer | null {
    return this.#challenge;
  }

  /** Takes a response. Returns true if it validates the path. */
  responded(data: Buffer): boolean {
    if (this.#challenge === null || !this.#challenge.equals(data)) return false;
    this.#challenge = null;
    this.challengeUnsent = false;
    this.challengeDeadline = Number.POSITIVE_INFINITY;
    this.validated = true;
    return true;
  }

  /** Size of the next datagram to probe the path with; 0 for none. `limit`: the peer's max_udp_payload_size. */
  nextProbe(limit: number): number {
    if (this.#probeInFlight || !this.validated) return 0;
    const size = probeSizes[this.#probing] ?? 0;
    return size > limit ? 0 : size;
  }

  probeSent(): void {
    this.#probeInFlight = true;
  }

  probeAcked(): void {
    this.#probeInFlight = false;
    this.#probeLosses = 0;
    this.datagram = probeSizes[this.#probing] ?? this.datagram;
    this.#probing += 1;
  }

  probeLost(): void {
    this.#probeInFlight = false;
    this.#probeLosses += 1;
    // Larger ones would be lost, too.
    if (this.#probeLosses >= maxProbeLosses) this.#probing = probeSizes.length;
  }
}
