/** Path to a peer, with address, validation state and maximum datagram size (RFC 9000 §8, §9, §14). Times are in milliseconds. */
import { randomBytes } from 'node:crypto';
import type { FrameOwner } from '../recovery/sent-packets.ts';
import type { PeerAddress } from '../wire/address.ts';

/** Datagram size in bytes that every path supports (RFC 9000 §14). */
export const baseDatagram = 1200;
/** Maximum datagram size to probe, in bytes. This is the size of an Ethernet frame minus the IPv6 and UDP headers. */
const maxProbed = 1452;
/** Datagram sizes to probe, in bytes. Most paths support the first size. */
const probeSizes = [maxProbed, 1400, 1350];
/** Number of lost probes after which a datagram size is no longer probed (RFC 8899 §5.1.2). */
const maxProbeLosses = 3;
/** Amplification limit for unvalidated addresses (RFC 9000 §8.1). */
const amplification = 3;

export class Path implements FrameOwner {
  readonly address: PeerAddress;
  validated: boolean;
  /** Number of bytes received from an unvalidated address. `sent` is the number of bytes sent to it. */
  received = 0;
  sent = 0;
  /** Data of the pending PATH_CHALLENGE frame. */
  #challenge: Buffer | null = null;
  /** Time at which path validation fails. */
  challengeDeadline: number = Number.POSITIVE_INFINITY;
  /** True if a PATH_CHALLENGE frame is pending. */
  challengeUnsent = false;
  /** Data of the pending PATH_RESPONSE frame. */
  response: Buffer | null = null;
  /** Largest datagram size that is known to work, in bytes. */
  datagram: number = baseDatagram;
  #probing = 0;
  #probeLosses = 0;
  #probeInFlight = false;

  constructor(address: PeerAddress, validated: boolean) {
    this.address = address;
    this.validated = validated;
  }

  /** Number of bytes that may still be sent before the address is validated. */
  get amplificationRoom(): number {
    return this.validated ? Number.POSITIVE_INFINITY : amplification * this.received - this.sent;
  }

  /** Starts path validation (RFC 9000 §8.2). */
  challenge(deadline: number): void {
    this.#challenge = randomBytes(8);
    this.challengeUnsent = true;
    this.challengeDeadline = deadline;
  }

  onFrameAcked(): void {}

  /** If a PATH_CHALLENGE frame was lost while a response is expected, sends it again. */
  onFrameLost(): void {
    this.challengeUnsent = this.#challenge !== null;
  }

  get challengeData(): Buffer | null {
    return this.#challenge;
  }

  /** Handles a PATH_RESPONSE frame. Returns true if it validates the path. */
  responded(data: Buffer): boolean {
    if (this.#challenge === null || !this.#challenge.equals(data)) return false;
    this.#challenge = null;
    this.challengeUnsent = false;
    this.challengeDeadline = Number.POSITIVE_INFINITY;
    this.validated = true;
    return true;
  }

  /** Returns the size of the next MTU probe, or 0 if no probe is due. `limit` is the peer's `max_udp_payload_size`. */
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
    this.#probing = probeSizes.length;
  }

  probeLost(): void {
    this.#probeInFlight = false;
    this.#probeLosses += 1;
    if (this.#probeLosses < maxProbeLosses) return;
    this.#probeLosses = 0;
    this.#probing += 1;
  }
}
