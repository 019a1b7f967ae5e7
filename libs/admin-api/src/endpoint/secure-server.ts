/** HTTPS server with required client certificates, for the remote admin endpoint. */
import { createServer } from 'node:https';
import { createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { connectionOf, runGuarded, type Logger } from '@sluice/base';
import type { ServerIdentity } from '@sluice/contracts';
import { messages, type ApiListener, type ApiServer } from '../messages/classes.ts';
import { publicKeyOf } from '../access/public-key.ts';

/** The server's identity and its allowed clients. */
export interface SecureSettings {
  readonly identity: ServerIdentity;
  /** Reports whether a client with this public key (DER, SubjectPublicKeyInfo) may connect. */
  admits(publicKey: Buffer): boolean;
}

type ContextCallback = (error: Error | null, context?: SecureContext) => void;

/** Returns the certificate for the name a client requests. */
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

/** Creates the server. Only clients with a known key are accepted; the issuer of their certificate is not checked. */
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
    // Close connections that can't be checked.
    runGuarded(connectionOf(socket), () => admit(socket)),
  );
  // Clients that connect to an IP address send no SNI.
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
