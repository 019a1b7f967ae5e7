/**
 * The `tls-alpn-01` challenge. The configured TLS listeners respond to it. If none of them listens on the port, a temporary server
 * responds.
 */
import { isIP } from 'node:net';
import { createSecureContext, createServer, type SecureContext } from 'node:tls';
import { acmeTlsProtocol, challengeCertificate, reverseName, type Solver } from '@sluice/acme';
import type { ChallengeBoard } from '@sluice/tls-app';
import { ChallengeListeners } from './listen.ts';

/** Temporary servers with challenge certificates, keyed by server name. */
const listeners = new ChallengeListeners<SecureContext>((contexts) =>
  createServer(
    {
      ALPNProtocols: [acmeTlsProtocol],
      SNICallback: (name, done) => {
        const context = contexts.get(name.toLowerCase());
        if (context === undefined) done(new Error(`no ACME challenge is pending for ${name}`));
        else done(null, context);
      },
    },
    (socket) => socket.end(),
  ),
);

/**
 * Returns a solver that makes challenge certificates available to the TLS listeners. If none listens on the port, starts a temporary
 * server.
 */
export function tlsAlpnSolver(board: ChallengeBoard, host: string | null, port: number): Solver {
  return async ({ identifier, keyAuthorization }) => {
    const certificate = await challengeCertificate(identifier, keyAuthorization);
    const takeDown = await board.tlsAlpn(identifier.value, certificate);
    // For IP addresses, the CA sends the reverse DNS name as the SNI (RFC 8738 §6).
    const name = isIP(identifier.value) === 0 ? identifier.value : reverseName(identifier.value);
    const context = createSecureContext({ cert: certificate.chain, key: certificate.key });
    return listeners.serveWithBoard(takeDown, { host, port, name, entry: context });
  };
}
