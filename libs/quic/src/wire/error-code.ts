/** QUIC connection error codes (RFC 9000 §20.1). */

export const transportError = {
  noError: 0x0,
  internalError: 0x1,
  connectionRefused: 0x2,
  flowControlError: 0x3,
  streamLimitError: 0x4,
  streamStateError: 0x5,
  finalSizeError: 0x6,
  frameEncodingError: 0x7,
  transportParameterError: 0x8,
  connectionIdLimitError: 0x9,
  protocolViolation: 0xa,
  invalidToken: 0xb,
  applicationError: 0xc,
  cryptoBufferExceeded: 0xd,
  keyUpdateError: 0xe,
  aeadLimitReached: 0xf,
  noViablePath: 0x10,
  /** Error code of version negotiation (RFC 9368 §4). */
  versionNegotiationError: 0x11,
  /** Base of the error codes for TLS alerts (RFC 9001 §4.8). */
  cryptoError: 0x100,
} as const;

const brand = Symbol.for('sluice.quic-error');

/** A connection error, thrown while processing input from the peer. It is caught where the datagram is read. */
export class QuicError extends Error {
  override readonly name = 'QuicError';
  readonly [brand] = true;
  /** Transport or application error code. */
  readonly code: number;
  /** Type of the frame that caused the error (RFC 9000 §19.19); 0 if unknown. */
  readonly frameType: number;
  /** True if `code` is an application error code (RFC 9000 §20.2). */
  readonly application: boolean;

  constructor(code: number, reason: string, { frameType = 0, application = false } = {}) {
    super(reason);
    this.code = code;
    this.frameType = frameType;
    this.application = application;
  }
}

/** Reports whether an error is a {@link QuicError}, even one from another loaded copy of this package. */
export function isQuicError(error: unknown): error is QuicError {
  return typeof error === 'object' && error !== null && brand in error;
}
