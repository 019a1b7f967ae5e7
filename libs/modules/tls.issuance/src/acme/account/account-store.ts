/** Stores ACME accounts in the certificate storage. There is one account per CA and email address. */
import { createPrivateKey, generateKeyPair, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { findAccount, registerAccount, type Account, type RegisteredAccount, type Session } from '@sluice/acme';
import { type Logger } from '@sluice/base';
import { writeUnder, type StorageLock } from '@sluice/contracts';
import type { AcmeSettings } from '../settings.ts';
import { accountKeyOf } from '../folder.ts';

export type AccountSettings = Pick<AcmeSettings, 'accountKey' | 'email' | 'externalAccount' | 'storage'>;

/** Store for the ACME account at one CA. */
export class AccountStore {
  readonly #settings: AccountSettings;
  readonly #log: Logger;
  readonly #ca: string;
  readonly #key: string;

  constructor(ca: string, settings: AccountSettings, log: Logger) {
    this.#ca = ca;
    this.#key = accountKeyOf(ca, settings.email);
    this.#settings = settings;
    this.#log = log;
  }

  /** Returns the stored ACME account, or registers a new account. */
  async account(session: Session): Promise<Account> {
    const { accountKey } = this.#settings;
    if (accountKey !== null) return findAccount(session, accountKey);
    return (
      (await this.#load()) ??
      this.#exclusively(async (lock) => (await this.#load()) ?? this.#registerAccount(session, lock))
    );
  }

  /**
   * If the CA has lost the account, registers it again with the same key. Returns `null` if the account still exists, or if the
   * configuration contains the account key.
   */
  async registerAgain(session: Session, { url, key }: Account): Promise<Account | null> {
    if (this.#settings.accountKey !== null) return null;
    const known = await findAccount(session, key).catch(() => null);
    if (known?.url === url) return null;
    this.#log.warn('ACME account no longer exists at the CA; registering a new account', { ca: this.#ca });
    return this.#exclusively((lock) => this.#registerAccount(session, lock));
  }

  /** Loads the stored account if both its document and its key exist. Reports unreadable parts and treats them as missing. */
  async #load(): Promise<Account | null> {
    const key = await this.#loadKey();
    const resource = key === null ? null : await this.#settings.storage.load(`${this.#key}.json`);
    if (key === null || resource === null) return null;
    try {
      const { location } = JSON.parse(resource.toString('utf8')) as { readonly location?: unknown };
      if (typeof location === 'string' && URL.canParse(location)) return { url: location, key };
      throw new Error('the account response has no Location header field');
    } catch (error) {
      this.#reportProblem('.json', error);
      return null;
    }
  }

  async #loadKey(): Promise<KeyObject | null> {
    const text = await this.#settings.storage.load(`${this.#key}.key`);
    if (text === null) return null;
    try {
      return createPrivateKey(text);
    } catch (error) {
      this.#reportProblem('.key', error);
      return null;
    }
  }

  /** Store the key before registration. After an interrupted registration, the CA finds the same account by its key. */
  async #registerAccount(session: Session, lock: StorageLock): Promise<Account> {
    const { storage, email, externalAccount } = this.#settings;
    const key = (await this.#loadKey()) ?? (await this.#newKey(lock));
    const contact = email === '' ? [] : [`mailto:${email}`];
    const account = await registerAccount(session, { key, contact, externalAccount });
    await writeUnder(lock, storage, `${this.#key}.json`, documentOf(account));
    this.#log.info('registered ACME account at the CA', { ca: this.#ca, account: account.url });
    return account;
  }

  async #newKey(lock: StorageLock): Promise<KeyObject> {
    const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: 'P-256' });
    const text = privateKey.export({ type: 'sec1', format: 'pem' });
    await writeUnder(lock, this.#settings.storage, `${this.#key}.key`, text);
    return privateKey;
  }

  async #exclusively<T>(task: (lock: StorageLock) => Promise<T>): Promise<T> {
    const lock = await this.#settings.storage.lock(`account_${this.#key}`);
    try {
      return await task(lock);
    } finally {
      await lock.release();
    }
  }

  #reportProblem(end: string, error: unknown): void {
    this.#log.error('stored ACME account is unusable; creating a new one', {
      key: `${this.#key}${end}`,
      error,
    });
  }
}

/** Returns the stored document of an account, in Caddy's format. */
function documentOf({ url, resource }: RegisteredAccount): string {
  const { status, contact, orders } = resource;
  const known = {
    status,
    ...(contact !== undefined && { contact }),
    termsOfServiceAgreed: true,
    ...(orders !== undefined && { orders }),
    location: url,
  };
  return JSON.stringify(known, null, '\t');
}
