/** A UDP relay that simulates a bad network path: loss, delay, reordering and duplication in both directions. */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';

export interface BadPath {
  /** One-way delay in milliseconds, and an additional random delay, which reorders datagrams. */
  readonly delay: number;
  readonly jitter: number;
  /** Probabilities. */
  readonly loss: number;
  readonly duplicate: number;
}

export class LossyRelay {
  readonly #path: BadPath;
  readonly #to: number;
  readonly #front: Socket = createSocket('udp4');
  /** Sockets connected to the server, by client. */
  readonly #backs = new Map<string, Socket>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #state: number;

  private constructor(path: BadPath, to: number, seed: number) {
    this.#path = path;
    this.#to = to;
    this.#state = seed;
    this.#front.on('message', (datagram, from) => this.#carry(datagram, (bytes) => this.#toServer(bytes, from)));
  }

  /** Starts a relay in front of a port on 127.0.0.1. */
  static async open(path: BadPath, to: number, seed = 1): Promise<LossyRelay> {
    const relay = new LossyRelay(path, to, seed);
    relay.#front.bind({ port: 0, address: '127.0.0.1' });
    await once(relay.#front, 'listening');
    relay.#front.setRecvBufferSize(4 << 20);
    return relay;
  }

  get port(): number {
    return this.#front.address().port;
  }

  /** Generates pseudorandom numbers (xorshift), so that all servers experience the same network conditions. */
  #random(): number {
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) / 2 ** 32;
  }

  #carry(datagram: Buffer, deliver: (bytes: Buffer) => void): void {
    const { delay, jitter, loss, duplicate } = this.#path;
    if (this.#random() < loss) return;
    const copies = this.#random() < duplicate ? 2 : 1;
    for (let i = 0; i < copies; i++) {
      const timer = setTimeout(
        () => {
          this.#timers.delete(timer);
          deliver(datagram);
        },
        delay + jitter * this.#random(),
      );
      this.#timers.add(timer);
    }
  }

  #toServer(bytes: Buffer, { address, port }: RemoteInfo): void {
    const key = `${address}:${port}`;
    let back = this.#backs.get(key);
    if (back === undefined) {
      back = createSocket('udp4');
      back.on('message', (datagram) => this.#carry(datagram, (answer) => this.#front.send(answer, port, address)));
      this.#backs.set(key, back);
    }
    back.send(bytes, this.#to, '127.0.0.1');
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#front.close();
    for (const back of this.#backs.values()) back.close();
  }
}
