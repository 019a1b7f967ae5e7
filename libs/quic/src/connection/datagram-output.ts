/** Output for the datagrams of QUIC connections. */
import type { PeerAddress } from '../wire/address.ts';

/** Collects datagrams, so that one system call can send several. */
export interface DatagramOutput {
  /** Reserves space for a datagram of `size` bytes. `codepoint` contains its ECN bits. Returns its offset in {@link bytes}. */
  begin(size: number, to: PeerAddress, codepoint: number): number;
  /** Buffer that contains the current datagram. Ciphers may require memory with a fixed address. */
  readonly bytes: Buffer;
  /** Completes the current datagram with `size` bytes. */
  commit(size: number): void;
}
