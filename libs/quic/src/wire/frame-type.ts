/** QUIC frame types (RFC 9000 §19, RFC 9221 §4). */
export const frameType = {
  padding: 0x00,
  ping: 0x01,
  ack: 0x02,
  ackEcn: 0x03,
  resetStream: 0x04,
  stopSending: 0x05,
  crypto: 0x06,
  newToken: 0x07,
  /** First STREAM frame type. Types up to 0x0f contain the bits of {@link streamBit}. */
  stream: 0x08,
  maxData: 0x10,
  maxStreamData: 0x11,
  maxStreamsBidi: 0x12,
  maxStreamsUni: 0x13,
  dataBlocked: 0x14,
  streamDataBlocked: 0x15,
  streamsBlockedBidi: 0x16,
  streamsBlockedUni: 0x17,
  newConnectionId: 0x18,
  retireConnectionId: 0x19,
  pathChallenge: 0x1a,
  pathResponse: 0x1b,
  close: 0x1c,
  closeApplication: 0x1d,
  handshakeDone: 0x1e,
  datagram: 0x30,
  datagramWithLength: 0x31,
} as const;

/** Bits in the type of a STREAM frame (RFC 9000 §19.8). */
export const streamBit = { fin: 0x01, length: 0x02, offset: 0x04 } as const;
