/** HTTPS server that requires client certificates, for the remote admin endpoint. */
import { createServer } from 'node:https';
import { createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { connectionOf, runGuarded, type Logger } from '@sluice/base';
import type { ServerIdentity } from '@sluice/contracts';
import { messages, type ApiListener, type ApiServer } from '../messages/classes.ts';
import { publicKeyOf } from '../access/public-key.ts';

/** TLS settings of the remote admin endpoint: the server certificate and the allowed clients. */
export interface SecureSettings {
  readonly identity: ServerIdentity;
  /** Reports whether a client with this public key may connect. The key is a DER-encoded SubjectPublicKeyInfo. */
  admits(publicKey: Buffer): boolean;
}

type ContextCallback = (error: Error | null, context?: SecureContext) => void;

/** Selects the certificate for the server name that the client requests (SNI). */
async function present(identity: ServerIdentity, name: string, done: ContextCallback): Promise<void> {
  let context: SecureContext | undefined;
  let problem: Error | null = null;
  try {
    context = createSecureContext(await identity.certificate(name));
  } catch (error) {
    problem = error as Error;
  }
  done(problem, context);
}

/** Creates the HTTPS server. Accepts only clients with a configured public key. Does not verify the issuer of client certificates. */
export function createSecureServer(
  settings: () => SecureSettings,
  listener: ApiListener,
  log: Logger,
): { server: ApiServer; refresh: () => void } {
  const SNICallback = (name: string, done: ContextCallback): void => void present(settings().identity, name, done);
  const server = createServer({ ...messages, requestCert: true, rejectUnauthorized: false, SNICallback }, listener);
  const admit = (socket: TLSSocket): void => {
    const key = publicKeyOf(socket);
    if (key !== null && settings().admits(key)) return;
    log.warn('access denied', {
      remote: socket.remoteAddress ?? null,
      reason: 'unknown client certificate',
    });
    socket.destroy();
  };
  server.prependListener('secureConnection', (socket: TLSSocket) =>
    // If the check throws an exception, close the connection.
    runGuarded(connectionOf(socket), () => admit(socket)),
  );
  // Clients that connect to an IP address send no SNI, so they receive the default certificate.
  const refresh = (): void => {
    settings()
      .identity.certificate()
      .then(
        (certificate) => server.setSecureContext(certificate),
        (error: unknown) => log.error('remote admin endpoint has no certificate', { error }),
      );
  };
  return { server, refresh };
}
