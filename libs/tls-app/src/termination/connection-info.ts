/** What is known of TLS on a connection whose handshake is complete. */
import type { TLSSocket } from 'node:tls';
import type { TlsInfo } from '@sluice/contracts';
import { clientProblem } from '../client-auth/verify-error.ts';
import { versionNames } from '../policies/parameters.ts';

/**
 * Facts of one connection. `serverName` is that of the ClientHello: OpenSSL does not know it when a session of TLS 1.2 is
 * resumed. `asksClients`: whether its policy asks clients for certificates.
 */
export function connectionInfo(socket: TLSSocket, serverName: string, asksClients: boolean): TlsInfo {
  const certificate = asksClients ? socket.getPeerX509Certificate() : undefined;
  const version = socket.getProtocol() ?? '';
  return {
    version: versionNames[version] ?? version,
    cipherSuite: socket.getCipher().standardName,
    resumed: socket.isSessionReused(),
    protocol: socket.alpnProtocol || '',
    serverName,
    clientCertificate: certificate?.raw ?? null,
    clientProblem: certificate === undefined ? null : clientProblem(socket, certificate),
    handshakeComplete: true,
  };
}
