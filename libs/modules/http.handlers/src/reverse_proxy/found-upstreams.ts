/** Upstreams discovered at request time, which only traffic threads know. The control thread requests them for the admin API. */
import { question, threadBusToken, type ThreadBus } from '@sluice/threads';
import type { Context } from '@sluice/registry';
import { detailedStatus, type DetailedStatus } from './upstream-status.ts';
import type { UpstreamTable } from './upstream-table.ts';

const foundUpstreams = question<null, readonly DetailedStatus[]>('http.handlers.reverse_proxy.found-upstreams');

/** Discovered upstreams. One instance per registry. */
export class FoundUpstreams {
  readonly #table: UpstreamTable;
  #bus: ThreadBus | null = null;
  /** Number of proxies with dynamic upstreams. Without any, threads are not asked. */
  #proxies = 0;

  constructor(table: UpstreamTable) {
    this.#table = table;
  }

  /** Registers a proxy with dynamic upstreams in this thread. */
  join(context: Context): void {
    const bus = context.find(threadBusToken);
    // If one thread has both roles, the table already contains its upstreams.
    if (bus === undefined || (context.roles.control && context.roles.traffic)) return;
    if (context.roles.traffic) {
      context.onDispose(bus.onGather(foundUpstreams, () => this.#ours()));
      return;
    }
    this.#bus = bus;
    this.#proxies++;
    context.onDispose(() => void this.#proxies--);
  }

  /** Collects the upstreams discovered by the traffic threads. Control thread only. */
  async gather(): Promise<DetailedStatus[]> {
    if (this.#bus === null || this.#proxies === 0) return [];
    return (await this.#bus.gather(foundUpstreams, null)).flat();
  }

  /** Returns the upstreams discovered by this thread. */
  #ours(): DetailedStatus[] {
    return [...this.#table.hosts()].flatMap((host) => {
      const upstreams = this.#table.upstreamsOf(host.address).filter(({ user }) => user.finds);
      return upstreams.length === 0 ? [] : [detailedStatus(host, upstreams, ({ user }) => user.where)];
    });
  }
}
