/** Sample connection properties for tests that need at most a few of them. */
import type { TlsInfo } from '@sluice/contracts';

/** TLS properties of a connection without a client certificate. */
export const sampleTls: TlsInfo = {
  version: 'tls1.3',
  cipherSuite: 'TLS_AES_128_GCM_SHA256',
  resumed: false,
  protocol: 'h2',
  serverName: 'a.test',
  clientCertificate: null,
  clientProblem: null,
  handshakeComplete: true,
};
