/**
 * Upstreams discovered at request time. Only the traffic threads that discovered them have the lists. The control thread requests the lists
 * for the admin API.
 */
import { question, threadBusToken, type ThreadBus } from '@sluice/threads';
import type { Context } from '@sluice/registry';
import { detailedStatus, type DetailedStatus } from './upstream-status.ts';
import type { UpstreamTable } from './upstream-table.ts';

const foundUpstreams = question<null, readonly DetailedStatus[]>('http.handlers.reverse_proxy.found-upstreams');

/** Collects discovered upstreams. There is one instance per registry. */
export class FoundUpstreams {
  readonly #table: UpstreamTable;
  #bus: ThreadBus | null = null;
  /** Number of proxies with dynamic upstreams. While this number is 0, no requests are sent to threads. */
  #proxies = 0;

  constructor(table: UpstreamTable) {
    this.#table = table;
  }

  /** Registers a proxy with dynamic upstreams in this thread. */
  join(context: Context): void {
    const bus = context.find(threadBusToken);
    // If one thread has both roles, its upstream table already contains the discovered upstreams.
    if (bus === undefined || (context.roles.control && context.roles.traffic)) return;
    if (context.roles.traffic) {
      context.onDispose(bus.onGather(foundUpstreams, () => this.#ours()));
      return;
    }
    this.#bus = bus;
    this.#proxies++;
    context.onDispose(() => void this.#proxies--);
  }

  /** Collects the upstreams that the traffic threads have discovered. Call only in the control thread. */
  async gather(): Promise<DetailedStatus[]> {
    if (this.#bus === null || this.#proxies === 0) return [];
    return (await this.#bus.gather(foundUpstreams, null)).flat();
  }

  /** Returns the upstreams that this thread has discovered. */
  #ours(): DetailedStatus[] {
    return [...this.#table.hosts()].flatMap((host) => {
      const upstreams = this.#table.upstreamsOf(host.address).filter(({ user }) => user.finds);
      return upstreams.length === 0 ? [] : [detailedStatus(host, upstreams, ({ user }) => user.where)];
    });
  }
}
