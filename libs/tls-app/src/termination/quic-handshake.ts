/** Handles a QUIC handshake: reads the ClientHello, selects a policy and certificate, and passes control to OpenSSL. */
import { appendFile } from 'node:fs';
import { unawaited, reportFault, type Guarded } from '@sluice/base';
import type { ClientHello, QuicHandshake, TlsInfo, TlsPeer } from '@sluice/contracts';
import { QuicTls, type EarlyDataRule, type TlsContext } from '@sluice/native';
import { level, type TlsEvents } from '@sluice/quic';
import type { Certificate } from '../certificates/certificate.ts';
import { problemOf, refusalOf } from '../client-auth/native-client.ts';
import type { ConnectionPolicy } from '../policies/connection-policy.ts';
import { alerts } from './alerts.ts';
import type { HandshakeHost } from './handshake-host.ts';
import { parseHelloMessage } from './parse-hello.ts';

/** Creates OpenSSL contexts. */
export interface QuicContexts {
  /**
   * Returns the TLS context for a policy and certificate, or `null` if the policy does not support QUIC. Throws if the certificate is
   * unusable.
   */
  get(policy: ConnectionPolicy, certificate: Certificate): TlsContext | null;
  /** Returns the rule for accepting early data after a ClientHello. `null` rejects early data. */
  earlyData(policy: ConnectionPolicy, serverName: string, hello: Buffer): EarlyDataRule | null;
}

/** CRYPTO data that arrived at one encryption level before the TLS session was created. */
interface Received {
  readonly level: number;
  readonly bytes: Buffer;
}

export class QuicPolicyHandshake implements QuicHandshake, Guarded {
  info: TlsInfo | null = null;
  readonly #host: HandshakeHost;
  readonly #contexts: QuicContexts;
  readonly #peer: TlsPeer;
  readonly #parameters: Buffer;
  #events: TlsEvents | null = null;
  /** Bytes of an incomplete ClientHello. */
  #hello: Buffer = nothing;
  /** True while a certificate is being requested, and after the handshake decision. New input is buffered until the session exists. */
  #decided = false;
  #kept: Received[] = [];
  #session: QuicTls | null = null;
  #serverName = '';
  #freed = false;

  constructor(host: HandshakeHost, contexts: QuicContexts, peer: TlsPeer, parameters: Buffer) {
    this.#host = host;
    this.#contexts = contexts;
    this.#peer = peer;
    this.#parameters = parameters;
  }

  start(events: TlsEvents): void {
    this.#events = events;
  }

  receive(level: number, bytes: Buffer): void {
    if (this.#session !== null) {
      this.#session.receive(level, bytes);
      return;
    }
    if (this.#freed) return;
    this.#kept.push({ level, bytes: Buffer.from(bytes) });
    if (this.#decided) return;
    this.#hello = Buffer.concat([this.#hello, bytes]);
    const hello = parseHelloMessage(this.#hello);
    if (hello === 'incomplete') return;
    this.#decided = true;
    if (hello === 'foreign') this.#refuse(alerts.decodeError, 'not a ClientHello');
    else this.#decide({ ...hello, ...this.#peer });
  }

  #decide(hello: ClientHello): void {
    const { tls, policies } = this.#host;
    this.#serverName = hello.serverName;
    const policy = policies.find((each) => each.matches(hello));
    if (policy === undefined) return this.#refuse(alerts.internalError, 'no TLS connection policy matches');
    if (policy.drop) return this.#refuse(alerts.internalError, 'rejected by TLS connection policy');
    const certificate = tls.find(hello, policy);
    if (certificate !== null) this.#begin(policy, certificate);
    else unawaited(this, this.#ask(hello, policy));
  }

  /** Requests a certificate from the control thread, because this thread has none. */
  async #ask(hello: ClientHello, policy: ConnectionPolicy): Promise<void> {
    const { tls } = this.#host;
    const certificate = (await tls.ask(hello)) ?? tls.findFallback(hello, policy);
    if (this.#freed) return;
    this.#events?.later(() => {
      if (certificate === null) this.#refuse(alerts.internalError, 'no certificate available');
      else this.#begin(policy, certificate);
    });
  }

  #begin(policy: ConnectionPolicy, certificate: Certificate): void {
    const events = this.#events;
    if (events === null) return;
    let context: TlsContext | null;
    try {
      context = this.#contexts.get(policy, certificate);
    } catch (error) {
      this.#host.tls.log.error('failed to load TLS certificate', { certificate: certificate.source, error });
      return this.#refuse(alerts.internalError, 'certificate is unusable');
    }
    if (context === null)
      return this.#refuse(alerts.protocolVersion, 'TLS connection policy disables TLS 1.3, which QUIC requires');
    const { secretsLog } = policy;
    const earlyData = this.#contexts.earlyData(policy, this.#serverName, this.#hello);
    this.#hello = nothing;
    const session = new QuicTls({
      context,
      parameters: this.#parameters,
      earlyData,
      staple: this.#host.tls.staples.get(certificate.hash),
      ...(secretsLog === null
        ? {}
        : { onSecretLine: (line) => appendFile(secretsLog, `${line}\n`, { mode: 0o600 }, ignore) }),
    });
    this.#session = session;
    session.start(this.#watching(events, policy));
    const kept = this.#kept;
    this.#kept = [];
    for (const { level, bytes } of kept) if (!this.#freed) session.receive(level, bytes);
  }

  /** Records the TLS properties before the connection is notified that the handshake is complete. */
  #watching(events: TlsEvents, { client }: ConnectionPolicy): TlsEvents {
    let suiteId = 0;
    return {
      onCryptoData: (level, bytes) => events.onCryptoData(level, bytes),
      onSecret: (secret) => {
        ({ suiteId } = secret);
        if (secret.level === level.early) this.info = this.#infoOf(suiteId, null);
        events.onSecret(secret);
      },
      onTransportParameters: (bytes) => events.onTransportParameters(bytes),
      onAlert: (alert, reason) => {
        const { log, handshakes } = this.#host.tls;
        handshakes.failed();
        if (log.enabled('debug'))
          log.debug('TLS handshake failed', { remote: this.#peer.remoteAddress, protocol: 'h3', error: reason });
        events.onAlert(alert, reason);
      },
      onComplete: () => {
        const session = this.#session as QuicTls;
        const certificate = client === null ? null : session.peerCertificate;
        const refusal = client === null ? null : refusalOf(client, session, certificate);
        if (refusal !== null) return this.#refuse(alerts.badCertificate, refusal);
        this.#host.tls.contexts.sealing.handshakeDone();
        this.#host.tls.handshakes.completed(session.resumed);
        const clientProblem = certificate === null ? null : problemOf(session, certificate);
        this.info = { ...this.#infoOf(suiteId, certificate), clientProblem, handshakeComplete: true };
        events.onComplete();
      },
      later: (work) => events.later(work),
    };
  }

  /** Returns the TLS properties before the handshake is complete. */
  #infoOf(suiteId: number, clientCertificate: Buffer | null): TlsInfo {
    return {
      version: 'tls1.3',
      cipherSuite: suiteNames[suiteId] ?? '',
      resumed: (this.#session as QuicTls).resumed,
      protocol: 'h3',
      serverName: this.#serverName,
      clientCertificate,
      clientProblem: null,
      handshakeComplete: false,
    };
  }

  #refuse(alert: number, reason: string): void {
    const { log, handshakes } = this.#host.tls;
    handshakes.failed();
    if (log.enabled('debug'))
      log.debug('TLS handshake rejected', {
        server_name: this.#serverName,
        remote: this.#peer.remoteAddress,
        protocol: 'h3',
        reason,
      });
    this.#events?.onAlert(alert, reason);
  }

  fault(error: unknown): void {
    reportFault({ part: 'connection', error, module: 'tls', log: this.#host.tls.log });
    this.#events?.later(() => this.#refuse(alerts.internalError, 'internal error'));
  }

  free(): void {
    this.#freed = true;
    this.#kept = [];
    this.#session?.free();
  }
}

function ignore(): void {}

const nothing: Buffer = Buffer.alloc(0);
const suiteNames: Readonly<Record<number, string>> = {
  0x1301: 'TLS_AES_128_GCM_SHA256',
  0x1302: 'TLS_AES_256_GCM_SHA384',
  0x1303: 'TLS_CHACHA20_POLY1305_SHA256',
};
