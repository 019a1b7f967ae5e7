/** A pair of connected datagram sockets on the same machine. One end can be passed to another process. */
import { closeDescriptor, type Guarded } from '@sluice/base';
import { Block } from '../memory.ts';
import { system } from './functions.ts';
import { LoopWatch } from './loop-watch.ts';
import { family } from './socket-address.ts';

const datagramType = 2 | 0o2000000 | 0o4000;
const dontWait = 0x40;
/** Sizes of `struct msghdr` and `struct iovec` on 64-bit systems, in bytes. */
const messageSize = 64;
const vectorAt = 16;
const vectorsAt = 24;
const lengthAt = 56;
/** Maximum size of a datagram, in bytes. */
const maxSize = 70_000;
/** Maximum number of datagrams to read per event loop turn. */
const maxReads = 256;

export class DatagramPair {
  readonly descriptor: number;
  readonly #block = new Block(maxSize);
  readonly #message = new Block(messageSize);
  readonly #vector = new Block(16);
  readonly #owned: boolean;
  #watch: LoopWatch | null = null;
  #closed = false;

  /** If `owned` is true, closing this object also closes the descriptor. */
  constructor(descriptor: number, owned: boolean) {
    this.descriptor = descriptor;
    this.#owned = owned;
    const { bytes } = this.#message;
    bytes.writeBigUInt64LE(this.#vector.at(0, 16), vectorAt);
    bytes.writeBigUInt64LE(1n, vectorsAt);
    this.#vector.bytes.writeBigUInt64LE(this.#block.at(0, maxSize), 0);
  }

  /** Opens a pair of connected sockets. Throws if the process has too many open files. */
  static open(): readonly [DatagramPair, DatagramPair] {
    const two = new Block(8);
    if (system().socketpair(family.unix, datagramType, 0, two.at(0, 8)) !== 0)
      throw new Error('cannot open a socket pair: too many open files');
    return [new DatagramPair(two.bytes.readInt32LE(0), true), new DatagramPair(two.bytes.readInt32LE(4), true)];
  }

  /** Sends a datagram. Returns false if the other end is closed or reads too slowly. */
  send(bytes: Buffer): boolean {
    if (this.#closed || bytes.length > maxSize) return false;
    bytes.copy(this.#block.bytes);
    this.#vector.bytes.writeUInt32LE(bytes.length, 8);
    return system().sendmsg(this.descriptor, this.#message.at(0, messageSize), dontWait) === bytes.length;
  }

  /** Starts reading datagrams. The callback takes ownership of their bytes. */
  read(owner: Guarded, onDatagram: (bytes: Buffer) => void): void {
    this.#watch ??= new LoopWatch(this.descriptor, owner, () => this.#ready(onDatagram));
    this.#watch.watch({ readable: true, writable: false });
  }

  #ready(onDatagram: (bytes: Buffer) => void): void {
    for (let i = 0; i < maxReads && !this.#closed; i++) {
      this.#vector.bytes.writeUInt32LE(maxSize, 8);
      if (system().recvmmsg(this.descriptor, this.#message.at(0, messageSize), 1, dontWait, 0n) !== 1) return;
      const length = this.#message.bytes.readUInt32LE(lengthAt);
      // A length of 0 means that the peer closed its end.
      if (length === 0) {
        this.#watch?.watch({ readable: false, writable: false });
        return;
      }
      onDatagram(Buffer.from(this.#block.bytes.subarray(0, length)));
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#watch?.close();
    if (this.#owned) closeDescriptor(this.descriptor);
  }
}
