/** Facts of connections for tests that care for one of them at most. */
import type { TlsInfo } from '@sluice/contracts';

/** TLS of a client that shows no certificate. */
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
