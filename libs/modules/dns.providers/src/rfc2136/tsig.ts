/** Transaction signatures for DNS messages (TSIG, RFC 8945). */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { SluiceError } from '@sluice/base';
import { encodeName } from './wire.ts';

/** A shared key. */
export interface TsigKey {
  /** Name of the key, in lowercase and without a trailing dot. */
  readonly name: string;
  readonly algorithm: TsigAlgorithm;
  readonly secret: Buffer;
}

export interface TsigAlgorithm {
  readonly name: string;
  readonly hash: string;
}

const tsigType = 250;
const anyClass = 255;
/** Maximum clock difference between this server and the name server, in seconds. */
const fudge = 300;

const algorithms: ReadonlyMap<string, TsigAlgorithm> = new Map([
  ['hmac-md5', { name: 'hmac-md5.sig-alg.reg.int', hash: 'md5' }],
  ['hmac-md5.sig-alg.reg.int', { name: 'hmac-md5.sig-alg.reg.int', hash: 'md5' }],
  ...['sha1', 'sha224', 'sha256', 'sha384', 'sha512'].map(
    (hash) => [`hmac-${hash}`, { name: `hmac-${hash}`, hash }] as const,
  ),
]);

export const algorithmNames: readonly string[] = [...algorithms.keys()].filter((name) => !name.includes('.'));

/** Finds a TSIG algorithm by name, with or without a trailing dot. */
export function findAlgorithm(name: string): TsigAlgorithm | undefined {
  return algorithms.get(name.trim().toLowerCase().replace(/\.$/, ''));
}

/** Descriptions of TSIG error codes (RFC 8945 §3). */
const errors: Readonly<Record<number, string>> = {
  16: 'BADSIG: the key does not match',
  17: 'BADKEY: the key is unknown to the server',
  18: 'BADTIME: the clocks of client and server differ',
  22: 'BADTRUNC: the signature is too short',
};

/** A signed message with its signature. The signature is needed to verify the response. */
export interface SignedMessage {
  readonly message: Buffer;
  readonly mac: Buffer;
}

/** Signs a message that contains no additional records (RFC 8945 §5.1). `now` is in seconds since the Unix epoch. */
export function sign(message: Buffer, key: TsigKey, now: number): SignedMessage {
  const time = time48(now);
  const mac = createHmac(key.algorithm.hash, key.secret)
    .update(message)
    .update(variables(key, time, Buffer.alloc(0), 0))
    .digest();
  const data = Buffer.concat([
    encodeName(key.algorithm.name),
    time,
    uint16(fudge),
    uint16(mac.length),
    mac,
    message.subarray(0, 2),
    uint16(0),
    uint16(0),
  ]);
  const record = Buffer.concat([
    encodeName(key.name),
    uint16(tsigType),
    uint16(anyClass),
    Buffer.alloc(4),
    uint16(data.length),
    data,
  ]);
  const signed = Buffer.concat([message, record]);
  signed.writeUInt16BE(message.readUInt16BE(10) + 1, 10);
  return { message: signed, mac };
}

/**
 * Verifies response messages in the order in which they arrive. Only the first and last messages are required to be signed (RFC 8945
 * §5.3.1).
 */
export class ResponseVerifier {
  readonly #key: TsigKey;
  #prior: Buffer;
  #first = true;
  #unsigned: Buffer[] = [];

  /** `mac` is the signature (MAC) of the request. */
  constructor(key: TsigKey, mac: Buffer) {
    this.#key = key;
    this.#prior = mac;
  }

  /** True if messages received since the last signature have not been verified yet. */
  get pending(): boolean {
    return this.#unsigned.length > 0;
  }

  /** Verifies a response message. `now` is in seconds since the Unix epoch. */
  verify(message: Buffer, now: number): void {
    const found = signatureIn(message);
    if (found === null) {
      if (this.#first) throw refusal('the response is not signed');
      this.#unsigned.push(message);
      return;
    }
    const { at, time, mac, originalId, error, other } = found;
    if (error !== 0) throw refusal(errors[error] ?? `signature error ${error}`);
    const stripped = Buffer.from(message.subarray(0, at));
    originalId.copy(stripped, 0);
    stripped.writeUInt16BE(message.readUInt16BE(10) - 1, 10);
    const hash = createHmac(this.#key.algorithm.hash, this.#key.secret);
    hash.update(uint16(this.#prior.length)).update(this.#prior);
    for (const each of this.#unsigned) hash.update(each);
    hash.update(stripped);
    hash.update(this.#first ? variables(this.#key, time, other, error) : Buffer.concat([time, uint16(found.fudge)]));
    const expected = hash.digest();
    if (mac.length !== expected.length || !timingSafeEqual(mac, expected))
      throw refusal('the signature of the response is invalid');
    if (Math.abs(time.readUIntBE(0, 6) - now) > found.fudge) throw refusal(errors[18] ?? '');
    this.#prior = mac;
    this.#first = false;
    this.#unsigned = [];
  }
}

interface Signature {
  /** Offset of the TSIG record in the message. */
  readonly at: number;
  readonly time: Buffer;
  readonly fudge: number;
  readonly mac: Buffer;
  readonly originalId: Buffer;
  readonly error: number;
  readonly other: Buffer;
}

/** Returns the TSIG record, which is the last record in a message. Returns `null` if the message is unsigned. */
function signatureIn(message: Buffer): Signature | null {
  const count = (index: number): number => message.readUInt16BE(4 + 2 * index);
  if (count(3) === 0) return null;
  let at = 12;
  for (let question = 0; question < count(0); question++) at = afterName(message, at) + 4;
  for (let record = count(1) + count(2) + count(3); record > 1; record--) at = afterRecord(message, at);
  const fields = afterName(message, at);
  if (message.readUInt16BE(fields) !== tsigType) return null;
  let offset = afterName(message, fields + 10);
  const take = (length: number): Buffer => message.subarray(offset, (offset += length));
  const time = take(6);
  const permitted = take(2).readUInt16BE();
  const mac = take(take(2).readUInt16BE());
  const originalId = take(2);
  const error = take(2).readUInt16BE();
  const other = take(take(2).readUInt16BE());
  return { at, time, fudge: permitted, mac, originalId, error, other };
}

function afterName(message: Buffer, start: number): number {
  let at = start;
  for (;;) {
    const length = message.readUInt8(at);
    if (length === 0) return at + 1;
    if (length >= 0xc0) return at + 2;
    at += length + 1;
  }
}

function afterRecord(message: Buffer, start: number): number {
  const fields = afterName(message, start);
  return fields + 10 + message.readUInt16BE(fields + 8);
}

/** Returns the TSIG variables, which the signature covers in addition to the message (RFC 8945 §4.3.3). */
function variables(key: TsigKey, time: Buffer, other: Buffer, error: number): Buffer {
  return Buffer.concat([
    encodeName(key.name),
    uint16(anyClass),
    Buffer.alloc(4),
    encodeName(key.algorithm.name),
    time,
    uint16(fudge),
    uint16(error),
    uint16(other.length),
    other,
  ]);
}

function uint16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff]);
}

function time48(now: number): Buffer {
  const time = Buffer.alloc(6);
  time.writeUIntBE(now, 0, 6);
  return time;
}

function refusal(reason: string): SluiceError {
  return new SluiceError('ERR_DNS_PROVIDER', `rfc2136: ${reason}`);
}
