/** QUIC versions and their differences (RFC 9000, RFC 9369 §3). */

/** Version-specific constants. */
export interface Version {
  readonly number: number;
  /** Salt for deriving Initial secrets (RFC 9001 §5.2, RFC 9369 §3.3.1). */
  readonly initialSalt: Buffer;
  /** Prefix of key derivation labels (RFC 9001 §5.1, RFC 9369 §3.3.2). */
  readonly labelPrefix: string;
  readonly retryKey: Buffer;
  readonly retryNonce: Buffer;
  /** Type bits in the long header for each {@link packetType}. */
  readonly typeBits: readonly [initial: number, zeroRtt: number, handshake: number, retry: number];
}

/** Types of packets with a long header, independent of version-specific type bits. */
export const packetType = { initial: 0, zeroRtt: 1, handshake: 2, retry: 3 } as const;

export const version1: Version = {
  number: 0x1,
  initialSalt: Buffer.from('38762cf7f55934b34d179ae6a4c80cadccbb7f0a', 'hex'),
  labelPrefix: 'quic',
  retryKey: Buffer.from('be0c690b9f66575a1d766b54e368c84e', 'hex'),
  retryNonce: Buffer.from('461599d35d632bf2239825bb', 'hex'),
  typeBits: [0, 1, 2, 3],
};

export const version2: Version = {
  number: 0x6b3343cf,
  initialSalt: Buffer.from('0dede3def700a6db819381be6e269dcbf9bd2ed9', 'hex'),
  labelPrefix: 'quicv2',
  retryKey: Buffer.from('8fb4b01b56ac48e260fbcbcead7ccc92', 'hex'),
  retryNonce: Buffer.from('d86969bc2d7c6d9990efb04a', 'hex'),
  typeBits: [1, 2, 3, 0],
};

/** Supported QUIC versions, most preferred first. */
export const versions: readonly Version[] = [version1, version2];

/** Returns a QUIC version by its number, or `null` if it is not supported. */
export function versionOf(number: number): Version | null {
  if (number === version1.number) return version1;
  return number === version2.number ? version2 : null;
}
