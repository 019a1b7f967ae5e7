/** Values that stand for facts that are not known. What differs between the results of two such sets is not known either. */

export interface StandIns {
  /** Address and port of the client; of a network that is for documentation (RFC 5737). */
  readonly client: string;
  readonly clientPort: number;
  readonly serverAddress: string;
  readonly random: number;
  /** Milliseconds from now. */
  readonly time: number;
  /** Repeated as often as the length of the body says. */
  readonly body: string;
  readonly tlsVersion: string;
  readonly cipherSuite: string;
  readonly isResumed: boolean;
  /** Stands for values that were recorded as `REDACTED`; `null`: they stand for themselves. */
  readonly hidden: string | null;
}

export const standIns: StandIns = {
  client: '192.0.2.1',
  clientPort: 0,
  serverAddress: '127.0.0.1',
  random: 0,
  time: 0,
  body: 'x',
  tlsVersion: 'tls1.3',
  cipherSuite: 'TLS_AES_128_GCM_SHA256',
  isResumed: false,
  hidden: null,
};

/** The same facts with other values: no part of an address, a time or a number is the same. */
export const otherStandIns: StandIns = {
  client: '203.10.113.77',
  clientPort: 54_321,
  serverAddress: '198.51.100.9',
  random: 0.987_654,
  time: 8_888_888_888,
  body: 'y',
  tlsVersion: 'tls1.2',
  cipherSuite: 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
  isResumed: true,
  hidden: 'REDACTED differently',
};
