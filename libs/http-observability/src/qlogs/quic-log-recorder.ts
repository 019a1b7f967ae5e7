/** Logs a thread's QUIC connections. If no log is requested, connections incur no overhead. */
import { compileRanges, guarded, taskOf, unawaited, type IpMatcher } from '@sluice/base';
import type { QuicLogs } from '@sluice/http-app';
import type { ConnectionLog, Qlog } from '@sluice/quic';
import type { ThreadBus } from '@sluice/threads';
import { loggedTopic, logOrdersQuestion, logOrdersTopic, maxLogBytes, type LogOrder } from './log-order.ts';

const task = taskOf('qlogs');
/** Maximum delay before records are sent to the control thread, in milliseconds. */
const flushInterval = 200;

interface ActiveOrder {
  readonly order: LogOrder;
  readonly matches: IpMatcher | null;
  left: number;
}

export class QuicLogRecorder implements QuicLogs {
  readonly #bus: ThreadBus;
  #orders: readonly ActiveOrder[] = [];
  #make: typeof Qlog | null = null;
  #asked = false;
  #begun = 0;

  constructor(bus: ThreadBus) {
    this.#bus = bus;
    bus.onBroadcast(
      logOrdersTopic,
      guarded(task, (orders) => unawaited(task, this.#take(orders))),
    );
  }

  begin(client: string, destination: Buffer): ConnectionLog | null {
    if (!this.#asked) this.#ask();
    const active = this.#orders.find(({ left, matches }) => left > 0 && (matches === null || matches(client)));
    if (active === undefined || this.#make === null) return null;
    active.left -= 1;
    this.#begun += 1;
    return new RecordedConnection(this.#make, this.#bus, {
      order: active.order.id,
      connection: this.#begun,
      client,
      group: destination.toString('hex'),
    }).log;
  }

  /**
   * Fetches the active log requests from the control thread. A replacement worker continues the log requests of the worker that it
   * replaces.
   */
  #ask(): void {
    this.#asked = true;
    unawaited(
      task,
      this.#bus.ask(logOrdersQuestion, null).then(
        (orders) => this.#take(orders),
        () => undefined,
      ),
    );
  }

  async #take(orders: readonly LogOrder[]): Promise<void> {
    this.#asked = true;
    if (orders.length > 0) this.#make ??= (await import('@sluice/quic')).Qlog;
    const before = this.#orders;
    this.#orders = orders.map(
      (order) =>
        before.find((each) => each.order.id === order.id) ?? {
          order,
          matches: order.client.length === 0 ? null : compileRanges([...order.client]),
          left: order.count,
        },
    );
  }
}

interface ConnectionFacts {
  readonly order: string;
  readonly connection: number;
  readonly client: string;
  readonly group: string;
}

/** Buffers the qlog records of a connection and sends them to the control thread. */
class RecordedConnection {
  readonly log: Qlog;
  readonly #bus: ThreadBus;
  readonly #facts: ConnectionFacts;
  #records = '';
  #timer: NodeJS.Timeout | null = null;

  constructor(make: typeof Qlog, bus: ThreadBus, facts: ConnectionFacts) {
    this.#bus = bus;
    this.#facts = facts;
    this.log = new make({
      isServer: true,
      group: facts.group,
      maxBytes: maxLogBytes,
      write: (records) => this.#write(records),
      onEnd: () => this.#flush(true),
    });
  }

  #write(records: string): void {
    this.#records += records;
    this.#timer ??= setTimeout(
      guarded(task, () => this.#flush(false)),
      flushInterval,
    ).unref();
  }

  #flush(closed: boolean): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    const { order, connection, client } = this.#facts;
    const records = this.#records;
    this.#records = '';
    this.#bus.report(loggedTopic, {
      order,
      connection,
      client,
      records,
      closed,
      truncated: this.log.truncated,
    });
  }
}
