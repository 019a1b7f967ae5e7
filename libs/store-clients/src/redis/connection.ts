/**
 * Connection to a Redis primary. A call may try several endpoints one after another. Each call is one script, which Redis executes
 * atomically.
 */
import type { Redis } from 'ioredis';
import { guarded, messageOf, taskOf, unawaited, itemAt } from '@sluice/base';
import type { StoreFaults } from '../faults.ts';
import { Hints } from '../hints.ts';
import { durabilityOf, isPrimary, type RedisDurability } from './durability.ts';
import { endClient, openClient, type RedisAddress } from './client.ts';
import { isElsewhere, isLoss, isRefusal } from './replies.ts';

const owner = taskOf('sluice.store-clients');

export type RedisReply = string | number | null | readonly RedisReply[];

/** An idempotent script with its keys and arguments. */
export interface RedisCall {
  readonly script: string;
  readonly keys: readonly string[];
  readonly values: readonly (string | number | Buffer)[];
}

/** Connection that is opened on first use and reopened after a failure. */
export class RedisConnection {
  readonly #address: RedisAddress;
  readonly #faults: StoreFaults;
  /** True to reject servers that may lose acknowledged writes. */
  readonly #strict: boolean;
  #current = 0;
  #client: Promise<Redis> | null = null;
  #subscriber: Promise<Redis> | null = null;
  readonly #hints = new Hints();
  #abort = new AbortController();
  #durability: RedisDurability | null = null;
  #closed = false;

  constructor(address: RedisAddress, faults: StoreFaults, strict: boolean) {
    this.#address = address;
    this.#faults = faults;
    this.#strict = strict;
  }

  /** Durability guarantees of the server; `null` before the first connection. */
  get durability(): RedisDurability | null {
    return this.#durability;
  }

  /** Runs a script when the caller need not know whether it took effect, such as a read. Rejects with the fault `refused`. */
  async run(call: RedisCall): Promise<RedisReply> {
    const { error, reply } = await this.#attempt(call);
    if (error === null) return reply;
    throw this.#faults.refused(`redis: ${messageOf(error)}`, error);
  }

  /**
   * Runs a script when the caller must know whether it took effect. Rejects with the fault `unknown` if the script may have been executed,
   * or may still be executed.
   */
  async decide(call: RedisCall): Promise<RedisReply> {
    const { error, reply, uncertain } = await this.#attempt(call);
    if (error === null) return reply;
    throw uncertain ? this.#faults.unknown(error) : this.#faults.refused(`redis: ${messageOf(error)}`, error);
  }

  /** Subscribes to a channel. Notifications are only hints: those published while the client is disconnected are lost. */
  subscribe(channel: string, listener: () => void): () => void {
    const end = this.#hints.listen(channel, listener);
    unawaited(owner, this.#listen(channel));
    return end;
  }

  close(): void {
    this.#closed = true;
    this.#drop();
  }

  async #attempt({ script, keys, values }: RedisCall): Promise<Attempt> {
    let uncertain = false;
    let again = false;
    let left = this.#address.endpoints.length;
    // Try each endpoint once, and one more time if an existing connection turns out to be lost.
    for (;;) {
      const pending = this.#open();
      let client: Redis | null = null;
      try {
        client = await pending;
        const reply = (await client.eval(script, keys.length, ...keys, ...values)) as RedisReply;
        return { reply, error: null, uncertain };
      } catch (error) {
        const refused = isRefusal(error);
        uncertain ||= client !== null && !refused;
        if (refused && !isElsewhere(error)) return { reply: null, error, uncertain };
        if (this.#client === pending) this.#turn();
        const retried = client !== null && !again && isLoss(error);
        if (retried) again = true;
        else left--;
        if (left === 0) return { reply: null, error, uncertain };
      }
    }
  }

  #open(): Promise<Redis> {
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect(): Promise<Redis> {
    if (this.#closed) throw this.#faults.refused('the store is closed');
    const client = await openClient(this.#address, this.#endpoint, this.#abort.signal);
    try {
      await this.#examine(client);
    } catch (error) {
      endClient(client);
      throw error;
    }
    for (const channel of this.#hints.channels) unawaited(owner, this.#listen(channel));
    return client;
  }

  /** Checks that a server accepts writes and stores them durably. */
  async #examine(client: Redis): Promise<void> {
    const info = await client.info();
    if (!isPrimary(info)) throw this.#faults.refused(`${this.#endpoint} is a replica, which does not accept writes`);
    const settings = await client.config('GET', 'appendfsync').catch(() => []);
    const durability = durabilityOf(info, (settings as readonly string[])[1]);
    if (this.#strict && durability.losses.length > 0)
      throw this.#faults.refused(
        `${this.#endpoint} may lose acknowledged writes: ${durability.losses.join(', ')}; to accept this, set accept_loss: true`,
      );
    this.#durability = durability;
  }

  get #endpoint(): string {
    return itemAt(this.#address.endpoints, this.#current);
  }

  async #listen(channel: string): Promise<void> {
    const subscriber = (this.#subscriber ??= this.#openSubscriber());
    try {
      await (await subscriber).subscribe(channel);
      this.#hints.notify(channel); // Subscribers may have missed earlier notifications.
    } catch {
      // Subscribers also poll, so a failure is tolerable. A new connection subscribes again.
      if (this.#subscriber === subscriber) this.#subscriber = null;
    }
  }

  #openSubscriber(): Promise<Redis> {
    const opened: Promise<Redis> = openClient(this.#address, this.#endpoint, this.#abort.signal).then((client) => {
      client.on(
        'message',
        guarded(owner, (channel: string) => this.#hints.notify(channel)),
      );
      client.on(
        'end',
        guarded(owner, () => this.#subscriberLost(opened)),
      );
      return client;
    });
    return opened;
  }

  /**
   * Reconnects a lost subscriber, unless it was closed deliberately. The connection for calls may be intact, so no other code would
   * reconnect it.
   */
  #subscriberLost(subscriber: Promise<Redis>): void {
    if (this.#closed) return;
    const again = this.#subscriber === subscriber;
    if (again) this.#subscriber = null;
    this.#hints.notifyAll();
    if (again) for (const channel of this.#hints.channels) unawaited(owner, this.#listen(channel));
  }

  #turn(): void {
    this.#drop();
    this.#current = (this.#current + 1) % this.#address.endpoints.length;
  }

  #drop(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#client = null;
    this.#subscriber = null;
  }
}

/** Result of a call. `uncertain` is true if a server may have executed the call without responding. */
interface Attempt {
  readonly reply: RedisReply;
  readonly error: unknown;
  readonly uncertain: boolean;
}
