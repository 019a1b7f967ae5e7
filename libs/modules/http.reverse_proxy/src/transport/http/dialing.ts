/** Establishes one upstream connection over a TCP or Unix socket. Supports forward proxies, the PROXY header and TLS. */
import { isIP, type Socket, type TcpNetConnectOpts } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import {
  type DialAddress,
  type ProxiedClient,
  UpstreamError,
  type TlsSettings,
  type UpstreamRequest,
  UpstreamSocket,
  isUpstreamError,
  openSocket,
  proxyHeader,
} from '@sluice/http-app';
import { messageOf } from '@sluice/base';
import type { LookupHost } from '../../common/resolver.ts';
import { throughProxy } from './forward-proxy.ts';
import type { ClientSettings } from './settings.ts';

export interface DialTarget {
  readonly address: DialAddress;
  /** True if the connection uses TLS. */
  readonly secure: boolean;
  /** Server name for SNI and for the verification of the certificate. */
  readonly serverName: string;
  /** Client to report in the PROXY header, or `null` to send no header. */
  readonly client: ProxiedClient | null;
}

/** An established connection. */
export interface Dialed {
  readonly socket: Socket;
  /** Protocol negotiated with ALPN. Empty if the connection does not use TLS. */
  readonly protocol: string;
}

/** A connection attempt. */
export class Dialing {
  readonly #settings: ClientSettings;
  readonly #target: DialTarget;
  readonly #upgrade: boolean;
  #socket: Socket | null = null;
  #cancelled = false;

  /** Connections for upgrade requests must use HTTP/1.1. */
  constructor(settings: ClientSettings, target: DialTarget, request: UpstreamRequest) {
    this.#settings = settings;
    this.#target = target;
    this.#upgrade = request.upgrade !== '';
  }

  /** Cancels the connection attempt, which makes {@link run} reject. */
  cancel(): void {
    this.#cancelled = true;
    this.#socket?.destroy(new Error('no longer needed'));
  }

  /** Establishes the connection. Rejects with an {@link UpstreamError}. */
  async run(): Promise<Dialed> {
    try {
      return await this.#connect();
    } catch (error) {
      this.#socket?.destroy();
      if (isUpstreamError(error)) throw error;
      throw new UpstreamError('dial', `cannot connect to ${this.#target.address.hostPort}: ${messageOf(error)}`, error);
    }
  }

  async #connect(): Promise<Dialed> {
    const { forwardProxy, tls, proxyProtocol } = this.#settings;
    const { address, secure, client } = this.#target;
    const direct = forwardProxy === null || address.network === 'unix';
    let socket = await this.#open(direct ? address : forwardProxy.address);
    if (!direct) {
      if (forwardProxy.scheme === 'https')
        socket = (await this.#secure(socket, null, forwardProxy.address.host)).socket;
      await throughProxy(socket, forwardProxy, address, secure);
    }
    if (proxyProtocol !== 0 && client !== null) socket.write(proxyHeader(proxyProtocol, client, socket));
    if (!secure || tls === null) return { socket, protocol: '' };
    return this.#secure(socket, tls, this.#target.serverName);
  }

  #open(address: DialAddress): Promise<Socket> {
    return openSocket(address, {
      timeout: this.#settings.dialTimeout,
      socket: new UpstreamSocket(),
      keepAlive: this.#settings.probeInterval,
      tcp: this.#tcpOptions(address),
      hold: (socket) => this.#hold(socket),
    });
  }

  #hold(socket: Socket): void {
    this.#socket = socket;
    if (this.#cancelled) this.cancel();
  }

  #tcpOptions({ host }: DialAddress): Partial<TcpNetConnectOpts> {
    const { localAddress, fallbackDelay, lookup } = this.#settings;
    return {
      ...(localAddress === '' ? {} : { localAddress }),
      // Delay before trying the next IP address (RFC 8305). Node.js enforces a minimum of 10 ms.
      autoSelectFamily: fallbackDelay >= 0,
      ...(fallbackDelay > 0 ? { autoSelectFamilyAttemptTimeout: Math.max(10, fallbackDelay) } : {}),
      ...(lookup === null || isIP(host) !== 0 ? {} : { lookup: lookupOption(lookup) }),
    };
  }

  #secure(socket: Socket, tls: TlsSettings | null, host: string): Promise<Dialed> {
    const { http1, http2 } = this.#settings;
    const protocols =
      tls === null || this.#upgrade ? ['http/1.1'] : [...(http2 ? ['h2'] : []), ...(http1 ? ['http/1.1'] : [])];
    return new Promise((resolve, reject) => {
      const secured: TLSSocket = connectTls({
        socket,
        ...(tls === null ? {} : { secureContext: tls.context, rejectUnauthorized: tls.verify }),
        ...(tls === null || tls.checkIdentity === null ? {} : { checkServerIdentity: tls.checkIdentity }),
        ...(isIP(host) === 0 ? { servername: host } : {}),
        host,
        ALPNProtocols: protocols,
      });
      this.#hold(secured);
      const timeout = tls?.handshakeTimeout ?? 0;
      const timer =
        timeout > 0
          ? setTimeout(
              () => secured.destroy(new UpstreamError('dial-timeout', `the TLS handshake with ${host} timed out`)),
              timeout,
            )
          : null;
      const settle = (error: Error | null): void => {
        if (timer !== null) clearTimeout(timer);
        secured.off('secureConnect', onSecure);
        secured.off('error', settle);
        secured.off('close', onClose);
        if (error === null) resolve({ socket: secured, protocol: secured.alpnProtocol || '' });
        else reject(error);
      };
      const onSecure = (): void => settle(null);
      const onClose = (): void => settle(new Error('the connection was closed during the TLS handshake'));
      secured.on('secureConnect', onSecure);
      secured.on('error', settle);
      secured.on('close', onClose);
    });
  }
}

function lookupOption(lookup: LookupHost): NonNullable<TcpNetConnectOpts['lookup']> {
  return (host, { all, family }, callback) => {
    lookup(host, (error, addresses) => {
      const wanted =
        family === 4 || family === 6 ? addresses.filter((address) => address.family === family) : addresses;
      const [first] = wanted;
      if (error !== null || first === undefined) callback(error ?? new Error(`${host} has no IP address`), '', 0);
      else if (all === true) (callback as (error: null, addresses: readonly object[]) => void)(null, wanted);
      else callback(null, first.address, first.family);
    });
  };
}
