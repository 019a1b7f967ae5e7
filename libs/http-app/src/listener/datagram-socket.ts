/** UDP socket for QUIC, based on Node's UDP sockets. Uses one system call per datagram and does not support ECN. */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { formatNetworkAddress, guarded, SluiceError, taskOf, type NetworkAddress } from '@sluice/base';
import { ecn, type DatagramRun, type Endpoint, type PeerAddress } from '@sluice/quic';
import type { DatagramPort } from './bound-port.ts';

const task = taskOf('http');

/** Maximum number of cached peer addresses. The cache ensures that a single object represents each peer. */
const maxAddresses = 10_000;
const bufferSize = 4 * 1024 * 1024;

export class DatagramSocket implements DatagramPort {
  readonly memory = undefined;
  readonly raw = [];
  readonly #socket: Socket;
  readonly #addresses = new Map<string, PeerAddress>();
  #endpoint: Endpoint | null = null;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on(
      'message',
      guarded(task, (bytes: Buffer, { address, port }: RemoteInfo) => this.#receive(bytes, address, port)),
    );
    socket.on('error', () => undefined);
  }

  /** Binds the address. Throws `ERR_LISTEN` with the reason if this fails. */
  static async open(address: NetworkAddress, reusePort: boolean): Promise<DatagramSocket> {
    const { network, host, startPort } = address;
    const isFour = network.endsWith('4') || (host !== '' && !isIPv6(host) && host !== 'localhost');
    const socket = createSocket({
      type: isFour ? 'udp4' : 'udp6',
      reusePort,
      recvBufferSize: bufferSize,
      sendBufferSize: bufferSize,
    });
    const bound = new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind({ port: startPort, ...(host === '' ? {} : { address: host }), exclusive: true }, () => resolve());
    });
    try {
      await bound;
    } catch (error) {
      throw refused(address, error as NodeJS.ErrnoException);
    }
    socket.removeAllListeners('error');
    return new DatagramSocket(socket);
  }

  get port(): number {
    return this.#socket.address().port;
  }

  get local(): string {
    return this.#socket.address().address;
  }

  start(endpoint: Endpoint): void {
    this.#endpoint = endpoint;
  }

  stop(): void {
    this.#endpoint = null;
  }

  accept(datagram: Buffer, { host, port }: { host: string; port: number }): void {
    this.#receive(datagram, host, port);
  }

  #receive(bytes: Buffer, host: string, port: number): void {
    const endpoint = this.#endpoint;
    if (endpoint === null) return;
    const address = this.peer(host, port);
    endpoint.receive(bytes, 0, bytes.length, { address, codepoint: ecn.notEct, now: performance.now() });
  }

  peer(host: string, port: number): PeerAddress {
    const key = `${host}:${port}`;
    const known = this.#addresses.get(key);
    if (known !== undefined) return known;
    if (this.#addresses.size >= maxAddresses) this.#addresses.clear();
    const address = { host, port, key };
    this.#addresses.set(key, address);
    return address;
  }

  send({ bytes, start, end, segment, to }: DatagramRun): void {
    for (let at = start; at < end; at += segment) {
      // Copy the datagram, because the caller reuses the buffer immediately.
      const datagram = Buffer.from(bytes.subarray(at, Math.min(end, at + segment)));
      this.#socket.send(datagram, to.port, to.host, ignore);
    }
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#socket.close(() => resolve());
    });
  }
}

/** Ignores a failed send. It counts as a lost datagram, which QUIC tolerates. */
function ignore(): void {}

function refused(address: NetworkAddress, error: NodeJS.ErrnoException): SluiceError {
  const reason = error.code === 'EADDRINUSE' ? 'the UDP port is in use by another program' : error.message;
  return new SluiceError('ERR_LISTEN', `cannot listen on ${formatNetworkAddress(address)} for HTTP/3: ${reason}`, {
    status: 400,
    cause: error,
  });
}
