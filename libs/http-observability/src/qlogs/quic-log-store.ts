/** QUIC log requests and the resulting logs. The control thread keeps them in bounded memory. */
import { guarded, SluiceError, taskOf } from '@sluice/base';
import { token, type Token } from '@sluice/registry';
import type { ThreadBus } from '@sluice/threads';
import { loggedTopic, logOrdersQuestion, logOrdersTopic, type LoggedRecords, type LogOrder } from './log-order.ts';

/** Maximum number of active log requests. `maxListed` is the maximum number of log requests in the list. */
const maxActive = 4;
const maxListed = 8;
/** Maximum number of logs. `maxBytes` is their maximum total size, in bytes. */
const maxLogs = 100;
const maxBytes = 32 * 1024 * 1024;

const task = taskOf('qlogs');

export interface LogRequest {
  readonly client: readonly string[];
  readonly count: number;
  readonly seconds: number;
}

/** A log request, as shown to API clients. */
export interface LogRequestStatus extends LogRequest {
  readonly id: string;
  readonly logged: number;
  readonly until: string;
  readonly state: 'waiting' | 'over';
}

/** A log, as shown to API clients. */
export interface LogStatus {
  readonly id: string;
  readonly request: string;
  readonly client: string;
  readonly begun: string;
  readonly bytes: number;
  readonly state: 'open' | 'closed';
  /** True if the log reached its maximum size and omits later events. */
  readonly truncated: boolean;
}

interface Order {
  readonly order: LogOrder;
  readonly seconds: number;
  readonly until: number;
  logged: number;
  /** Timer that ends the log request; `null` once the request has ended. */
  timer: NodeJS.Timeout | null;
}

interface Log {
  readonly id: string;
  readonly request: string;
  readonly client: string;
  readonly begun: number;
  readonly pieces: string[];
  bytes: number;
  closed: boolean;
  truncated: boolean;
}

export class QuicLogStore {
  readonly #bus: ThreadBus;
  readonly #orders = new Map<string, Order>();
  /** Logs by thread and connection, oldest first. */
  readonly #logs = new Map<string, Log>();
  #bytes = 0;
  #begun = 0;

  constructor(bus: ThreadBus) {
    this.#bus = bus;
    bus.onReport(
      loggedTopic,
      guarded(task, (records, thread) => this.#take(records, thread)),
    );
    bus.onAsk(logOrdersQuestion, () => this.#active());
  }

  begin({ client, count, seconds }: LogRequest): LogRequestStatus {
    if (this.#active().length >= maxActive)
      throw new SluiceError(
        'ERR_QLOGS',
        `too many active QUIC connection logs (limit: ${maxActive}); stop them with DELETE /qlogs`,
        {
          status: 409,
        },
      );
    const id = `q${++this.#begun}`;
    const timer = setTimeout(
      guarded(task, () => this.#end(order)),
      seconds * 1000,
    ).unref();
    const order: Order = {
      order: { id, client, count },
      seconds,
      until: Date.now() + seconds * 1000,
      logged: 0,
      timer,
    };
    this.#orders.set(id, order);
    for (const each of this.#orders.values())
      if (this.#orders.size > maxListed && each.timer === null) this.#orders.delete(each.order.id);
    this.#tellThreads();
    return statusOf(order);
  }

  requests(): LogRequestStatus[] {
    return [...this.#orders.values()].map(statusOf);
  }

  logs(): LogStatus[] {
    return [...this.#logs.values()].map(({ id, request, client, begun, bytes, closed, truncated }) => ({
      id,
      request,
      client,
      begun: new Date(begun).toISOString(),
      bytes,
      state: closed ? 'closed' : 'open',
      truncated,
    }));
  }

  /** Returns the records of a log. Returns `null` if the log doesn't exist. */
  text(id: string): string | null {
    for (const log of this.#logs.values()) if (log.id === id) return log.pieces.join('');
    return null;
  }

  /** Cancels all log requests and deletes all logs. Returns the number of deleted logs. */
  clear(): number {
    for (const order of this.#orders.values()) this.#end(order);
    this.#orders.clear();
    const dropped = this.#logs.size;
    this.#logs.clear();
    this.#bytes = 0;
    return dropped;
  }

  #take({ order: of, connection, client, records, closed, truncated }: LoggedRecords, thread: number): void {
    const key = `${thread} ${connection}`;
    let log = this.#logs.get(key);
    if (log === undefined) {
      const order = this.#orders.get(of);
      if (order === undefined || order.timer === null) return;
      log = {
        id: `${of}-${++order.logged}`,
        request: of,
        client,
        begun: Date.now(),
        pieces: [],
        bytes: 0,
        closed: false,
        truncated: false,
      };
      this.#logs.set(key, log);
      if (order.logged >= order.order.count) this.#end(order);
    }
    log.pieces.push(records);
    log.bytes += records.length;
    log.closed ||= closed;
    log.truncated ||= truncated;
    this.#bytes += records.length;
    for (const [oldest, { bytes }] of this.#logs) {
      if (this.#logs.size <= maxLogs && this.#bytes <= maxBytes) break;
      this.#logs.delete(oldest);
      this.#bytes -= bytes;
    }
  }

  #end(order: Order): void {
    if (order.timer === null) return;
    clearTimeout(order.timer);
    order.timer = null;
    this.#tellThreads();
  }

  #tellThreads(): void {
    this.#bus.broadcast(logOrdersTopic, this.#active());
  }

  #active(): LogOrder[] {
    return [...this.#orders.values()].filter(({ timer }) => timer !== null).map(({ order }) => order);
  }
}

function statusOf({ order, seconds, until, logged, timer }: Order): LogRequestStatus {
  const { id, client, count } = order;
  const state = timer === null ? 'over' : 'waiting';
  return { id, client, count, seconds, logged, until: new Date(until).toISOString(), state };
}

/** Service token of the server's QUIC logs: `server.service(quicLogStoreToken)`. */
export const quicLogStoreToken: Token<QuicLogStore> = token<QuicLogStore>('quic-log-store');
