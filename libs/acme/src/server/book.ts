/**
 * Persistent state of an ACME server: accounts, orders, and certificates of one CA. Every change is a single atomic write. Because of the
 * write order, the data stays consistent if a change is interrupted at any point.
 */
import { randomBytes } from 'node:crypto';
import { thumbprint, type Jwk } from '../protocol/jwk.ts';
import { Nonces } from './nonces.ts';
import type { AccountRecord, CertificateRecord, OrderRecord } from './records.ts';
import { Turns } from './turns.ts';

/** Key-value store with atomic writes. A subset of the server's storage interface. */
export interface RecordStore {
  load(key: string): Promise<Buffer | null>;
  store(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  list(prefix: string, recursive?: boolean): Promise<readonly string[]>;
}

/** Callback invoked for stored values that cannot be read. */
export type ReportDamage = (key: string, error: unknown) => void;

/** Retention period for expired orders and certificates, in milliseconds. */
const kept = 30 * 86_400_000;

/** Stored records of one CA. All handlers of the CA share one instance, even after a configuration reload. */
export class Book {
  readonly nonces = new Nonces();
  /** Serializes changes to each account and to each order. */
  readonly turns = new Turns();
  /** Validations in progress, keyed by URL path. */
  readonly validating = new Map<string, Promise<void>>();
  readonly #store: RecordStore;
  readonly #folder: string;
  readonly #damaged: ReportDamage;

  /** `folder` is the key prefix of all records. */
  constructor(store: RecordStore, folder: string, damaged: ReportDamage) {
    this.#store = store;
    this.#folder = folder;
    this.#damaged = damaged;
  }

  account(id: string): Promise<AccountRecord | null> {
    return this.#load<AccountRecord>('accounts', id);
  }

  /**
   * Returns the account for a key. After a crash, the key index may refer to an account with a different key. Such index entries are
   * ignored.
   */
  async accountOf(jwk: Jwk): Promise<AccountRecord | null> {
    const print = thumbprint(jwk);
    const id = (await this.#store.load(`${this.#folder}/keys/${print}`))?.toString('utf8') ?? '';
    const account = await this.account(id);
    return account !== null && thumbprint(account.jwk) === print ? account : null;
  }

  /** Stores a new or changed account. `replaces` is the previous account key, if the key changed. */
  async saveAccount(account: AccountRecord, replaces: Jwk | null = null): Promise<void> {
    await this.#store.store(`${this.#folder}/keys/${thumbprint(account.jwk)}`, account.id);
    await this.#save('accounts', account.id, account);
    if (replaces !== null) await this.#store.delete(`${this.#folder}/keys/${thumbprint(replaces)}`);
  }

  order(account: string, id: string): Promise<OrderRecord | null> {
    return this.#load<OrderRecord>(`orders/${account}`, id);
  }

  saveOrder(order: OrderRecord): Promise<void> {
    return this.#save(`orders/${order.account}`, order.id, order);
  }

  async ordersOf(account: string): Promise<readonly string[]> {
    const keys = await this.#store.list(`${this.#folder}/orders/${account}`);
    return keys.map((key) => key.slice(key.lastIndexOf('/') + 1).replace(/\.json$/, ''));
  }

  certificate(id: string): Promise<CertificateRecord | null> {
    return this.#load<CertificateRecord>('certificates', id);
  }

  saveCertificate(certificate: CertificateRecord): Promise<void> {
    return this.#save('certificates', certificate.id, certificate);
  }

  /** Removes orders and certificates whose retention period after expiration has passed. */
  async clean(now: number = Date.now()): Promise<void> {
    for (const kind of ['orders', 'certificates'] as const) {
      for (const key of await this.#store.list(`${this.#folder}/${kind}`, true)) {
        const record = await this.#read<{ readonly expires?: number; readonly notAfter?: number }>(key);
        if (record !== null && (record.expires ?? record.notAfter ?? now) + kept < now) await this.#store.delete(key);
      }
    }
  }

  async #load<T>(kind: string, id: string): Promise<T | null> {
    // Validate IDs, because they come from URLs.
    return /^[A-Za-z0-9]{1,64}$/.test(id) ? this.#read<T>(`${this.#folder}/${kind}/${id}.json`) : null;
  }

  /** Reads a record. If the stored value is not valid JSON, reports the error and treats the record as missing. */
  async #read<T>(key: string): Promise<T | null> {
    const value = await this.#store.load(key);
    if (value === null) return null;
    try {
      return JSON.parse(value.toString('utf8')) as T;
    } catch (error) {
      this.#damaged(key, error);
      return null;
    }
  }

  #save(kind: string, id: string, record: object): Promise<void> {
    return this.#store.store(`${this.#folder}/${kind}/${id}.json`, JSON.stringify(record));
  }
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Returns a new random ID: 32 letters and digits, with at least 178 bits of entropy. */
export function newId(): string {
  // Reject byte values of 248 and above. Because 248 is a multiple of 62, all characters are equally likely.
  let id = '';
  while (id.length < 32) for (const byte of randomBytes(40)) if (byte < 248 && id.length < 32) id += letters[byte % 62];
  return id;
}
