/** `tls-alpn-01` challenge: served by the configured TLS listeners, or by a temporary one. */
import { isIP } from 'node:net';
import { createSecureContext, createServer, type SecureContext } from 'node:tls';
import { acmeTlsProtocol, challengeCertificate, reverseName, type Solver } from '@sluice/acme';
import type { ChallengeBoard } from '@sluice/tls-app';
import { ChallengeListeners } from './listen.ts';

/** Certificates by server name. */
const listeners = new ChallengeListeners<SecureContext>((contexts) =>
  createServer(
    {
      ALPNProtocols: [acmeTlsProtocol],
      SNICallback: (name, done) => {
        const context = contexts.get(name.toLowerCase());
        if (context === undefined) done(new Error(`no challenge for ${name}`));
        else done(null, context);
      },
    },
    (socket) => socket.end(),
  ),
);

/** Makes certificates available to the TLS listeners, and listens on the port if nothing else does. */
export function tlsAlpnSolver(board: ChallengeBoard, host: string | null, port: number): Solver {
  return async ({ identifier, keyAuthorization }) => {
    const certificate = await challengeCertificate(identifier, keyAuthorization);
    const takeDown = await board.tlsAlpn(identifier.value, certificate);
    // Addresses are requested by their reverse DNS name (RFC 8738 §6).
    const name = isIP(identifier.value) === 0 ? identifier.value : reverseName(identifier.value);
    const context = createSecureContext({ cert: certificate.chain, key: certificate.key });
    return listeners.serveWithBoard(takeDown, { host, port, name, entry: context });
  };
}
