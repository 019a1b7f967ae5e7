/** Calls to the primary of a Redis: one endpoint after the other until one takes them. A call is one script, made as a whole or not at all. */
import type { Redis } from 'ioredis';
import { guarded, messageOf, taskOf, unawaited } from '@sluice/base';
import type { StoreFaults } from '../faults.ts';
import { Hints } from '../hints.ts';
import { careOf, isPrimary, type RedisCare } from './care.ts';
import { endClient, openClient, type RedisAddress } from './client.ts';
import { isElsewhere, isLoss, isRefusal } from './replies.ts';

const owner = taskOf('sluice.store-clients');

/** What a script returns. */
export type RedisReply = string | number | null | readonly RedisReply[];

/** A script with its keys and arguments. It may be run twice. */
export interface RedisCall {
  readonly script: string;
  readonly keys: readonly string[];
  readonly values: readonly (string | number | Buffer)[];
}

/** Opened when it is first needed, and again after it was lost. */
export class RedisConnection {
  readonly #address: RedisAddress;
  readonly #faults: StoreFaults;
  /** Whether what can lose acknowledged writes is refused. */
  readonly #strict: boolean;
  #current = 0;
  #client: Promise<Redis> | null = null;
  #subscriber: Promise<Redis> | null = null;
  readonly #hints = new Hints();
  /** Ends both connections. */
  #life = new AbortController();
  #care: RedisCare | null = null;
  #closed = false;

  constructor(address: RedisAddress, faults: StoreFaults, strict: boolean) {
    this.#address = address;
    this.#faults = faults;
    this.#strict = strict;
  }

  /** What the server does for what it has acknowledged; `null` until one was reached. */
  get care(): RedisCare | null {
    return this.#care;
  }

  /** Runs a script; rejects with the fault `refused`. For those that change nothing that matters. */
  async run(call: RedisCall): Promise<RedisReply> {
    const { error, reply } = await this.#attempt(call);
    if (error === null) return reply;
    throw this.#faults.refused(`redis: ${messageOf(error)}`, error);
  }

  /** Runs a script whose result matters; rejects with the fault `unknown` where it may have been run, or may still be. */
  async decide(call: RedisCall): Promise<RedisReply> {
    const { error, reply, uncertain } = await this.#attempt(call);
    if (error === null) return reply;
    throw uncertain ? this.#faults.unknown(error) : this.#faults.refused(`redis: ${messageOf(error)}`, error);
  }

  /** Calls back when something was published on a channel. A hint: what is published while there is no connection is lost. */
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
    // Each endpoint once, and one more where a connection was there and is lost: it may have been so for a while.
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
        const forgiven = client !== null && !again && isLoss(error);
        if (forgiven) again = true;
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
    if (this.#closed) throw this.#faults.refused('the store was closed');
    const client = await openClient(this.#address, this.#endpoint, this.#life.signal);
    try {
      await this.#examine(client);
    } catch (error) {
      endClient(client);
      throw error;
    }
    for (const channel of this.#hints.channels) unawaited(owner, this.#listen(channel));
    return client;
  }

  /** Whether a server takes writes, and keeps them. */
  async #examine(client: Redis): Promise<void> {
    const info = await client.info();
    if (!isPrimary(info)) throw this.#faults.refused(`${this.#endpoint} is a replica`);
    const settings = await client.config('GET', 'appendfsync').catch(() => []);
    const care = careOf(info, (settings as readonly string[])[1]);
    if (this.#strict && care.losses.length > 0)
      throw this.#faults.refused(
        `${this.#endpoint} may lose acknowledged writes: ${care.losses.join(', ')}; or set accept_loss: true`,
      );
    this.#care = care;
  }

  get #endpoint(): string {
    return this.#address.endpoints[this.#current] as string;
  }

  async #listen(channel: string): Promise<void> {
    const subscriber = (this.#subscriber ??= this.#openSubscriber());
    try {
      await (await subscriber).subscribe(channel);
      this.#hints.notify(channel); // Of what was published before.
    } catch {
      // Who listens looks by itself now and then; a new connection subscribes again.
      if (this.#subscriber === subscriber) this.#subscriber = null;
    }
  }

  #openSubscriber(): Promise<Redis> {
    const opened: Promise<Redis> = openClient(this.#address, this.#endpoint, this.#life.signal).then((client) => {
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

  /** Where it is not one that was dropped, the connection for calls may be well, and will not open another: it is done here. */
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

  /** Ends the connections; the next call makes new ones. */
  #drop(): void {
    this.#life.abort();
    this.#life = new AbortController();
    this.#client = null;
    this.#subscriber = null;
  }
}

/** What came of a call; `uncertain` if a server may have run it without saying so. */
interface Attempt {
  readonly reply: RedisReply;
  readonly error: unknown;
  readonly uncertain: boolean;
}
