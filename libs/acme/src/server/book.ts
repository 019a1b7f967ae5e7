/**
 * The memory of an ACME server: accounts, orders and certificates of one authority in a store. Every change is one
 * atomic write of one value, in an order that leaves something usable wherever it is interrupted.
 */
import { randomBytes } from 'node:crypto';
import { thumbprint, type Jwk } from '../protocol/jwk.ts';
import { Nonces } from './nonces.ts';
import type { AccountRecord, CertificateRecord, OrderRecord } from './records.ts';
import { Turns } from './turns.ts';

/** Where values are kept, by keys with slashes; writes are atomic. A part of the server's storage contract. */
export interface RecordStore {
  load(key: string): Promise<Buffer | null>;
  store(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  list(prefix: string, recursive?: boolean): Promise<readonly string[]>;
}

/** Told of values that can't be read. */
export type ReportDamage = (key: string, error: unknown) => void;

/** How long an order is kept after it has expired, and a certificate after its end, in milliseconds. */
const kept = 30 * 86_400_000;

/** The records of one authority. All handlers on it share one book, also across changes of the configuration. */
export class Book {
  readonly nonces = new Nonces();
  /** Order of changes to one account or order. */
  readonly turns = new Turns();
  /** Challenges that are being validated, by their URL's path. */
  readonly validating = new Map<string, Promise<void>>();
  readonly #store: RecordStore;
  readonly #folder: string;
  readonly #damaged: ReportDamage;

  /** `folder` is the key below which everything is kept. */
  constructor(store: RecordStore, folder: string, damaged: ReportDamage) {
    this.#store = store;
    this.#folder = folder;
    this.#damaged = damaged;
  }

  /** An account by id. */
  account(id: string): Promise<AccountRecord | null> {
    return this.#load<AccountRecord>('accounts', id);
  }

  /** The account of a key. An index entry that a crash left behind leads to an account of another key, which is none. */
  async accountOf(jwk: Jwk): Promise<AccountRecord | null> {
    const print = thumbprint(jwk);
    const id = (await this.#store.load(`${this.#folder}/keys/${print}`))?.toString('utf8') ?? '';
    const account = await this.account(id);
    return account !== null && thumbprint(account.jwk) === print ? account : null;
  }

  /** Keeps an account that is new or has changed; `replaces` is the key that it had before, if that changed. */
  async saveAccount(account: AccountRecord, replaces: Jwk | null = null): Promise<void> {
    await this.#store.store(`${this.#folder}/keys/${thumbprint(account.jwk)}`, account.id);
    await this.#save('accounts', account.id, account);
    if (replaces !== null) await this.#store.delete(`${this.#folder}/keys/${thumbprint(replaces)}`);
  }

  /** An order of an account. */
  order(account: string, id: string): Promise<OrderRecord | null> {
    return this.#load<OrderRecord>(`orders/${account}`, id);
  }

  /** Keeps an order. */
  saveOrder(order: OrderRecord): Promise<void> {
    return this.#save(`orders/${order.account}`, order.id, order);
  }

  /** Ids of the orders of an account. */
  async ordersOf(account: string): Promise<readonly string[]> {
    const keys = await this.#store.list(`${this.#folder}/orders/${account}`);
    return keys.map((key) => key.slice(key.lastIndexOf('/') + 1).replace(/\.json$/, ''));
  }

  /** A certificate by id. */
  certificate(id: string): Promise<CertificateRecord | null> {
    return this.#load<CertificateRecord>('certificates', id);
  }

  /** Keeps a certificate. */
  saveCertificate(certificate: CertificateRecord): Promise<void> {
    return this.#save('certificates', certificate.id, certificate);
  }

  /** Removes orders and certificates that ended long ago. */
  async clean(now: number = Date.now()): Promise<void> {
    for (const kind of ['orders', 'certificates'] as const) {
      for (const key of await this.#store.list(`${this.#folder}/${kind}`, true)) {
        const record = await this.#read<{ readonly expires?: number; readonly notAfter?: number }>(key);
        if (record !== null && (record.expires ?? record.notAfter ?? now) + kept < now) await this.#store.delete(key);
      }
    }
  }

  async #load<T>(kind: string, id: string): Promise<T | null> {
    // Ids come from URLs.
    return /^[A-Za-z0-9]{1,64}$/.test(id) ? this.#read<T>(`${this.#folder}/${kind}/${id}.json`) : null;
  }

  /** A value that is not JSON is reported, and is as if it were not there. */
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

/** A new id: 32 letters and digits, 178 bits of chance at least. */
export function newId(): string {
  // 248 is a multiple of 62: every letter is as likely as another.
  let id = '';
  while (id.length < 32) for (const byte of randomBytes(40)) if (byte < 248 && id.length < 32) id += letters[byte % 62];
  return id;
}
