/** The client's account (RFC 8555 §7.3). */
import { createSecretKey, type KeyObject } from 'node:crypto';
import { AcmeError } from '../protocol/acme-error.ts';
import { bindExternalAccount } from '../protocol/jws.ts';
import { jwkOf } from '../protocol/jwk.ts';
import type { AccountResource } from '../protocol/resources.ts';
import { jsonOf, type Session } from './session.ts';

/** An account that the server knows. */
export interface Account {
  /** What requests are signed as: the `kid`. */
  readonly url: string;
  readonly key: KeyObject;
}

/** A key that the CA gave outside of ACME (RFC 8555 §7.3.4). */
export interface ExternalAccount {
  readonly keyId: string;
  /** Base64url, as CAs give it. */
  readonly macKey: string;
}

/** An account to be made. */
export interface NewAccount {
  readonly key: KeyObject;
  /** URLs such as `mailto:…`. */
  readonly contact: readonly string[];
  readonly externalAccount: ExternalAccount | null;
}

/** An account with its resource. */
export interface RegisteredAccount extends Account {
  readonly resource: AccountResource;
}

/** Makes an account, or finds that of the key; agrees to the terms of service. */
export async function registerAccount(session: Session, wanted: NewAccount): Promise<RegisteredAccount> {
  const { key, contact, externalAccount } = wanted;
  const { newAccount, meta } = await session.directory();
  if (meta?.externalAccountRequired === true && externalAccount === null)
    throw new AcmeError('ERR_ACME_AUTHORITY', `${newAccount} requires external account binding; set external_account`);
  return askForAccount(session, key, {
    termsOfServiceAgreed: true,
    ...(contact.length > 0 && { contact }),
    ...(externalAccount !== null && {
      externalAccountBinding: bindExternalAccount(key, externalAccount.keyId, macKeyOf(externalAccount), newAccount),
    }),
  });
}

/** Finds the account of a key; a problem of type `accountDoesNotExist` if there is none. */
export function findAccount(session: Session, key: KeyObject): Promise<RegisteredAccount> {
  return askForAccount(session, key, { onlyReturnExisting: true });
}

async function askForAccount(session: Session, key: KeyObject, payload: object): Promise<RegisteredAccount> {
  const { newAccount } = await session.directory();
  const response = await session.post(newAccount, { key, signer: { jwk: jwkOf(key) } }, payload);
  const url = response.headers['location'];
  if (url === undefined) throw new AcmeError('ERR_ACME_AUTHORITY', `${newAccount} returned no account URL`);
  return { url, key, resource: jsonOf(response, newAccount) as AccountResource };
}

function macKeyOf({ macKey }: ExternalAccount): Buffer {
  // Some CAs give it as usual base64.
  return createSecretKey(macKey.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''), 'base64url').export();
}
