/** ACME requests with a verified signature (RFC 8555 §6). */
import { createPublicKey, type KeyObject } from 'node:crypto';
import { readJwk, thumbprint, type Jwk } from '../protocol/jwk.ts';
import { parseJson, parseMessage, verifyMessage, type ParsedMessage } from '../protocol/jws.ts';
import { problem } from '../protocol/problem.ts';
import type { Book } from './book.ts';
import type { ServerRequest } from './message.ts';
import type { AccountRecord } from './records.ts';
import type { ServerSettings } from './settings.ts';

/** Context of a request handler. */
export interface Call {
  readonly book: Book;
  readonly settings: ServerSettings;
  /** URL prefix of all ACME resources. */
  readonly base: string;
  /** URL path segments after the resource name. */
  readonly segments: readonly string[];
  /** Public key that signed the request. */
  readonly jwk: Jwk;
  /** Account that signed the request. `null` if the message contains a public key instead of an account URL. */
  readonly account: AccountRecord | null;
  /** Request payload. `null` for POST-as-GET (RFC 8555 §6.3). */
  readonly payload: Payload | null;
}

/** An unvalidated payload. */
export type Payload = Readonly<Record<string, unknown>>;

/** Signer identity types that a resource accepts (RFC 8555 §6.2): an account URL, a public key, or either. */
export type SignedBy = 'account' | 'key' | 'either';

/** Signature requirements of a resource. */
export interface CallTarget {
  readonly segments: readonly string[];
  readonly signedBy: SignedBy;
}

/** Verifies a request and consumes its nonce. Throws a problem if the request is invalid. */
export async function readCall(
  request: ServerRequest,
  { segments, signedBy }: CallTarget,
  book: Book,
  settings: ServerSettings,
): Promise<Call> {
  if (mediaType(request.contentType) !== 'application/jose+json')
    throw problem('malformed', 'content type must be application/jose+json', { status: 415 });
  const message = parseMessage(parseJson(Buffer.from(request.body), 'the message'));
  const { header } = message;
  if (header.url !== request.base + request.path)
    throw problem('malformed', `message was signed for ${header.url}, but sent to ${request.base + request.path}`);
  // Check the nonce before expensive operations, but consume it only after verifying the signature.
  if (!book.nonces.isFresh(header.nonce ?? '')) throw badNonce();
  if (signedBy === 'key' && header.jwk === undefined)
    throw problem('malformed', 'this request must be signed with jwk');
  if (signedBy === 'account' && header.kid === undefined)
    throw problem('malformed', 'this request must be signed with kid, the account URL');
  const { jwk, key, account } = await signerOf(message, request.base, book);
  verifyMessage(message, key);
  if (!book.nonces.take(header.nonce ?? '')) throw badNonce();
  return { book, settings, base: request.base, segments, jwk, account, payload: readPayload(message.payload) };
}

export function accountOf({ account }: Call): AccountRecord {
  if (account === null) throw problem('malformed', 'this request must be signed with kid, the account URL');
  return account;
}

export function isSameKey(a: Jwk, b: Jwk): boolean {
  return thumbprint(a) === thumbprint(b);
}

interface Signer {
  readonly jwk: Jwk;
  readonly key: KeyObject;
  readonly account: AccountRecord | null;
}

async function signerOf({ header }: ParsedMessage, base: string, book: Book): Promise<Signer> {
  if (header.jwk !== undefined) return { ...readJwk(header.jwk), account: null };
  const kid = header.kid ?? '';
  const prefix = `${base}/account/`;
  const account = kid.startsWith(prefix) ? await book.account(kid.slice(prefix.length)) : null;
  if (account === null) throw problem('accountDoesNotExist', `account ${kid} does not exist`);
  if (account.status !== 'valid') throw problem('unauthorized', 'account is deactivated', { status: 401 });
  return { jwk: account.jwk, key: createPublicKey({ key: account.jwk, format: 'jwk' }), account };
}

function readPayload(payload: Buffer): Payload | null {
  if (payload.length === 0) return null;
  const value = parseJson(payload, 'the payload');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw problem('malformed', 'payload must be a JSON object');
  return value as Payload;
}

function badNonce(): Error {
  return problem(
    'badNonce',
    'nonce was already used, has expired, or was not issued by this server; retry with the nonce in this response',
  );
}

function mediaType(contentType: string | null): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
