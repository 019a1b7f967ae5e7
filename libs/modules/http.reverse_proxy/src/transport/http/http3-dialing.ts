/**
 * One attempt to connect over HTTP/3. Tries the IP addresses of a host in order, and starts the next handshake early if there is no
 * response (RFC 8305).
 */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { guarded, messageOf, taskOf, unawaited } from '@sluice/base';
import { isUpstreamError, UpstreamError, type DialAddress } from '@sluice/http-app';
import type { DialTarget } from './dialing.ts';
import type { Http3Session } from './http3-session.ts';
import type { ClientSettings } from './settings.ts';

const task = taskOf('http.reverse_proxy.transport.http');

/** A QUIC handshake with one IP address. */
export interface Handshake {
  readonly session: Http3Session;
  /** Settles when the QUIC handshake has completed or failed. */
  readonly established: Promise<null>;
  /** Aborts the handshake. `established` then rejects. */
  drop(): void;
}

export class Http3Dialing {
  readonly #settings: ClientSettings;
  readonly #target: DialTarget;
  readonly #connect: (address: string) => Promise<Handshake>;
  readonly #done = Promise.withResolvers<Http3Session>();
  readonly #handshakes = new Set<Handshake>();
  #addresses: readonly string[] = [];
  #over = false;
  #running = 0;
  #timer: NodeJS.Timeout | null = null;
  #fallback: NodeJS.Timeout | null = null;

  constructor(settings: ClientSettings, target: DialTarget, connect: (address: string) => Promise<Handshake>) {
    this.#settings = settings;
    this.#target = target;
    this.#connect = connect;
  }

  run(): Promise<Http3Session> {
    const { dialTimeout } = this.#settings;
    const late = guarded(task, () => this.#end(timedOut(this.#target.address)));
    if (dialTimeout > 0) this.#timer = setTimeout(late, dialTimeout);
    unawaited(task, this.#start());
    return this.#done.promise;
  }

  /** Cancels the connection attempt, which makes {@link run} reject. */
  cancel(): void {
    this.#end(new UpstreamError('dial', 'no longer needed'));
  }

  async #start(): Promise<void> {
    const { address, secure } = this.#target;
    try {
      if (!secure)
        throw new UpstreamError('dial', `HTTP/3 requires TLS, but except_ports disables TLS for port ${address.port}`);
      this.#addresses = await addressesOf(address, this.#settings);
      this.#next();
    } catch (error) {
      this.#end(error);
    }
  }

  #next(): void {
    if (this.#fallback !== null) clearTimeout(this.#fallback);
    this.#fallback = null;
    const [address, ...others] = this.#addresses;
    if (this.#over || address === undefined) return;
    this.#addresses = others;
    const { fallbackDelay } = this.#settings;
    if (others.length > 0 && fallbackDelay >= 0)
      this.#fallback = setTimeout(
        guarded(task, () => this.#next()),
        fallbackDelay,
      );
    this.#running += 1;
    unawaited(task, this.#try(address));
  }

  async #try(address: string): Promise<void> {
    try {
      const handshake = await this.#connect(address);
      this.#handshakes.add(handshake);
      if (this.#over) handshake.drop();
      await handshake.established;
      this.#handshakes.delete(handshake);
      if (this.#over) handshake.session.destroy();
      else this.#end(null, handshake.session);
    } catch (error) {
      this.#running -= 1;
      if (this.#addresses.length > 0) this.#next();
      else if (this.#running === 0) this.#end(error);
    }
  }

  #end(error: unknown, session: Http3Session | null = null): void {
    if (this.#over) return;
    this.#over = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#fallback !== null) clearTimeout(this.#fallback);
    for (const each of this.#handshakes) each.drop();
    if (session !== null) this.#done.resolve(session);
    else this.#done.reject(isUpstreamError(error) ? error : refused(this.#target.address, messageOf(error), error));
  }
}

/** Resolves a host name to the IP addresses to try. */
async function addressesOf(
  { network, host, hostPort }: DialAddress,
  { lookup: own }: ClientSettings,
): Promise<string[]> {
  if (network === 'unix') throw new UpstreamError('dial', `cannot connect to ${hostPort}: HTTP/3 requires UDP`);
  if (isIP(host) !== 0) return [host];
  const name = host === '' ? 'localhost' : host;
  const found = own === null ? await lookup(name, { all: true }) : await lookedUp(name, own);
  const family = network.endsWith('4') ? 4 : network.endsWith('6') ? 6 : 0;
  const usable = found.filter((each) => family === 0 || each.family === family).map(({ address }) => address);
  if (usable.length === 0) throw new UpstreamError('dial', `cannot connect to ${hostPort}: ${name} has no IP address`);
  return usable;
}

function lookedUp(
  name: string,
  own: NonNullable<ClientSettings['lookup']>,
): Promise<readonly { readonly address: string; readonly family: number }[]> {
  return new Promise((resolve, reject) => {
    own(name, (error, addresses) => (error === null ? resolve(addresses) : reject(error)));
  });
}

export function timedOut({ hostPort }: DialAddress): UpstreamError {
  return new UpstreamError('dial-timeout', `cannot connect to ${hostPort} over HTTP/3: connection timed out`);
}

export function refused({ hostPort }: DialAddress, reason: string, cause?: unknown): UpstreamError {
  return new UpstreamError('dial', `cannot connect to ${hostPort} over HTTP/3: ${reason}`, cause);
}
