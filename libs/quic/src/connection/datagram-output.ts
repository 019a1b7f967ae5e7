/** Output for the datagrams of a connection. */
import type { PeerAddress } from '../wire/address.ts';

/** Collects datagrams, so that one system call sends several. */
export interface DatagramOutput {
  /** Reserves space for a datagram of `size` bytes. `codepoint`: its ECN bits. Returns its offset in {@link bytes}. */
  begin(size: number, to: PeerAddress, codepoint: number): number;
  /** Buffer of the current datagram. Ciphers may require memory with a fixed address. */
  readonly bytes: Buffer;
  /** Completes the current datagram with `size` bytes. */
  commit(size: number): void;
}
