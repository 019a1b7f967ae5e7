/** What is known of TLS on a connection whose handshake is complete. */
import type { TLSSocket } from 'node:tls';
import type { TlsInfo } from '@sluice/registry';
import { versionNames } from '../policies/parameters.ts';

/** Facts of one connection. `asksClients`: whether its policy asks clients for certificates. */
export function connectionInfo(socket: TLSSocket, asksClients: boolean): TlsInfo {
  const version = socket.getProtocol() ?? '';
  const name = (socket as { servername?: string | false | null }).servername;
  return {
    version: versionNames[version] ?? version,
    cipherSuite: socket.getCipher().standardName,
    resumed: socket.isSessionReused(),
    protocol: socket.alpnProtocol || '',
    serverName: name ? name : '',
    clientCertificate: asksClients ? (socket.getPeerX509Certificate()?.raw ?? null) : null,
    handshakeComplete: true,
  };
}
