/** A request with a verified signature (RFC 8555 §6). */
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
  /** Prefix of all URLs. */
  readonly base: string;
  /** Path segments after the resource name. */
  readonly segments: readonly string[];
  /** Public key of the signer. */
  readonly jwk: Jwk;
  /** Account of the signer; `null` if the message contains its key. */
  readonly account: AccountRecord | null;
  /** Payload; `null` for POST-as-GET (RFC 8555 §6.3). */
  readonly payload: Payload | null;
}

/** An unvalidated payload. */
export type Payload = Readonly<Record<string, unknown>>;

/** Required form of signature (RFC 8555 §6.2). */
export type SignedBy = 'account' | 'key' | 'either';

/** Requirements of the requested resource. */
export interface CallTarget {
  readonly segments: readonly string[];
  readonly signedBy: SignedBy;
}

/** Verifies a request, consumes its nonce, and returns the call. Throws a problem if the request is invalid. */
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
  // The nonce is checked before expensive operations, and consumed after the signature check.
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

/** Reports whether two keys are equal. */
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
    'nonce was already used, has expired, or was not issued by this server; retry with the nonce of this response',
  );
}

function mediaType(contentType: string | null): string {
  return (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}
