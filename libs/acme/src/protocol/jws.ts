/** Signed ACME messages (RFC 8555 §6.2). A message is a flattened JWS without an unprotected header. */
import { createHmac, sign, timingSafeEqual, verify, type KeyObject } from 'node:crypto';
import { AcmeError } from './acme-error.ts';
import { jwkOf, type Jwk } from './jwk.ts';
import { problem } from './problem.ts';

export interface SignedMessage {
  readonly protected: string;
  readonly payload: string;
  readonly signature: string;
}

/** Protected JWS header. Contains exactly one of `jwk` and `kid`. */
export interface ProtectedHeader {
  readonly alg: string;
  readonly url: string;
  readonly nonce?: string;
  readonly jwk?: unknown;
  readonly kid?: string;
}

/** A syntactically valid message whose signature has not been verified yet. */
export interface ParsedMessage {
  readonly header: ProtectedHeader;
  readonly payload: Buffer;
  readonly message: SignedMessage;
}

interface Algorithm {
  readonly name: string;
  /** Hash algorithm of the signature. `null` for Ed25519, which hashes internally. */
  readonly hash: string | null;
}

const byCurve: Readonly<Record<string, Algorithm>> = {
  prime256v1: { name: 'ES256', hash: 'sha256' },
  secp384r1: { name: 'ES384', hash: 'sha384' },
  secp521r1: { name: 'ES512', hash: 'sha512' },
};
const rsa: Algorithm = { name: 'RS256', hash: 'sha256' };
const ed25519: Algorithm = { name: 'EdDSA', hash: null };

/** Signature algorithms that the server supports. A `badSignatureAlgorithm` problem lists these algorithms. */
const signatureAlgorithms: readonly string[] = ['ES256', 'ES384', 'ES512', 'EdDSA', 'RS256'];

/** Returns the signature algorithm for a key, or `null` if ACME does not support this type of key. */
function algorithmOf(key: KeyObject): Algorithm | null {
  switch (key.asymmetricKeyType) {
    case 'ec':
      return byCurve[key.asymmetricKeyDetails?.namedCurve ?? ''] ?? null;
    case 'rsa':
      return rsa;
    case 'ed25519':
      return ed25519;
    default:
      return null;
  }
}

/** Identity of the signer: an account URL (`kid`) or a public key (`jwk`). */
export type Signer = { readonly kid: string } | { readonly jwk: Jwk };

/** Signs a message that will be sent to `url`. If `payload` is `null`, the message is a POST-as-GET (RFC 8555 §6.3). */
export function signMessage(
  key: KeyObject,
  signer: Signer,
  header: { readonly url: string; readonly nonce?: string },
  payload: object | null,
): SignedMessage {
  const algorithm = algorithmOf(key);
  if (algorithm === null) throw new AcmeError('ERR_ACME_AUTHORITY', 'key type of the account is not supported by ACME');
  const fields = encode({ alg: algorithm.name, ...signer, ...header });
  const body = payload === null ? '' : encode(payload);
  const input = Buffer.from(`${fields}.${body}`);
  const signature = sign(algorithm.hash, input, { key, dsaEncoding: 'ieee-p1363' });
  return { protected: fields, payload: body, signature: signature.toString('base64url') };
}

/** Creates an external account binding (RFC 8555 §7.3.4). The binding is the account key, signed with the MAC key from the CA. */
export function bindExternalAccount(accountKey: KeyObject, keyId: string, hmac: Buffer, url: string): SignedMessage {
  const fields = encode({ alg: 'HS256', kid: keyId, url });
  const payload = encode(jwkOf(accountKey));
  return { protected: fields, payload, signature: hmacOf(hmac, `${fields}.${payload}`).toString('base64url') };
}

/** Reports whether a message has a valid HMAC for a shared key. */
export function verifyHmac({ message }: ParsedMessage, hmac: Buffer): boolean {
  const expected = hmacOf(hmac, `${message.protected}.${message.payload}`);
  const given = Buffer.from(message.signature, 'base64url');
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function hmacOf(key: Buffer, input: string): Buffer {
  return createHmac('sha256', key).update(input).digest();
}

/** Parses a signed message. Throws a problem of type `malformed` if the message is invalid. */
export function parseMessage(value: unknown): ParsedMessage {
  const message = value as Partial<SignedMessage> | null;
  if (typeof message !== 'object' || message === null) throw problem('malformed', 'message must be a JSON object');
  for (const name of Object.keys(message))
    if (name !== 'protected' && name !== 'payload' && name !== 'signature')
      throw problem(
        'malformed',
        `a signed message must contain only protected, payload and signature, not ${JSON.stringify(name)}`,
      );
  const { protected: fields, payload, signature } = message;
  if (!isEncoded(fields) || !isEncoded(payload) || !isEncoded(signature))
    throw problem('malformed', 'protected, payload and signature must be base64url strings without padding');
  const header = parseJson(decode(fields), 'protected header') as ProtectedHeader | null;
  if (typeof header !== 'object' || header === null) throw problem('malformed', 'protected header must be an object');
  if ('crit' in header) throw problem('malformed', 'protected header has an unsupported critical extension');
  if (typeof header.alg !== 'string') throw problem('malformed', 'protected header has no alg');
  if (typeof header.url !== 'string') throw problem('malformed', 'protected header has no url');
  if ((header.kid === undefined) === (header.jwk === undefined))
    throw problem('malformed', 'protected header must have either jwk or kid');
  if (header.kid !== undefined && typeof header.kid !== 'string') throw problem('malformed', 'kid must be a string');
  return { header, payload: decode(payload), message: { protected: fields, payload, signature } };
}

/** Verifies the signature of a message. Throws a problem if the signature is invalid or its algorithm does not match the key. */
export function verifyMessage({ header, message }: ParsedMessage, key: KeyObject): void {
  const algorithm = algorithmOf(key);
  if (!signatureAlgorithms.includes(header.alg))
    throw problem('badSignatureAlgorithm', `algorithm ${JSON.stringify(header.alg)} is not supported`, {
      algorithms: signatureAlgorithms,
    });
  if (algorithm === null) throw problem('badPublicKey', 'key type is not supported');
  if (algorithm.name !== header.alg)
    throw problem('badSignatureAlgorithm', `key requires algorithm ${algorithm.name}, not ${header.alg}`, {
      algorithms: [algorithm.name],
    });
  const input = Buffer.from(`${message.protected}.${message.payload}`);
  const signature = Buffer.from(message.signature, 'base64url');
  if (!verify(algorithm.hash, input, { key, dsaEncoding: 'ieee-p1363' }, signature))
    throw problem('malformed', 'signature does not match the key');
}

/** Parses JSON sent by a client. `what` describes the input in error messages. */
export function parseJson(text: Buffer, what: string): unknown {
  try {
    return JSON.parse(text.toString('utf8')) as unknown;
  } catch (error) {
    throw problem('malformed', `${what} is not valid JSON: ${(error as Error).message}`);
  }
}

function isEncoded(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9_-]*$/.test(value);
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decode(text: string): Buffer {
  return Buffer.from(text, 'base64url');
}
