/** What is known of TLS on a connection whose handshake is complete. */
import type { TLSSocket } from 'node:tls';
import type { TlsInfo } from '@sluice/registry';
import { versionNames } from '../policies/parameters.ts';

/** Facts of one connection. */
export class ConnectionTls implements TlsInfo {
  readonly version: string;
  readonly cipherSuite: string;
  readonly resumed: boolean;
  readonly protocol: string;
  readonly serverName: string;
  readonly clientCertificate: Buffer | null;
  readonly handshakeComplete: boolean;

  constructor(socket: TLSSocket, asksClients: boolean) {
    const version = socket.getProtocol() ?? '';
    this.version = versionNames[version] ?? version;
    this.cipherSuite = socket.getCipher().standardName;
    this.resumed = socket.isSessionReused();
    this.protocol = socket.alpnProtocol || '';
    const name = (socket as { servername?: string | false | null }).servername;
    this.serverName = name ? name : '';
    this.clientCertificate = asksClients ? (socket.getPeerX509Certificate()?.raw ?? null) : null;
    this.handshakeComplete = true;
  }
}
