/** Error codes of HTTP/3 (RFC 9114 §8.1) and QPACK (RFC 9204 §6). */
export const h3Error = {
  datagramError: 0x33,
  noError: 0x100,
  generalProtocolError: 0x101,
  internalError: 0x102,
  streamCreationError: 0x103,
  closedCriticalStream: 0x104,
  frameUnexpected: 0x105,
  frameError: 0x106,
  excessiveLoad: 0x107,
  idError: 0x108,
  settingsError: 0x109,
  missingSettings: 0x10a,
  requestRejected: 0x10b,
  requestCancelled: 0x10c,
  requestIncomplete: 0x10d,
  messageError: 0x10e,
  connectError: 0x10f,
  versionFallback: 0x110,
  qpackDecompressionFailed: 0x200,
  qpackEncoderStreamError: 0x201,
  qpackDecoderStreamError: 0x202,
} as const;

const brand = Symbol.for('sluice.http3-error');

/** A connection error, thrown while processing input from the peer. */
export class Http3Error extends Error {
  override readonly name = 'Http3Error';
  readonly [brand] = true;
  /** Error code; see {@link h3Error}. */
  readonly code: number;

  constructor(code: number, reason: string) {
    super(reason);
    this.code = code;
  }
}

/** Reports whether an error is an {@link Http3Error}, even one from another loaded copy of this package. */
export function isHttp3Error(error: unknown): error is Http3Error {
  return typeof error === 'object' && error !== null && brand in error;
}
