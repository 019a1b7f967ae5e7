/** TLS properties of a connection, available after the handshake. */
import type { TLSSocket } from 'node:tls';
import type { TlsInfo } from '@sluice/contracts';
import type { StreamSession } from '@sluice/native';
import { problemOf } from '../client-auth/native-client.ts';
import { clientProblem } from '../client-auth/verify-error.ts';
import { versionNames } from '../policies/parameters.ts';

/**
 * Returns the TLS properties of a connection. `serverName` comes from the ClientHello, because OpenSSL loses the name for resumed TLS 1.2
 * sessions. `asksClients` is true if the policy requests client certificates.
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

const tls13 = 0x0304;

/** Returns the TLS properties of a connection that uses the OpenSSL bindings. `certificate` is the client certificate. */
export function nativeConnectionInfo(session: StreamSession, serverName: string, certificate: Buffer | null): TlsInfo {
  return {
    version: session.version === tls13 ? 'tls1.3' : 'tls1.2',
    cipherSuite: session.suiteName,
    resumed: session.resumed,
    protocol: session.protocol,
    serverName,
    clientCertificate: certificate,
    clientProblem: certificate === null ? null : problemOf(session, certificate),
    handshakeComplete: true,
  };
}
