/** Upgraded connections such as WebSockets. Data is relayed in both directions until one side closes. */
import type { Duplex } from 'node:stream';
import { ClientGoneError, HttpError, type Exchange } from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import { guarded, maxTimer, type Guarded } from '@sluice/base';
import { relay, type Relay } from './relay.ts';
import { closeToClient, closeToUpstream, FrameBoundaries } from './websocket-frames.ts';

/** Hop-by-hop headers in a 101 response. */
const dropped: ReadonlySet<string> = new Set([
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'content-length',
]);

/** Maximum time for both sides of a WebSocket to close after a Close frame was sent, in milliseconds. */
const closeTime = 1000;

/** Called once, after a tunnel is closed or could not be opened. */
export type TunnelDone = (error: Error | null) => void;

export interface UpgradedUpstream {
  readonly socket: Duplex;
  /** Bytes that were received together with the response headers. */
  readonly head: Buffer;
}

export class Tunnels {
  readonly #timeout: number;
  readonly #closeDelay: () => number;
  /** Open tunnels. `null` before the first tunnel, because most proxies never open one. */
  #open: Set<Tunnel> | null = null;
  #retired = false;

  /**
   * `timeout` is the maximum lifetime of a tunnel, or 0 for no limit. `closeDelay` is the time from the removal of the proxy until its
   * tunnels are closed, or Infinity for no limit. Both are in milliseconds.
   */
  constructor(timeout: number, closeDelay: () => number) {
    this.#timeout = timeout;
    this.#closeDelay = closeDelay;
  }

  /** Sends a 101 response and connects the two sockets. `head` contains bytes that the upstream has already sent. */
  open(exchange: Exchange, headers: HeaderMap, { socket: upstream, head }: UpgradedUpstream, done: TunnelDone): void {
    const { response, connection } = exchange;
    for (const [name, value] of headers) if (!dropped.has(name)) response.headers.append(name, value);
    response.writeHead(101);
    const taken = connection.upgrade();
    if (taken === null) {
      upstream.destroy();
      done(exchange.aborted ? new ClientGoneError() : new HttpError(502, 'the client connection cannot be upgraded'));
      return;
    }
    const isWebSocket = headers.get('upgrade')?.toLowerCase() === 'websocket';
    const ended = (): void => {
      this.#open?.delete(tunnel);
      done(null);
    };
    const tunnel = new Tunnel(taken.socket, upstream, exchange, { isWebSocket, ended });
    (this.#open ??= new Set()).add(tunnel);
    if (this.#retired) this.#closeSoon([tunnel]);
    if (this.#timeout > 0) tunnel.closeIn(this.#timeout);
    tunnel.start(taken.head, head);
  }

  /** Called when the configuration no longer contains the proxy. */
  retire(): void {
    this.#retired = true;
    this.#closeSoon([...(this.#open ?? [])]);
  }

  #closeSoon(tunnels: readonly Tunnel[]): void {
    const delay = this.#closeDelay();
    for (const tunnel of tunnels) {
      if (delay <= 0) tunnel.close();
      else if (delay < Number.POSITIVE_INFINITY) tunnel.closeIn(delay);
    }
  }

  close(): void {
    for (const tunnel of [...(this.#open ?? [])]) tunnel.close();
  }
}

interface TunnelOptions {
  readonly isWebSocket: boolean;
  /** Called when both sides are closed. */
  readonly ended: () => void;
}

/** A pair of connected sockets. If one peer stops sending, the other peer receives the end of the stream and can continue to send. */
class Tunnel {
  readonly #client: Duplex;
  readonly #upstream: Duplex;
  readonly #owner: Guarded;
  readonly #onClose: () => void;
  readonly #isWebSocket: boolean;
  #toUpstream: Relay | null = null;
  #toClient: Relay | null = null;
  #closing = false;
  #timer: NodeJS.Timeout | null = null;
  #left = 2;

  /** `owner` handles exceptions in the callbacks of both sockets. */
  constructor(client: Duplex, upstream: Duplex, owner: Guarded, { isWebSocket, ended }: TunnelOptions) {
    this.#isWebSocket = isWebSocket;
    this.#client = client;
    this.#upstream = upstream;
    this.#owner = owner;
    this.#onClose = ended;
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on(
        'error',
        guarded(this.#owner, () => other.destroy()),
      );
      const onClosed = guarded(this.#owner, () => this.#oneClosed(other));
      if (socket.closed) onClosed();
      else socket.once('close', onClosed);
    }
  }

  /** Handles the close of one socket. Data that was read from it is still written to the other socket. */
  #oneClosed(other: Duplex): void {
    if (--this.#left === 0) this.#closed();
    // The other side of a WebSocket must also send a Close frame. A timer limits the wait.
    else if (this.#closing) return;
    else if (other.writable) other.end(() => other.destroy());
    else other.destroy();
  }

  /** Connects the sockets. `fromClient` and `fromUpstream` contain bytes that were received together with the headers. */
  start(fromClient: Buffer, fromUpstream: Buffer): void {
    const frames = (early: Buffer): FrameBoundaries | null => {
      if (!this.#isWebSocket) return null;
      const boundaries = new FrameBoundaries();
      boundaries.pass(early, 0, early.length, false);
      return boundaries;
    };
    if (fromUpstream.length > 0) this.#client.write(fromUpstream);
    if (fromClient.length > 0) this.#upstream.write(fromClient);
    this.#toUpstream = relay(this.#client, this.#upstream, this.#owner, frames(fromClient));
    this.#toClient = relay(this.#upstream, this.#client, this.#owner, frames(fromUpstream));
  }

  /** Closes the tunnel after a delay, if it is still open. */
  closeIn(milliseconds: number): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(
      guarded(this.#owner, () => this.close()),
      Math.min(milliseconds, maxTimer),
    );
    this.#timer.unref();
  }

  /**
   * For a WebSocket, sends a Close frame to both sides and closes the tunnel after their replies or a timeout. Closes any other tunnel
   * immediately.
   */
  close(): void {
    if (this.#closing || !this.#isWebSocket || this.#toClient === null) {
      this.#client.destroy();
      this.#upstream.destroy();
      return;
    }
    this.#closing = true;
    this.closeIn(closeTime);
    this.#toClient.endWith(closeToClient);
    this.#toUpstream?.endWith(closeToUpstream);
  }

  #closed(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#onClose();
  }
}
