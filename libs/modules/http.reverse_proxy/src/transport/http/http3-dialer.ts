/**
 * Establishes the HTTP/3 connections of a pool. The connections share one UDP socket per address family. Loaded only if HTTP/3 is
 * configured.
 */
import { X509Certificate, randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { guarded, taskOf, unawaited } from '@sluice/base';
import { openDatagramClient, UpstreamError, type DatagramPort, type TlsSettings } from '@sluice/http-app';
import { h3Error, reasonOf } from '@sluice/http3';
import { nativeCiphers, QuicTls, TlsContext } from '@sluice/native';
import { Endpoint, type ConnectionOptions, type TlsSession } from '@sluice/quic';
import type { DialTarget } from './dialing.ts';
import { Http3Dialing, refused, timedOut, type Handshake } from './http3-dialing.ts';
import { Http3Session } from './http3-session.ts';
import { Http3Tickets } from './http3-tickets.ts';
import type { OriginSettings } from './origin-settings.ts';
import type { SessionOwner } from './session.ts';

export { nativeProblem } from '@sluice/native';

const task = taskOf('http.reverse_proxy.transport.http');

/**
 * Receive window of a stream, in bytes. The connection's window is 64 times as large. When 64 responses wait for slow clients, other
 * responses must wait too.
 */
const streamWindow = 1024 * 1024;
const connections: ConnectionOptions = {
  idleTimeout: 30_000,
  maxData: 64 * streamWindow,
  maxStreamData: streamWindow,
  maxStreamsBidi: 0,
  maxStreamsUni: 16,
};
/** TLS alert sent if the certificate does not match the server name (RFC 8446 §6.2). */
const badCertificate = 42;

interface Client {
  readonly port: DatagramPort;
  readonly endpoint: Endpoint;
}

export class Http3Dialer {
  readonly #settings: OriginSettings;
  readonly #tls: TlsSettings;
  readonly #context: TlsContext;
  readonly #tickets = new Http3Tickets();
  readonly #clients = new Map<boolean, Promise<Client>>();
  #closed = false;

  /** Throws OpenSSL's error if a configured certificate or key is invalid. */
  constructor(settings: OriginSettings, tls: TlsSettings) {
    this.#settings = settings;
    this.#tls = tls;
    const { authorities, certificate, groups } = tls.material();
    this.#context = new TlsContext({
      isServer: false,
      certificate: certificate?.cert ?? null,
      key: certificate?.key ?? null,
      protocols: ['h3'],
      authorities: tls.verify ? authorities : [],
      verification: tls.verify ? 'require' : 'none',
      ticketKeys: null,
      keepsSessions: true,
      ...(groups === '' ? {} : { groups }),
    });
  }

  /** Creates a connection attempt. The caller must run it. */
  dial(target: DialTarget, owner: SessionOwner): Http3Dialing {
    return new Http3Dialing(this.#settings, target, (address) => this.#connect(address, target, owner));
  }

  async #connect(address: string, target: DialTarget, owner: SessionOwner): Promise<Handshake> {
    const { port, endpoint } = await this.#client(isIPv6(address));
    const peer = port.peer(address, target.address.port);
    if (peer === null || this.#closed) throw new UpstreamError('dial', `cannot send packets to ${address}`);
    const { promise, resolve, reject } = Promise.withResolvers<null>();
    const session = new Http3Session(owner, (failure) => {
      if (failure === null) resolve(null);
      else reject(failure.by === 'timeout' ? timedOut(target.address) : refused(target.address, reasonOf(failure)));
    });
    const upstream = `${address} ${target.address.port} ${target.serverName}`;
    const tls = (parameters: Buffer): TlsSession => this.#session(parameters, target.serverName, upstream);
    const connection = endpoint.connect(peer, session.user, { tls });
    return { session, established: promise, drop: () => connection.close(h3Error.noError) };
  }

  #session(parameters: Buffer, serverName: string, upstream: string): TlsSession {
    const { verify, checkIdentity } = this.#tls;
    const session = this.#tickets.take(upstream);
    const tls = new QuicTls({
      context: this.#context,
      parameters,
      serverName,
      checksName: verify && checkIdentity === null,
      session,
      onSession: (next) => this.#tickets.keep(upstream, next, verify ? expiryOf(tls) : Number.POSITIVE_INFINITY),
    });
    session?.free();
    if (!verify || checkIdentity === null) return tls;
    return {
      start: (events) =>
        tls.start({
          onCryptoData: (level, bytes) => events.onCryptoData(level, bytes),
          onSecret: (secret) => events.onSecret(secret),
          onTransportParameters: (bytes) => events.onTransportParameters(bytes),
          onAlert: (alert, reason) => events.onAlert(alert, reason),
          onComplete: () => {
            const certificate = tls.peerCertificate;
            const problem =
              certificate === null
                ? new Error('the upstream did not present a certificate')
                : checkIdentity(serverName, new X509Certificate(certificate).toLegacyObject());
            if (problem === undefined) events.onComplete();
            else events.onAlert(badCertificate, problem.message);
          },
        }),
      receive: (level, bytes) => tls.receive(level, bytes),
      free: () => tls.free(),
    };
  }

  #client(isSix: boolean): Promise<Client> {
    let client = this.#clients.get(isSix);
    if (client === undefined) {
      client = this.#open(isSix);
      this.#clients.set(isSix, client);
      // After a failure, forget the client so that the next attempt opens a new one.
      client.catch(guarded(task, () => this.#clients.delete(isSix)));
    }
    return client;
  }

  async #open(isSix: boolean): Promise<Client> {
    const { localAddress } = this.#settings;
    const own = localAddress !== '' && isIPv6(localAddress) === isSix ? localAddress : '';
    const port = await openDatagramClient(own, isSix);
    const endpoint = new Endpoint({
      transport: port,
      ciphers: nativeCiphers,
      connections,
      acceptor: null,
      resetKey: randomBytes(32),
      tokenKey: randomBytes(32),
      ...(port.memory === undefined ? {} : { memory: port.memory }),
    });
    port.start(endpoint);
    return { port, endpoint };
  }

  /** Closes the UDP sockets. The caller must have closed all sessions. */
  close(): void {
    this.#closed = true;
    this.#context.free();
    this.#tickets.close();
    for (const client of this.#clients.values()) unawaited(task, closeClient(client));
    this.#clients.clear();
  }
}

/** Returns the expiration time of the peer certificate, or 0 if there is none. */
function expiryOf({ peerCertificate }: QuicTls): number {
  return peerCertificate === null ? 0 : new X509Certificate(peerCertificate).validToDate.getTime();
}

async function closeClient(opening: Promise<Client>): Promise<void> {
  const client = await opening.catch(() => null);
  if (client === null) return;
  client.endpoint.flush();
  client.endpoint.close();
  await client.port.close();
}
