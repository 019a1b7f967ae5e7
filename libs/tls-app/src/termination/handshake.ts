/** Handles a TLS connection from the first byte until the handshake is complete. */
import { appendFile } from 'node:fs';
import type { Socket } from 'node:net';
import type { SecureContext, TLSSocket } from 'node:tls';
import { canHaveLayer, guarded, reportFault, SluiceError, unawaited, type Guarded } from '@sluice/base';
import type { TlsEstablished, TlsPeer, ClientHello } from '@sluice/contracts';
import type { Certificate } from '../certificates/certificate.ts';
import { acmeAlpn, acmeProtocol } from '../challenges/responses.ts';
import { authenticate } from '../client-auth/client-authentication.ts';
import { refusalOf } from '../client-auth/native-client.ts';
import type { ConnectionPolicy } from '../policies/connection-policy.ts';
import { alertRecord, alerts, responseToForeign } from './alerts.ts';
import { connectionInfo, nativeConnectionInfo } from './connection-info.ts';
import type { HandshakeHost } from './handshake-host.ts';
import { NativeTls, type NativeTlsEvents } from './native-tls.ts';
import { parseHello } from './parse-hello.ts';
import { releaseControl, startServerTls } from './tls-socket.ts';

/** A socket that may read directly into the thread's buffer; see the `http` app. */
interface MaybeDirect {
  directReader?: ((bytes: Buffer, end: number) => void) | null;
}

/** Maximum size of the ClientHello including record headers, in bytes. */
const maxHelloSize = 72 * 1024;

/** Reads the ClientHello, selects a policy and certificate, and starts TLS. */
export class Handshake implements Guarded, NativeTlsEvents {
  readonly #host: HandshakeHost;
  readonly #socket: Socket;
  readonly #peer: TlsPeer;
  readonly #established: TlsEstablished;
  #kept: Buffer | null = null;
  #policy: ConnectionPolicy | null = null;
  #secure: TLSSocket | null = null;
  #native: NativeTls | null = null;
  #serverName = '';

  constructor(host: HandshakeHost, socket: Socket, peer: TlsPeer, established: TlsEstablished) {
    this.#host = host;
    this.#socket = socket;
    this.#peer = peer;
    this.#established = established;
  }

  start(): void {
    const socket = this.#socket;
    if ('directReader' in socket) (socket as MaybeDirect).directReader = this.#onBytes;
    else socket.on('readable', this.#onReadable);
    socket.once('end', this.#onEnd);
    if (socket.readableLength > 0) this.#onReadable();
  }

  readonly #onReadable = (): void => {
    const bytes = this.#socket.read() as Buffer | null;
    if (bytes !== null) this.#onBytes(bytes, bytes.length);
  };

  readonly #onEnd = (): void => {
    this.#socket.destroy();
  };

  /** Handles an exception in a matcher, policy, context or callback by closing this connection. */
  fault(error: unknown): void {
    reportFault({ part: 'connection', error, module: 'tls', log: this.#host.tls.log });
    this.#secure?.destroy();
    this.#socket.destroy();
  }

  readonly #onBytes = guarded(this, (bytes: Buffer, end: number) => {
    const kept = this.#kept;
    // A direct socket reuses its buffer for the next read, so copy the bytes before passing them to OpenSSL.
    const all = kept === null ? Buffer.from(bytes.subarray(0, end)) : Buffer.concat([kept, bytes.subarray(0, end)]);
    const hello = parseHello(all, all.length);
    if (hello === 'incomplete' && all.length < maxHelloSize) {
      this.#kept = all;
      return;
    }
    this.#stopReading();
    if (typeof hello === 'string') this.#refuseForeign(all);
    else this.#decide(all, { ...hello, ...this.#peer });
  });

  #stopReading(): void {
    const socket = this.#socket;
    if ('directReader' in socket) (socket as MaybeDirect).directReader = null;
    else socket.off('readable', this.#onReadable);
  }

  #decide(first: Buffer, hello: ClientHello): void {
    const { tls } = this.#host;
    this.#serverName = hello.serverName;
    if (hello.protocols.length === 1 && hello.protocols[0] === acmeProtocol) {
      const challenge = tls.challenges.contextFor(hello.serverName);
      if (challenge !== null) return this.#begin(first, challenge, acmeAlpn, null);
      if (tls.challenges.shared) return unawaited(this, this.#seekChallenge(first, hello));
    }
    this.#decideByPolicy(first, hello);
  }

  /** Looks up an ACME challenge that another server may have added. */
  async #seekChallenge(first: Buffer, hello: ClientHello): Promise<void> {
    const challenge = await this.#host.tls.challenges.sharedContextFor(hello.serverName);
    if (this.#socket.destroyed) return;
    if (challenge === null) this.#decideByPolicy(first, hello);
    else this.#begin(first, challenge, acmeAlpn, null);
  }

  #decideByPolicy(first: Buffer, hello: ClientHello): void {
    const { tls, policies } = this.#host;
    const policy = policies.find((each) => each.matches(hello));
    if (policy === undefined) return this.#refuse(hello, 'no TLS connection policy matches');
    if (policy.drop) return this.#refuse(hello, 'rejected by TLS connection policy');
    this.#policy = policy;
    const certificate = tls.find(hello, policy);
    if (certificate !== null) this.#startHandshake(first, hello, policy, certificate);
    else unawaited(this, this.#awaitCertificate(first, hello, policy));
  }

  /** Requests a certificate from the control thread, because this thread has none. */
  async #awaitCertificate(first: Buffer, hello: ClientHello, policy: ConnectionPolicy): Promise<void> {
    const { tls } = this.#host;
    const certificate = (await tls.ask(hello)) ?? tls.findFallback(hello, policy);
    // The client may have disconnected in the meantime.
    if (this.#socket.destroyed) return;
    if (certificate === null) this.#refuse(hello, 'no certificate available');
    else this.#startHandshake(first, hello, policy, certificate);
  }

  #startHandshake(first: Buffer, hello: ClientHello, policy: ConnectionPolicy, certificate: Certificate): void {
    const socket = this.#socket;
    const { contexts, staples } = this.#host.tls;
    const staple = staples.get(certificate.hash);
    let context: SecureContext;
    try {
      if (policy.native !== null && canHaveLayer(socket))
        return this.#beginNative(first, new NativeTls(socket, contexts.native(policy, certificate), staple, this));
      context = contexts.get(policy, certificate, !policy.speaksTls13(hello));
    } catch (error) {
      this.#host.tls.log.error('failed to load TLS certificate', {
        certificate: certificate.source,
        error,
      });
      return this.#refuse(hello, 'certificate is unusable');
    }
    this.#begin(first, context, policy.alpn, staple);
  }

  #beginNative(first: Buffer, native: NativeTls): void {
    this.#native = native;
    native.start(first);
  }

  onHandshakeFailed(error: Error): void {
    this.#countFailure(error);
    // Before closing the connection, send the alert that OpenSSL has written.
    this.#socket.destroySoon();
  }

  onSecure(): boolean {
    const { session } = this.#native as NativeTls;
    const client = this.#policy?.client ?? null;
    const certificate = client === null ? null : session.peerCertificate;
    const refusal = client === null ? null : refusalOf(client, session, certificate);
    if (refusal !== null) {
      this.onHandshakeFailed(new SluiceError('ERR_CLIENT_CERTIFICATE', refusal));
      return false;
    }
    const info = nativeConnectionInfo(session, this.#serverName, certificate);
    this.#host.tls.handshakes.completed(info.resumed);
    this.#socket.off('end', this.#onEnd);
    this.#established(this.#socket, info);
    return true;
  }

  #countFailure(error: unknown): void {
    const { log, handshakes } = this.#host.tls;
    handshakes.failed();
    if (log.enabled('debug')) log.debug('TLS handshake failed', { remote: this.#peer.remoteAddress, error });
  }

  #begin(first: Buffer, secureContext: SecureContext, alpn: Buffer | null, staple: Uint8Array | null): void {
    this.#socket.off('end', this.#onEnd);
    const client = this.#policy?.client ?? null;
    const secure = startServerTls(this.#socket, first, {
      secureContext,
      alpn,
      requestCert: client !== null,
      requireCert: client?.required ?? false,
      staple,
    });
    this.#secure = secure;
    secure.on('_tlsError', this.#onError);
    secure.once('secure', this.#onSecure);
    secure.once('end', this.#onEarlyEnd);
    const secrets = this.#policy?.secretsLog ?? null;
    if (secrets !== null) {
      secure.on(
        'keylog',
        guarded(this, (line: Buffer) => appendFile(secrets, line, { mode: 0o600 }, ignore)),
      );
    }
  }

  readonly #onError = guarded(this, (error: unknown) => {
    this.#countFailure(error);
    // Before closing the connection, send the alert that OpenSSL has written.
    this.#secure?.destroySoon();
  });

  readonly #onEarlyEnd = (): void => {
    this.#secure?.destroy();
  };

  readonly #onSecure = guarded(this, () => {
    const secure = this.#secure;
    this.#host.tls.contexts.sealing.handshakeDone();
    if (secure === null || secure.destroyed) return;
    const client = this.#policy?.client ?? null;
    if (client !== null) {
      try {
        authenticate(secure, client);
      } catch (error) {
        this.#onError(error);
        return;
      }
    }
    secure.off('_tlsError', this.#onError);
    secure.off('end', this.#onEarlyEnd);
    releaseControl(secure);
    const info = connectionInfo(secure, this.#serverName, client !== null);
    this.#host.tls.handshakes.completed(info.resumed);
    // Close a connection for an ACME challenge after the handshake (RFC 8737 §3).
    if (info.protocol === acmeProtocol) secure.destroySoon();
    else this.#established(secure, info);
  });

  #refuse(hello: ClientHello, reason: string): void {
    const { log, handshakes } = this.#host.tls;
    handshakes.failed();
    if (log.enabled('debug'))
      log.debug('TLS handshake rejected', {
        server_name: hello.serverName,
        remote: hello.remoteAddress,
        reason,
      });
    this.#close(alertRecord(alerts.internalError));
  }

  #refuseForeign(bytes: Buffer): void {
    const response = responseToForeign(bytes, bytes.length);
    if (response === null) this.#socket.destroy();
    else this.#close(response);
  }

  #close(last: Buffer | string): void {
    this.#socket.end(last);
    this.#socket.destroySoon();
  }
}

function ignore(): void {}
