/** Stand-in values for unknown request properties. A result is unknown if two different sets of stand-in values lead to different results. */

export interface StandIns {
  /** Client IP address from a documentation network (RFC 5737), and a port. */
  readonly client: string;
  readonly clientPort: number;
  readonly serverAddress: string;
  readonly random: number;
  /** Offset from the current time, in milliseconds. */
  readonly time: number;
  /** Text that is repeated to fill the length of the body. */
  readonly body: string;
  readonly tlsVersion: string;
  readonly cipherSuite: string;
  readonly isResumed: boolean;
  /** Stand-in for values recorded as `REDACTED`. `null` leaves such values unchanged. */
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

/** A second set of stand-in values for the same facts. Every part of an address, time, or number differs from the first set. */
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
  hidden: 'REDACTED (different value)',
};
