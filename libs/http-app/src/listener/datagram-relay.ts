/** Relays datagrams between the threads of this process and previous processes. Each thread that listens for QUIC has one relay. */
import { guarded, taskOf, type ListenSockets } from '@sluice/base';
import { DatagramPair, UdpSocket } from '@sluice/native';
import type { PeerAddress } from '@sluice/quic';
import { routeKey, type DatagramRoutes } from './datagram-routes.ts';
import type { DatagramPort } from './bound-port.ts';

const task = taskOf('http');

/** Maximum number of relayed datagrams per second. Needed because anyone can send datagrams that contain another thread's ID. */
const maxRelayed = 20_000;
/** Separator of the fields before the datagram: socket key, peer address, local address, and ECN bits. */
const separator = '\n';

export interface Relayed {
  readonly key: string;
  readonly datagram: Buffer;
  readonly from: PeerAddress;
  readonly codepoint: number;
}

export class DatagramRelay {
  readonly tag: number;
  readonly thread: number;
  readonly #ports = new Map<string, DatagramPort>();
  readonly #channel: BroadcastChannel;
  readonly #channels = new Map<number, BroadcastChannel>();
  readonly #earlier = new Map<string, DatagramPair>();
  /** Socket pair. One end is for this process, and the other is for the next process. */
  readonly #pair: readonly [DatagramPair, DatagramPair] | null;
  readonly #sockets: ListenSockets | null;
  closed = false;
  #second = 0;
  #relayed = 0;

  constructor({ tag, inherited }: DatagramRoutes, thread: number, sockets: ListenSockets | null) {
    this.tag = tag;
    this.thread = thread;
    this.#sockets = sockets;
    this.#channel = new BroadcastChannel(channelName(tag, thread));
    this.#channel.addEventListener(
      'message',
      guarded(task, (event: Event) => this.#take((event as MessageEvent).data as Uint8Array)),
    );
    (this.#channel as unknown as { unref(): void }).unref();
    for (const route of inherited)
      this.#earlier.set(`${route.tag} ${route.thread}`, new DatagramPair(route.descriptor, false));
    this.#pair = openPair();
    if (this.#pair === null) return;
    this.#pair[0].read(task, (bytes) => this.#take(bytes));
    sockets?.share(this.#pair[1], routeKey(tag, thread));
  }

  /**
   * Registers a socket to receive relayed datagrams with the given key. Returns a function that unregisters the socket. The relay closes
   * when its last socket is unregistered.
   */
  add(key: string, port: DatagramPort): () => void {
    this.#ports.set(key, port);
    return () => {
      if (this.#ports.get(key) === port) this.#ports.delete(key);
      if (this.#ports.size === 0) this.#close();
    };
  }

  /** Relays a datagram whose connection ID belongs to another thread or process. Returns false if that thread or process does not exist. */
  forward(tag: number, thread: number, relayed: Relayed): boolean {
    if (tag === this.tag && thread === this.thread) return false;
    const earlier = tag === this.tag ? null : (this.#earlier.get(`${tag} ${thread}`) ?? null);
    if (tag !== this.tag && earlier === null) return false;
    if (!this.#mayRelay()) return true;
    const bytes = pack(relayed);
    if (earlier !== null) return earlier.send(bytes);
    const channel = this.#channelOf(thread);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- of windows, not of channels
    channel.postMessage(bytes);
    return true;
  }

  #mayRelay(): boolean {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#relayed = 0;
    }
    return ++this.#relayed <= maxRelayed;
  }

  #channelOf(thread: number): BroadcastChannel {
    let channel = this.#channels.get(thread);
    if (channel === undefined) {
      channel = new BroadcastChannel(channelName(this.tag, thread));
      (channel as unknown as { unref(): void }).unref();
      this.#channels.set(thread, channel);
    }
    return channel;
  }

  #take(bytes: Uint8Array): void {
    const packed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    const { key, datagram, from, codepoint } = unpack(packed);
    this.#ports.get(key)?.accept(datagram, { host: from.host, port: from.port, local: from.local ?? '' }, codepoint);
  }

  #close(): void {
    this.closed = true;
    this.#channel.close();
    for (const channel of this.#channels.values()) channel.close();
    for (const pair of this.#earlier.values()) pair.close();
    if (this.#pair === null) return;
    this.#sockets?.closed(this.#pair[1]);
    for (const pair of this.#pair) pair.close();
  }
}

function channelName(tag: number, thread: number): string {
  return `sluice.datagrams.${tag}.${thread}`;
}

/**
 * Creates a socket pair. Returns `null` if the system or the Node version does not support socket pairs. In this case, connections do not
 * survive an upgrade.
 */
function openPair(): readonly [DatagramPair, DatagramPair] | null {
  try {
    return UdpSocket.supported ? DatagramPair.open() : null;
  } catch {
    return null;
  }
}

function pack({ key, datagram, from, codepoint }: Relayed): Buffer {
  const head = Buffer.from([key, from.host, from.port, from.local ?? '', codepoint].join(separator), 'latin1');
  const packed = Buffer.allocUnsafe(2 + head.length + datagram.length);
  packed.writeUInt16LE(head.length, 0);
  packed.set(head, 2);
  packed.set(datagram, 2 + head.length);
  return packed;
}

function unpack(packed: Buffer): Relayed {
  const end = 2 + packed.readUInt16LE(0);
  const [key = '', host = '', port = '0', local = '', codepoint = '0'] = packed
    .toString('latin1', 2, end)
    .split(separator);
  const from: PeerAddress = { host, port: Number(port), key: `${host}:${port}`, local };
  return { key, datagram: Buffer.from(packed.subarray(end)), from, codepoint: Number(codepoint) };
}
