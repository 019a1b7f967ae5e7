/** An etcd lease: a key that exists while its owner renews the lease. The creation revision of the key is the fencing token. */
import { once } from 'node:events';
import { guarded, taskOf } from '@sluice/base';
import type { EtcdConnection } from './connection.ts';
import { missing, put, type LeaseResponse, type TxnResponse } from './messages.ts';

const owner = taskOf('sluice.store-clients');

export interface LeaseRequest {
  readonly name: string;
  /** Key and value of the lease. */
  readonly key: string;
  readonly value: string;
  readonly seconds: number;
}

interface Granted {
  readonly name: string;
  readonly key: string;
  readonly id: string;
  /** Revision in which the lease key was created. */
  readonly created: string;
  /** Duration of the lease in milliseconds, and its earliest possible start on the monotonic clock. */
  readonly span: number;
  readonly asked: number;
}

/** A lease that renews itself three times per duration. */
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

  /** Acquires a lease. Returns `null` if another owner holds the key. Calls `forget` when the lease expires or is released. */
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
    // Ignore errors, because the lease expires even if etcd doesn't receive the request.
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
      this.#connection.turn(); // Try another node next; there is time until the lease expires.
    } finally {
      this.#asking = false;
    }
  }

  /** Renews the lease. Returns the remaining time in seconds, or 0 if the lease has expired. */
  async #ask(): Promise<number> {
    const stream = await this.#connection.stream<LeaseResponse>('Lease', 'LeaseKeepAlive');
    stream.write({ ID: this.id });
    try {
      const signal = AbortSignal.timeout(Math.ceil(this.#span / 3));
      const [response] = (await once(stream, 'data', { signal })) as [LeaseResponse];
      return Number(response.TTL);
    } finally {
      stream.on('error', () => undefined); // Ignores the error that cancellation causes.
      stream.cancel();
    }
  }

  #end(): void {
    clearInterval(this.#timer);
    this.#forget(this);
    this.#lost.abort();
  }
}
