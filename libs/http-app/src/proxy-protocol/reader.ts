/** Reads the PROXY protocol header of a connection. */
import type { Socket } from 'node:net';
import { connectionOf, guarded } from '@sluice/base';
import type { SocketFacts } from '../engine/facts.ts';
import { Peek, undecided, type FirstBytes } from '../listener/peek.ts';
import type { NextSocket } from '../listener/wrapper.ts';
import { isAnnounced, parseProxyHeader } from './header.ts';
import type { ProxiedAddresses } from './header-result.ts';
import type { Policy } from './policy.ts';

/** Waits for the PROXY header and applies the policy. Continues with the socket, or destroys it. */
export class HeaderReader implements FirstBytes {
  readonly #socket: Socket;
  readonly #facts: SocketFacts;
  readonly #next: NextSocket;
  readonly #policy: Policy;
  readonly #peek: Peek;
  #timer: NodeJS.Timeout | null = null;
  /** True if the bytes received so far can only be the start of a PROXY header. */
  #announced = false;

  constructor(socket: Socket, facts: SocketFacts, next: NextSocket, policy: Policy) {
    this.#socket = socket;
    this.#facts = facts;
    this.#next = next;
    this.#policy = policy;
    this.#peek = new Peek(socket, this);
  }

  /** Starts waiting for at most `timeout` milliseconds. If `timeout` is 0, only the time limit of the listener applies. */
  start(timeout: number): void {
    if (timeout > 0) {
      this.#timer = setTimeout(
        guarded(connectionOf(this.#socket), () => this.#expire()),
        timeout,
      );
      this.#socket.once('close', () => this.#stopTimer());
    }
    this.#peek.start();
  }

  look(bytes: Buffer, end: number): number {
    const header = parseProxyHeader(bytes, end);
    const policy = this.#policy;
    if (header === 'incomplete') {
      this.#announced = isAnnounced(bytes, end);
      return undecided;
    }
    if (header === 'absent') return policy === 'REQUIRE' ? this.#refuse() : 0;
    if (header === 'malformed' || policy === 'REJECT') return this.#refuse();
    if (header.addresses !== null && policy !== 'IGNORE') this.#replaceFacts(header.addresses);
    return header.length;
  }

  decided(): void {
    this.#stopTimer();
    this.#next(this.#socket, this.#facts);
  }

  #replaceFacts(addresses: ProxiedAddresses): void {
    const facts = this.#facts;
    facts.remoteAddress = addresses.remoteAddress;
    facts.remotePort = addresses.remotePort;
    facts.localAddress = addresses.localAddress;
    facts.localPort = addresses.localPort;
    // The header reports a client that connected over the network, even if the proxy itself connected through a Unix socket.
    facts.unix = false;
  }

  #refuse(): number {
    this.#socket.destroy();
    return undecided;
  }

  /** After the timeout, continues without a PROXY header, unless the policy requires one. */
  #expire(): void {
    if (this.#announced || this.#policy === 'REQUIRE') {
      this.#socket.destroy();
      return;
    }
    this.#peek.stop();
    this.decided();
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
