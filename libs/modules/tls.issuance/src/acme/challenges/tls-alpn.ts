/** `tls-alpn-01`: served by the TLS listeners of the configuration, or by one for the time of the challenge. */
import { isIP } from 'node:net';
import { createSecureContext, createServer, type SecureContext } from 'node:tls';
import { acmeTlsProtocol, challengeCertificate, reverseName, type Solver } from '@sluice/acme';
import type { ChallengeBoard } from '@sluice/tls-app';
import { ChallengeListeners } from './listen.ts';

/** Certificates by the server name that they are asked for with. */
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

/** Puts certificates up at the board, and listens at the port if no one does. */
export function tlsAlpnSolver(board: ChallengeBoard, host: string | null, port: number): Solver {
  return async ({ identifier, keyAuthorization }) => {
    const certificate = await challengeCertificate(identifier, keyAuthorization);
    const takeDown = await board.tlsAlpn(identifier.value, certificate);
    // RFC 8738 §6: addresses are asked for by their name in the reverse tree.
    const name = isIP(identifier.value) === 0 ? identifier.value : reverseName(identifier.value);
    const context = createSecureContext({ cert: certificate.chain, key: certificate.key });
    return listeners.serveBeside(takeDown, { host, port, name, entry: context });
  };
}
