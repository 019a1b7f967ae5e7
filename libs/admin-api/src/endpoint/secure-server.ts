/** HTTPS with clients that have to show a certificate: the server behind the remote admin endpoint. */
import { createServer } from 'node:https';
import { createSecureContext, type SecureContext, type TLSSocket } from 'node:tls';
import { connectionOf, runGuarded, type Logger } from '@sluice/base';
import type { ServerIdentity } from '@sluice/contracts';
import { messages, type ApiListener, type ApiServer } from '../messages/classes.ts';
import { publicKeyOf } from '../access/public-key.ts';

/** What a server proves itself with, and whom it lets in. */
export interface SecureSettings {
  readonly identity: ServerIdentity;
  /** Whether a client with this public key (DER, SubjectPublicKeyInfo) may connect. */
  admits(publicKey: Buffer): boolean;
}

type ContextCallback = (error: Error | null, context?: SecureContext) => void;

/** Gives the certificate for the name that a client asks for. */
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

/**
 * Makes the server. `settings` is asked for every handshake. The key of a client is what counts, and not who has signed its certificate;
 * connections of others are cut.
 */
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
    log.warn('access refused', {
      remote: socket.remoteAddress ?? null,
      reason: 'unknown client certificate',
    });
    socket.destroy();
  };
  server.prependListener('secureConnection', (socket: TLSSocket) =>
    // Who cannot be judged is not let in.
    runGuarded(connectionOf(socket), () => admit(socket)),
  );
  // Clients that ask for an address send no name.
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
