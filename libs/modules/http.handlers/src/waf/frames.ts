/** Frames exchanged by a worker thread and the WAF engine. `tools/waf-engine/session.go` implements the other side. */
import { Buffer } from 'node:buffer';
import { encodeBytes } from '@sluice/base';

export const requestHead = 1;
export const requestBody = 2;
export const requestEnd = 3;
export const responseHead = 4;
export const responseBody = 5;
export const responseEnd = 6;
export const transactionOver = 7;

/** Result of a WAF inspection. */
export interface Verdict {
  /** True if the engine must inspect more of the body. */
  readonly body?: boolean;
  /** Disruptive action of the WAF rule that matched, such as `deny`. */
  readonly action?: string;
  readonly status?: number;
  readonly rule?: number;
  /** Phase of the WAF rule that matched, from 1 to 5. */
  readonly phase?: number;
  readonly data?: string;
  /** Error message of the WAF engine. */
  readonly error?: string;
}

/** Encodes a frame: remaining length, transaction, kind, payload. */
export function encodeFrame(transaction: number, kind: number, payload: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(9 + payload.length);
  frame.writeUInt32LE(5 + payload.length, 0);
  frame.writeUInt32LE(transaction, 4);
  frame[8] = kind;
  payload.copy(frame, 9);
  return frame;
}

/**
 * Encodes a request or response head as metadata, followed by field names and values. The metadata is JSON. A length precedes the metadata,
 * each name and each value. Fields are encoded as bytes, because they may not be valid UTF-8.
 */
export function encodeHead(facts: object, fields: Iterable<readonly [string, string]>): Buffer {
  const parts: Buffer[] = [];
  const add = (bytes: Buffer): void => {
    const length = Buffer.allocUnsafe(4);
    length.writeUInt32LE(bytes.length);
    parts.push(length, bytes);
  };
  add(Buffer.from(JSON.stringify(facts)));
  for (const [name, value] of fields) {
    add(encodeBytes(name));
    add(encodeBytes(value));
  }
  return Buffer.concat(parts);
}

/** Decodes the engine's verdicts from a byte stream. */
export class VerdictDecoder {
  readonly #onVerdict: (transaction: number, verdict: Verdict) => void;
  #rest: Buffer = Buffer.alloc(0);

  constructor(onVerdict: (transaction: number, verdict: Verdict) => void) {
    this.#onVerdict = onVerdict;
  }

  push(piece: Buffer): void {
    let bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    while (bytes.length >= 4) {
      const end = 4 + bytes.readUInt32LE(0);
      if (bytes.length < end) break;
      this.#onVerdict(bytes.readUInt32LE(4), JSON.parse(bytes.toString('utf8', 8, end)) as Verdict);
      bytes = bytes.subarray(end);
    }
    this.#rest = Buffer.from(bytes);
  }
}
