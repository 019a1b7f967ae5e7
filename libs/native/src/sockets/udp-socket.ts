/**
 * A UDP socket on Linux. Transfers many datagrams per system call in both directions (`recvmmsg`, `UDP_GRO`, `UDP_SEGMENT`).
 *
 * It supports ECN marks and the local address of each datagram, and prevents fragmentation.
 */
import { closeDescriptor, failOwner, type Guarded, wordAt } from '@sluice/base';
import { Block } from '../memory.ts';
import { system } from './functions.ts';
import { LoopWatch } from './loop-watch.ts';
import { addressSize, addressWords, family, hostText, UdpPeer, writeAddress } from './socket-address.ts';

/** Receiver of datagrams. Exceptions are passed to its `fault` method. */
export interface DatagramTaker extends Guarded {
  /** Receives a datagram in `bytes[start..end)`, which is overwritten after the call. `codepoint` contains the ECN bits of the IP header. */
  onDatagram(
    bytes: Buffer,
    range: { readonly start: number; readonly end: number },
    from: UdpPeer,
    codepoint: number,
  ): void;
  /** Called after all available datagrams have been read. */
  onBatch(): void;
}

/** Datagrams to send to one peer: `bytes[start..end)`, in segments of `segment` bytes. The last segment may be shorter. */
export interface UdpRun {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  readonly segment: number;
  readonly to: { readonly host: string; readonly port: number };
  /** ECN bits. */
  readonly codepoint: number;
}

export interface UdpSocketOptions {
  readonly host: string;
  readonly port: number;
  readonly isIPv6: boolean;
  /** True to reject IPv4 traffic on an IPv6 socket. */
  readonly only: boolean;
  readonly reusePort: boolean;
}

// Constants from `<sys/socket.h>`, `<netinet/in.h>` and `<netinet/udp.h>` on Linux.
const datagramType = 2 | 0o2000000 | 0o4000;
const solSocket = 1;
const solIp = 0;
const solIpv6 = 41;
const solUdp = 17;
const socketOption = { reusePort: 15, sendBuffer: 7, receiveBuffer: 8, sendBufferForce: 32, receiveBufferForce: 33 };
const ip = { tos: 1, packetInfo: 8, mtuDiscover: 10, receiveTos: 13 } as const;
const ipv6 = {
  mtuDiscover: 23,
  only: 26,
  receivePacketInfo: 49,
  packetInfo: 50,
  receiveClass: 66,
  trafficClass: 67,
} as const;
const udp = { segment: 103, gro: 104 } as const;
/** Socket option value that disables fragmentation of datagrams and ignores the kernel's path MTU. */
const mtuProbe = 3;
const dontWait = 0x40;
const truncated = 0x20;
const pollWritable = 4;

/** Number of messages per call. `slotSize` is the maximum message size in bytes. A message may contain several datagrams from one peer. */
const slots = 32;
const slotSize = 65_536;
const controlSize = 128;
/** Sizes and field offsets of C structures on 64-bit systems, in bytes. */
const message = {
  size: 64,
  name: 0,
  nameSize: 8,
  vector: 16,
  vectors: 24,
  control: 32,
  controlSize: 40,
  flags: 48,
  length: 56,
};
const vectorSize = 16;
const controlHead = 16;
/** Maximum number of consecutive receive calls. The limit allows the thread to do other work. */
const maxCalls = 4;
/** Size of the send buffer in bytes. */
const outputSize = 1 << 17;
const bufferSize = 4 * 1024 * 1024;
/** Maximum number of bytes to queue until the socket is writable. Further datagrams are dropped. */
const maxQueued = 4 * 1024 * 1024;
/** Multiplier that distributes hashes over the cache of peers (2^32 divided by the golden ratio). */
const hashFactor = 0x9e3779b1;
/** Number of bits of a peer's place in the cache. Without the cache, each datagram would need a new object. */
const peerBits = 12;
/** Number of failed attempts at segmentation after which each datagram is sent separately. */
const maxSegmentFailures = 3;

interface Queued extends UdpRun {
  readonly bytes: Buffer;
}

export class UdpSocket {
  readonly descriptor: number;
  readonly port: number;
  /** Bound address. */
  readonly host: string;
  /** Send buffer. Allocated together with the receive buffer, so that ciphers need only one address lookup. */
  readonly memory: Buffer;
  taker: DatagramTaker | null = null;
  readonly #watch: LoopWatch;
  readonly #isIPv6: boolean;
  /** True if the socket is bound to all addresses. In that case, a response is sent from the address that received the request. */
  readonly #isWildcard: boolean;
  readonly #data = new Block(slots * slotSize + outputSize);
  readonly #received = new Block(slots * message.size);
  readonly #receivedWords: Int32Array;
  readonly #receivedAt: bigint;
  readonly #names = new Block(slots * 32);
  readonly #nameWords: Int32Array;
  readonly #vectors = new Block(slots * vectorSize);
  readonly #controls = new Block(slots * controlSize);
  readonly #controlWords: Int32Array;
  readonly #send = new Block(message.size);
  readonly #sendAt: bigint;
  readonly #sendName = new Block(32);
  readonly #sendNameWords: Int32Array;
  readonly #sendVector = new Block(vectorSize);
  readonly #sendControl = new Block(controlSize);
  readonly #pollBlock = new Block(8);
  /** Recent peers by the hash of their address. A peer replaces another one with the same hash, so no address makes a lookup slow. */
  readonly #peers = Array.from<UdpPeer | null>({ length: 1 << peerBits }).fill(null);
  readonly #local = Buffer.alloc(16);
  #queue: Queued[] = [];
  #queued = 0;
  #segmentFailures = 0;
  #reading = false;
  #closed = false;

  private constructor(descriptor: number, owner: Guarded) {
    this.descriptor = descriptor;
    const name = addressOf(descriptor);
    this.#isIPv6 = name.readUInt16LE(0) === family.ipv6;
    this.port = name.readUInt16BE(2);
    const [at, length] = this.#isIPv6 ? ([8, 16] as const) : ([4, 4] as const);
    this.host = hostText(name, at, length);
    this.#isWildcard = name.subarray(at, at + length).every((byte) => byte === 0);
    this.memory = this.#data.bytes.subarray(slots * slotSize);
    this.#receivedAt = this.#received.at(0, slots * message.size);
    this.#receivedWords = wordsOf(this.#received);
    this.#nameWords = wordsOf(this.#names);
    this.#controlWords = wordsOf(this.#controls);
    this.#sendAt = this.#send.at(0, message.size);
    this.#sendNameWords = wordsOf(this.#sendName);
    this.#setOptions();
    this.#layOut();
    this.#watch = new LoopWatch(descriptor, owner, () => this.#ready());
  }

  /** True if the system supports all features that these sockets require. */
  static get supported(): boolean {
    try {
      system();
      return true;
    } catch {
      return false;
    }
  }

  /** Binds an address. Returns `null` if the system rejects it. The caller can use `node:dgram` to find the reason. */
  static bind({ host, port, isIPv6, only, reusePort }: UdpSocketOptions, owner: Guarded): UdpSocket | null {
    const { socket, bind } = system();
    const descriptor = socket(isIPv6 ? family.ipv6 : family.ipv4, datagramType, 0);
    if (descriptor < 0) return null;
    if (isIPv6) setOption(descriptor, solIpv6, ipv6.only, only ? 1 : 0);
    if (reusePort) setOption(descriptor, solSocket, socketOption.reusePort, 1);
    const name = new Block(addressSize);
    const size = writeAddress(name.bytes, { host, port, isIPv6 });
    if (size > 0 && bind(descriptor, name.at(0, size), size) === 0) return UdpSocket.adopt(descriptor, owner);
    closeDescriptor(descriptor);
    return null;
  }

  /** Takes ownership of the descriptor of a bound socket. */
  static adopt(descriptor: number, owner: Guarded): UdpSocket {
    try {
      return new UdpSocket(descriptor, owner);
    } catch (error) {
      closeDescriptor(descriptor);
      throw error;
    }
  }

  #setOptions(): void {
    const { descriptor } = this;
    for (const [option, forced] of [
      [socketOption.receiveBuffer, socketOption.receiveBufferForce],
      [socketOption.sendBuffer, socketOption.sendBufferForce],
    ] as const)
      // Try to exceed the system's buffer size limit. Only privileged processes may do this.
      if (setOption(descriptor, solSocket, forced, bufferSize) !== 0)
        setOption(descriptor, solSocket, option, bufferSize);
    setOption(descriptor, solIp, ip.receiveTos, 1);
    setOption(descriptor, solIp, ip.mtuDiscover, mtuProbe);
    if (this.#isIPv6) {
      setOption(descriptor, solIpv6, ipv6.receiveClass, 1);
      setOption(descriptor, solIpv6, ipv6.mtuDiscover, mtuProbe);
    }
    if (this.#isWildcard) {
      if (this.#isIPv6) setOption(descriptor, solIpv6, ipv6.receivePacketInfo, 1);
      else setOption(descriptor, solIp, ip.packetInfo, 1);
    }
    setOption(descriptor, solUdp, udp.gro, 1);
  }

  /** Initializes the constant parts of the C structures. */
  #layOut(): void {
    for (let i = 0; i < slots; i++) {
      const vector = this.#vectors.bytes;
      vector.writeBigUInt64LE(this.#data.at(i * slotSize, slotSize), i * vectorSize);
      vector.writeBigUInt64LE(BigInt(slotSize), i * vectorSize + 8);
      const at = i * message.size;
      const { bytes } = this.#received;
      bytes.writeBigUInt64LE(this.#names.at(i * 32, 32), at + message.name);
      bytes.writeBigUInt64LE(this.#vectors.at(i * vectorSize, vectorSize), at + message.vector);
      bytes.writeBigUInt64LE(1n, at + message.vectors);
      bytes.writeBigUInt64LE(this.#controls.at(i * controlSize, controlSize), at + message.control);
      this.#renew(i);
    }
    const { bytes } = this.#send;
    bytes.writeBigUInt64LE(this.#sendName.at(0, addressSize), message.name);
    bytes.writeBigUInt64LE(this.#sendVector.at(0, vectorSize), message.vector);
    bytes.writeBigUInt64LE(1n, message.vectors);
    bytes.writeBigUInt64LE(this.#sendControl.at(0, controlSize), message.control);
  }

  /** Resets the sizes of C structures, which the kernel overwrites when it fills them in. */
  #renew(slot: number): void {
    const words = this.#receivedWords;
    const at = (slot * message.size) / 4;
    words[at + message.nameSize / 4] = addressSize;
    words[at + message.controlSize / 4] = controlSize;
    words[at + message.flags / 4] = 0;
  }

  // Receiving

  /** Starts reading if true, and stops reading if false. */
  set reading(reading: boolean) {
    this.#reading = reading;
    this.#watchStates();
  }

  #watchStates(): void {
    this.#watch.watch({ readable: this.#reading, writable: this.#queue.length > 0 });
  }

  #ready(): void {
    if (this.#queue.length > 0) this.#sendQueued();
    if (!this.#reading) return;
    const { recvmmsg } = system();
    for (let call = 0; call < maxCalls && this.#reading && !this.#closed; call++) {
      const count = recvmmsg(this.descriptor, this.#receivedAt, slots, dontWait, 0n);
      for (let slot = 0; slot < count; slot++) this.#message(slot);
      if (count < slots) break;
    }
    this.taker?.onBatch();
  }

  #message(slot: number): void {
    const { taker } = this;
    const words = this.#receivedWords;
    const at = (slot * message.size) / 4;
    const length = wordAt(words, at + message.length / 4);
    const flags = wordAt(words, at + message.flags / 4);
    const size = wordAt(words, at + message.nameSize / 4);
    const controls = wordAt(words, at + message.controlSize / 4);
    this.#controlsRead(slot, controls);
    this.#renew(slot);
    if (taker === null || (flags & truncated) !== 0 || size < 16 || this.#closed) return;
    const from = this.#peerAt(slot, size);
    const { bytes } = this.#data;
    const first = slot * slotSize;
    const end = first + length;
    const segment = this.#segment > 0 ? this.#segment : length;
    const codepoint = this.#codepoint;
    for (let start = first; start < end; start += segment) {
      try {
        taker.onDatagram(bytes, { start, end: Math.min(end, start + segment) }, from, codepoint);
      } catch (error) {
        failOwner(taker, error);
      }
    }
  }

  // ECN bits of the current message.
  #codepoint = 0;
  #segment = 0;

  #controlsRead(slot: number, length: number): void {
    this.#codepoint = this.#segment = 0;
    const words = this.#controlWords;
    const base = (slot * controlSize) / 4;
    for (let at = base; (at - base) * 4 + controlHead <= length;) {
      const size = wordAt(words, at);
      const level = words[at + 2];
      const type = words[at + 3];
      const value = words[at + 4] ?? 0;
      if (level === solIp && type === ip.tos) this.#codepoint = value & 3;
      else if (level === solIpv6 && type === ipv6.trafficClass) this.#codepoint = value & 3;
      else if (level === solUdp && type === udp.gro) this.#segment = value & 0xffff;
      else if (level === solIp && type === ip.packetInfo) this.#local.writeInt32LE(wordAt(words, at + 5), 0);
      else if (level === solIpv6 && type === ipv6.packetInfo)
        for (let i = 0; i < 4; i++) this.#local.writeInt32LE(wordAt(words, at + 4 + i), 4 * i);
      if (size < controlHead) return;
      at += Math.ceil(size / 8) * 2;
    }
  }

  #peerAt(slot: number, size: number): UdpPeer {
    const words = this.#nameWords;
    const at = slot * 8;
    const wildcard = this.#isWildcard;
    let hash = wordAt(words, at);
    for (let i = this.#isIPv6 ? 2 : 1; i < (this.#isIPv6 ? 6 : 2); i++)
      hash = (Math.imul(hash, 31) + wordAt(words, at + i)) | 0;
    const place = Math.imul(hash, hashFactor) >>> (32 - peerBits);
    const recent = this.#peers[place];
    if (recent != null && this.#isSame(recent, at)) return recent;
    const peer = new UdpPeer(
      this.#names.bytes.subarray(4 * at, 4 * at + addressSize),
      size,
      wildcard ? this.#local : null,
    );
    this.#peers[place] = peer;
    return peer;
  }

  #isSame({ words }: UdpPeer, at: number): boolean {
    const names = this.#nameWords;
    if (words[0] !== names[at]) return false;
    // Skip the second word of an IPv6 address structure, which is a flow label.
    const [first, count] = this.#isIPv6 ? [2, 7] : [1, 2];
    for (let i = first; i < count; i++) if (words[i] !== names[at + i]) return false;
    if (!this.#isWildcard) return true;
    for (let i = 0; i < (this.#isIPv6 ? 4 : 1); i++)
      if (words[addressWords + i] !== this.#local.readInt32LE(4 * i)) return false;
    return true;
  }

  /**
   * Returns the peer for an address that sent datagrams to `local`. Returns `null` if either address is not an IP address of the socket's
   * family.
   */
  peer(host: string, port: number, local = ''): UdpPeer | null {
    const bytes = Buffer.alloc(addressSize);
    const isIPv6 = this.#isIPv6;
    const own = Buffer.alloc(addressSize);
    if (local !== '' && writeAddress(own, { host: local, port: 0, isIPv6 }) === 0) return null;
    const size = writeAddress(bytes, { host, port, isIPv6 });
    const at = isIPv6 ? 8 : 4;
    return size === 0 ? null : new UdpPeer(bytes, size, local === '' ? null : own.subarray(at, at + 16));
  }

  // Sending

  /** Sends datagrams, or queues them while the socket is not writable. Datagrams that the system rejects are dropped. */
  send(run: UdpRun): void {
    if (this.#closed) return;
    if (this.#queue.length > 0) this.#enqueue(run);
    else this.#sendRun(run);
  }

  #sendRun(run: UdpRun): void {
    const to = run.to instanceof UdpPeer ? run.to : this.peer(run.to.host, run.to.port);
    if (to === null) return;
    const isMany = run.end - run.start > run.segment;
    if (isMany && this.#segmentFailures >= maxSegmentFailures) this.#sendEach(run, to);
    else if (this.#sendMessage(run, to) < 0) {
      if (!this.#isWritable()) this.#enqueue(run);
      else if (isMany) {
        this.#segmentFailures += 1;
        this.#sendEach(run, to);
      }
    }
  }

  /** Sends each datagram separately, for systems or devices that don't support segmentation. */
  #sendEach(run: UdpRun, to: UdpPeer): void {
    for (let start = run.start; start < run.end; start += run.segment) {
      const end = Math.min(run.end, start + run.segment);
      if (this.#sendMessage({ ...run, start, end }, to) >= 0 || this.#isWritable()) continue;
      this.#enqueue({ ...run, start, to });
      return;
    }
  }

  #sendMessage({ bytes, start, end, segment, codepoint }: UdpRun, to: UdpPeer): number {
    const names = this.#sendNameWords;
    for (let i = 0; i < addressWords; i++) names[i] = wordAt(to.words, i);
    const head = this.#send.bytes;
    head.writeUInt32LE(to.size, message.nameSize);
    head.writeUInt32LE(this.#writeControls(to, codepoint, end - start > segment ? segment : 0), message.controlSize);
    const vector = this.#sendVector.bytes;
    const own = bytes.buffer === this.#data.bytes.buffer;
    const block = own ? this.#data : new Block(end - start);
    const offset = own ? bytes.byteOffset - this.#data.bytes.byteOffset + start : 0;
    if (!own) bytes.copy(block.bytes, 0, start, end);
    vector.writeBigUInt64LE(block.at(offset, end - start), 0);
    vector.writeUInt32LE(end - start, 8);
    return system().sendmsg(this.descriptor, this.#sendAt, dontWait);
  }

  #writeControls(to: UdpPeer, codepoint: number, segment: number): number {
    const { bytes } = this.#sendControl;
    let at = 0;
    if (segment > 0) {
      at = putControl(bytes, at, { level: solUdp, type: udp.segment, size: 2 });
      bytes.writeUInt16LE(segment, at - 8);
    }
    if (codepoint > 0) {
      const [level, type] = to.isIPv4 ? [solIp, ip.tos] : [solIpv6, ipv6.trafficClass];
      at = putControl(bytes, at, { level, type, size: 4 });
      bytes.writeUInt32LE(codepoint, at - 8);
    }
    if (to.local === '') return at;
    if (this.#isIPv6) {
      at = putControl(bytes, at, { level: solIpv6, type: ipv6.packetInfo, size: 20 });
      for (let i = 0; i < 4; i++) bytes.writeInt32LE(wordAt(to.words, addressWords + i), at - 24 + 4 * i);
      bytes.writeUInt32LE(0, at - 8);
    } else {
      at = putControl(bytes, at, { level: solIp, type: ip.packetInfo, size: 12 });
      bytes.writeUInt32LE(0, at - 16);
      bytes.writeInt32LE(wordAt(to.words, addressWords), at - 12);
      bytes.writeUInt32LE(0, at - 8);
    }
    return at;
  }

  /** Reports whether the last failure had a cause other than a full buffer. */
  #isWritable(): boolean {
    const { bytes } = this.#pollBlock;
    bytes.writeInt32LE(this.descriptor, 0);
    bytes.writeInt32LE(pollWritable, 4);
    return system().poll(this.#pollBlock.at(0, 8), 1n, 0) !== 0;
  }

  #enqueue(run: UdpRun): void {
    const size = run.end - run.start;
    if (this.#queued + size > maxQueued) return;
    const bytes = Buffer.from(run.bytes.subarray(run.start, run.end));
    this.#queue.push({ ...run, bytes, start: 0, end: size });
    this.#queued += size;
    this.#watchStates();
  }

  #sendQueued(): void {
    const queue = this.#queue;
    this.#queue = [];
    this.#queued = 0;
    for (const run of queue) this.send(run);
    this.#watchStates();
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#reading = false;
    this.#watch.close();
    closeDescriptor(this.descriptor);
  }
}

/** Writes the start of a control message. Returns the end offset, including padding. */
function putControl(
  bytes: Buffer,
  at: number,
  { level, type, size }: { readonly level: number; readonly type: number; readonly size: number },
): number {
  bytes.writeUInt32LE(controlHead + size, at);
  bytes.writeUInt32LE(0, at + 4);
  bytes.writeUInt32LE(level, at + 8);
  bytes.writeUInt32LE(type, at + 12);
  return at + controlHead + Math.ceil(size / 8) * 8;
}

function wordsOf({ bytes }: Block): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
}

function setOption(descriptor: number, level: number, option: number, value: number): number {
  const block = new Block(4);
  block.bytes.writeInt32LE(value);
  return system().setsockopt(descriptor, level, option, block.at(0, 4), 4);
}

/** Returns the bound address of a socket as a C structure. */
function addressOf(descriptor: number): Buffer {
  const name = new Block(addressSize);
  const size = new Block(4);
  size.bytes.writeUInt32LE(addressSize);
  if (system().getsockname(descriptor, name.at(0, addressSize), size.at(0, 4)) !== 0)
    throw new Error(`file descriptor ${descriptor} is not a socket`);
  return name.bytes;
}
