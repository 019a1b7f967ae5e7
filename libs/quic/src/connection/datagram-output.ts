/** Where a connection writes its datagrams. */
import type { PeerAddress } from '../wire/address.ts';

/** Collects datagrams, so that many leave in one system call. */
export interface DatagramOutput {
  /** Makes room for a datagram of `size` bytes. `codepoint`: its ECN bits. Returns where it begins in {@link bytes}. */
  begin(size: number, to: PeerAddress, codepoint: number): number;
  /** The memory of the datagram that was begun last. Ciphers may need memory that does not move. */
  readonly bytes: Buffer;
  /** The datagram that was begun last has `size` bytes. */
  commit(size: number): void;
}
