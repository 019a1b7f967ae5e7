/** A UDP socket that treats the packets of each peer as a connection. */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import type { Duplex } from 'node:stream';
import { formatNetworkAddress, guarded, SluiceError, taskOf, type Logger, type NetworkAddress } from '@sluice/base';
import { plainAddress, type SocketFacts } from '@sluice/http-app';
import type { Pooled } from '@sluice/registry';
import { DatagramPeer } from './datagram-peer.ts';

const task = taskOf('layer4');

/** Maximum number of peers per socket and thread. It is bounded because source addresses of UDP packets can be forged. */
const maxPeers = 65_536;
/** Interval between searches for idle peers, in milliseconds. */
const sweepInterval = 500;

/** A service that accepts the connections of UDP peers. */
export interface PeerService {
  take(host: null, socket: Duplex, facts: SocketFacts, transport: 'udp'): void;
}

/** A UDP socket bound to one address. The socket stays open while any configuration contains the address. */
export class DatagramListener implements Pooled {
  readonly #socket: Socket;
  readonly #peers = new Map<string, DatagramPeer>();
  readonly #log: Logger;
  #service: PeerService | null = null;
  #idleTimeout = 0;
  #timer: NodeJS.Timeout | null = null;
  /** True if no configuration contains the address anymore. */
  #retired = false;
  #open = true;

  private constructor(socket: Socket, log: Logger) {
    this.#socket = socket;
    this.#log = log;
    socket.on(
      'message',
      guarded(task, (bytes: Buffer, from: RemoteInfo) => this.#receive(bytes, from)),
    );
    socket.on('error', (error) => this.#log.error('failed to receive UDP packets', { error }));
  }

  /** Binds the address. Throws `ERR_LISTEN` with the reason. */
  static async open(address: NetworkAddress, reusePort: boolean, log: Logger): Promise<DatagramListener> {
    const { network, host, startPort } = address;
    const isV4 = network === 'udp4' || /^\d+\.\d+\.\d+\.\d+$/.test(host);
    const socket = createSocket({
      type: isV4 ? 'udp4' : 'udp6',
      ipv6Only: network === 'udp6',
      reusePort: reusePort && startPort !== 0,
    });
    try {
      await new Promise<void>((resolve, reject) => {
        socket.once('error', reject);
        socket.bind({ port: startPort, exclusive: true, ...(host === '' ? {} : { address: host }) }, () => {
          socket.off('error', reject);
          resolve();
        });
      });
    } catch (error) {
      socket.close();
      throw new SluiceError(
        'ERR_LISTEN',
        `cannot listen on ${formatNetworkAddress(address)}: ${(error as Error).message}`,
        {
          status: 400,
          cause: error,
        },
      );
    }
    return new DatagramListener(socket, log);
  }

  /** Starts passing new peers to a service. Idle peers are closed after `idleTimeout` milliseconds. */
  serve(service: PeerService, idleTimeout: number): void {
    this.#service = service;
    this.#idleTimeout = idleTimeout;
  }

  /**
   * Closes the socket and all its peers. If the socket stayed open for them, it would receive packets for a later socket on the same
   * address.
   */
  retire(): void {
    this.#retired = true;
    for (const peer of [...this.#peers.values()]) peer.destroy();
    this.#closeIfUnused();
  }

  close(): void {
    this.retire();
  }

  #receive(bytes: Buffer, from: RemoteInfo): void {
    const key = `${from.address} ${from.port}`;
    let peer = this.#peers.get(key);
    if (peer === undefined) {
      const service = this.#service;
      if (service === null || this.#retired || this.#peers.size >= maxPeers) return;
      peer = this.#add(key, from);
      peer.deliver(bytes);
      const local = this.#socket.address();
      service.take(
        null,
        peer,
        {
          remoteAddress: plainAddress(from.address),
          remotePort: from.port,
          localAddress: plainAddress(local.address),
          localPort: local.port,
          unix: false,
          tls: null,
          notes: { opening: null, point: null },
        },
        'udp',
      );
      return;
    }
    peer.deliver(bytes);
  }

  #add(key: string, { address, port }: RemoteInfo): DatagramPeer {
    const peer = new DatagramPeer((bytes, done) => this.#socket.send(bytes, port, address, done));
    this.#peers.set(key, peer);
    peer.once(
      'close',
      guarded(task, () => {
        this.#peers.delete(key);
        this.#closeIfUnused();
      }),
    );
    this.#timer ??= setInterval(
      guarded(task, () => this.#sweep()),
      sweepInterval,
    ).unref();
    return peer;
  }

  #sweep(): void {
    const limit = performance.now() - this.#idleTimeout;
    for (const peer of this.#peers.values()) if (peer.usedAt < limit) peer.destroy();
  }

  #closeIfUnused(): void {
    if (this.#peers.size > 0) return;
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#timer = null;
    if (!this.#retired || !this.#open) return;
    this.#open = false;
    this.#socket.close();
  }
}
