/** A lease in etcd: a key that lives as long as it is kept alive. The revision that made the key is the fence. */
import { once } from 'node:events';
import { guarded, taskOf } from '@sluice/base';
import type { EtcdConnection } from './connection.ts';
import { missing, put, type LeaseResponse, type TxnResponse } from './messages.ts';

const owner = taskOf('sluice.store-clients');

/** What is asked for. */
export interface LeaseRequest {
  readonly name: string;
  /** The key, and its value, that are there for as long as the lease lasts. */
  readonly key: string;
  readonly value: string;
  readonly seconds: number;
}

/** What etcd granted. */
interface Granted {
  readonly name: string;
  readonly key: string;
  /** etcd's id of the lease. */
  readonly id: string;
  /** etcd's revision in which the key was made. */
  readonly created: string;
  /** How long it lasts, in milliseconds, and since when at least, by the monotonic clock. */
  readonly span: number;
  readonly asked: number;
}

/** Keeps itself alive, three times in its span. */
export class EtcdLease {
  readonly name: string;
  readonly key: string;
  readonly id: string;
  readonly created: string;
  readonly #connection: EtcdConnection;
  readonly #span: number;
  readonly #lost = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #forget: (lease: EtcdLease) => void;
  #until: number;
  #asking = false;

  /** Takes a lease; `null` while another has the key. `forget` is called once it is over, or given back. */
  static async take(
    connection: EtcdConnection,
    { name, key, value, seconds }: LeaseRequest,
    forget: (lease: EtcdLease) => void,
  ): Promise<EtcdLease | null> {
    const asked = performance.now();
    const { ID: id, TTL } = await connection.call<LeaseResponse>('Lease', 'LeaseGrant', { TTL: seconds, ID: '0' });
    const { succeeded, header } = await connection.call<TxnResponse>('KV', 'Txn', {
      compare: [missing(key)],
      success: [put(key, value, id)],
      failure: [],
    });
    const granted = { name, key, id, created: header.revision, span: Number(TTL) * 1000, asked };
    if (succeeded) return new EtcdLease(connection, granted, forget);
    await connection.call('Lease', 'LeaseRevoke', { ID: id });
    return null;
  }

  private constructor(connection: EtcdConnection, granted: Granted, forget: (lease: EtcdLease) => void) {
    this.name = granted.name;
    this.key = granted.key;
    this.id = granted.id;
    this.created = granted.created;
    this.#connection = connection;
    this.#forget = forget;
    this.#span = granted.span;
    this.#until = granted.asked + granted.span;
    this.#timer = setInterval(
      guarded(owner, () => this.#tick()),
      granted.span / 3,
    ).unref();
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  async release(): Promise<void> {
    this.#forget(this);
    clearInterval(this.#timer);
    // It ends by itself where etcd does not hear of this.
    await this.#connection.call('Lease', 'LeaseRevoke', { ID: this.id }).catch(() => undefined);
  }

  #tick(): void {
    if (performance.now() >= this.#until) this.#end();
    else if (!this.#asking) void this.#renew();
  }

  async #renew(): Promise<void> {
    this.#asking = true;
    const asked = performance.now();
    try {
      const left = await this.#ask();
      if (left <= 0) this.#end();
      else this.#until = asked + this.#span;
    } catch {
      this.#connection.turn(); // Another node may know; until the lease is over there is time.
    } finally {
      this.#asking = false;
    }
  }

  /** How many seconds the lease lasts from now on; 0 if it is over. */
  async #ask(): Promise<number> {
    const stream = await this.#connection.stream<LeaseResponse>('Lease', 'LeaseKeepAlive');
    stream.write({ ID: this.id });
    try {
      const signal = AbortSignal.timeout(Math.ceil(this.#span / 3));
      const [response] = (await once(stream, 'data', { signal })) as [LeaseResponse];
      return Number(response.TTL);
    } finally {
      stream.on('error', () => undefined); // That of the cancellation.
      stream.cancel();
    }
  }

  #end(): void {
    clearInterval(this.#timer);
    this.#forget(this);
    this.#lost.abort();
  }
}
