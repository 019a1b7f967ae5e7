import { parseMessage, verifyMessage } from '../protocol/jws.ts';
import { readJwk, thumbprint } from '../protocol/jwk.ts';
import { problem } from '../protocol/problem.ts';
import type { AccountResource } from '../protocol/resources.ts';
import { newId } from './book.ts';
import { accountOf, isSameKey, type Call } from './call.ts';
import { jsonResponse, type ServerResponse } from './message.ts';
import type { AccountRecord } from './records.ts';

const maxContacts = 10;
const maxContactLength = 256;

/** Handles `POST /new-account`: creates an account, or returns the existing account for the key. */
export function newAccount(call: Call): Promise<ServerResponse> {
  const { book, jwk, payload } = call;
  return book.turns.take(`key ${thumbprint(jwk)}`, async () => {
    const existing = await book.accountOf(jwk);
    if (existing !== null) {
      if (existing.status !== 'valid') throw problem('unauthorized', 'account is deactivated', { status: 401 });
      return respond(call, existing, 200);
    }
    if (payload?.['onlyReturnExisting'] === true) throw problem('accountDoesNotExist', 'no account has this key');
    const contact = readContact(payload?.['contact'] ?? []);
    const account: AccountRecord = { id: newId(), jwk, status: 'valid', contact, created: Date.now() };
    await book.saveAccount(account);
    return respond(call, account, 201);
  });
}

/**
 * Handles `POST /account/<id>`: returns, updates, or deactivates an account. Also handles `POST /account/<id>/orders`, which lists the
 * account's orders.
 */
export async function account(call: Call): Promise<ServerResponse> {
  const { book, payload, segments, base } = call;
  const { id } = accountOf(call);
  if (segments[0] !== id)
    throw problem('unauthorized', 'message was signed by an account other than the account in the URL');
  if (segments[1] === 'orders') {
    const orders = await book.ordersOf(id);
    return jsonResponse(200, { orders: orders.map((order) => `${base}/order/${order}`) });
  }
  return book.turns.take(`account ${id}`, async () => {
    // A concurrent request may have changed the account after this request's signature was verified.
    const current = (await book.account(id)) ?? accountOf(call);
    const next = payload === null ? current : updated(current, payload);
    if (next !== current) await book.saveAccount(next);
    return respond(call, next, 200);
  });
}

/** Handles `POST /key-change` (RFC 8555 §7.3.5). The payload is a message signed with the new key. */
export async function keyChange(call: Call): Promise<ServerResponse> {
  const { book, base } = call;
  const { id } = accountOf(call);
  const inner = parseMessage(call.payload);
  if (inner.header.jwk === undefined) throw problem('malformed', 'inner message must be signed with jwk');
  if (inner.header.url !== `${base}/key-change`)
    throw problem('malformed', 'inner and outer messages have different URLs');
  const { jwk, key } = readJwk(inner.header.jwk);
  verifyMessage(inner, key);
  const change = JSON.parse(inner.payload.toString('utf8')) as {
    readonly account?: unknown;
    readonly oldKey?: unknown;
  };
  if (change.account !== `${base}/account/${id}`)
    throw problem('malformed', 'inner message refers to a different account than the signer');
  if (!isSameKey(readJwk(change.oldKey).jwk, call.jwk))
    throw problem('malformed', 'old key does not match the account');
  return book.turns.take(`key ${thumbprint(jwk)}`, () =>
    book.turns.take(`account ${id}`, async () => {
      const taken = await book.accountOf(jwk);
      if (taken !== null)
        throw problem('malformed', `new key already belongs to account ${base}/account/${taken.id}`, { status: 409 });
      const current = (await book.account(id)) ?? accountOf(call);
      const next: AccountRecord = { ...current, jwk };
      await book.saveAccount(next, current.jwk);
      return respond(call, next, 200);
    }),
  );
}

function updated(account: AccountRecord, payload: Readonly<Record<string, unknown>>): AccountRecord {
  const { status, contact } = payload;
  if (status === 'deactivated') return { ...account, status };
  if (status !== undefined && status !== account.status)
    throw problem('malformed', `account status can only be set to "deactivated", not ${JSON.stringify(status)}`);
  return contact === undefined ? account : { ...account, contact: readContact(contact) };
}

/**
 * Parses the contact URLs of an account. The server stores contacts but does not use them. RFC 8555 §7.3 requires the server to reject
 * values that are not URLs.
 */
function readContact(value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw problem('malformed', 'contact must be a list of URLs');
  if (value.length > maxContacts)
    throw problem('invalidContact', `too many contacts: ${value.length}, at most ${maxContacts} are allowed`);
  for (const each of value as unknown[])
    if (typeof each !== 'string' || each.length > maxContactLength || !/^[a-z][a-z0-9+.-]*:\S+$/i.test(each))
      throw problem(
        'invalidContact',
        `${JSON.stringify(each)} is not a URL; use a form such as "mailto:admin@example.com"`,
      );
  return value as readonly string[];
}

function respond({ base }: Call, { id, status, contact }: AccountRecord, code: number): ServerResponse {
  const location = `${base}/account/${id}`;
  const resource: AccountResource = { ...(contact.length > 0 && { contact }), status, orders: `${location}/orders` };
  return jsonResponse(code, resource, [['location', location]]);
}
