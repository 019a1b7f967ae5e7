/** ACME client accounts (RFC 8555 §7.3). */
import { createSecretKey, type KeyObject } from 'node:crypto';
import { AcmeError } from '../protocol/acme-error.ts';
import { bindExternalAccount } from '../protocol/jws.ts';
import { jwkOf } from '../protocol/jwk.ts';
import type { AccountResource } from '../protocol/resources.ts';
import { jsonOf, type Session } from './session.ts';

export interface Account {
  /** Account URL, sent as `kid` in signed requests. */
  readonly url: string;
  readonly key: KeyObject;
}

/** External account binding credentials issued by the CA (RFC 8555 §7.3.4). */
export interface ExternalAccount {
  readonly keyId: string;
  /** MAC key, base64url-encoded. CAs provide the key in this form. */
  readonly macKey: string;
}

export interface NewAccount {
  readonly key: KeyObject;
  /** Contact URLs of the account, such as `mailto:admin@example.com`. */
  readonly contact: readonly string[];
  readonly externalAccount: ExternalAccount | null;
}

export interface RegisteredAccount extends Account {
  readonly resource: AccountResource;
}

/** Creates an account, or returns the existing account for the key. Agrees to the CA's terms of service. */
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

/** Returns the account for a key. Rejects with a problem of type `accountDoesNotExist` if the CA has no such account. */
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
  // Some CAs encode the MAC key in standard base64, so convert the key to base64url.
  return createSecretKey(macKey.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, ''), 'base64url').export();
}
