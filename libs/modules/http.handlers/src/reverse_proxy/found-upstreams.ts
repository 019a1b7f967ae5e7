/**
 * Upstreams that proxies find while requests come, and so only in the threads that serve: the control thread, which
 * serves the admin API, asks these.
 */
import { question, threadBusToken, type ThreadBus } from '@sluice/threads';
import type { Context } from '@sluice/registry';
import { detailedStatus, type DetailedStatus } from './upstream-status.ts';
import type { UpstreamTable } from './upstream-table.ts';

const foundUpstreams = question<null, readonly DetailedStatus[]>('http.handlers.reverse_proxy.found-upstreams');

/** The upstreams that were found. One per registry. */
export class FoundUpstreams {
  readonly #table: UpstreamTable;
  #bus: ThreadBus | null = null;
  /** Proxies that find upstreams; without one no one is asked. */
  #proxies = 0;

  constructor(table: UpstreamTable) {
    this.#table = table;
  }

  /** A proxy that finds upstreams is provisioned in this thread. */
  join(context: Context): void {
    const bus = context.find(threadBusToken);
    // Where one thread does both, the table has what it has found.
    if (bus === undefined || (context.roles.control && context.roles.traffic)) return;
    if (context.roles.traffic) {
      context.onDispose(bus.onGather(foundUpstreams, () => this.#ours()));
      return;
    }
    this.#bus = bus;
    this.#proxies++;
    context.onDispose(() => void this.#proxies--);
  }

  /** What the threads that serve have found. Control only. */
  async gather(): Promise<DetailedStatus[]> {
    if (this.#bus === null || this.#proxies === 0) return [];
    return (await this.#bus.gather(foundUpstreams, null)).flat();
  }

  /** Found by this thread. */
  #ours(): DetailedStatus[] {
    return [...this.#table.hosts()].flatMap((host) => {
      const upstreams = this.#table.upstreamsOf(host.address).filter(({ user }) => user.finds);
      return upstreams.length === 0 ? [] : [detailedStatus(host, upstreams, ({ user }) => user.where)];
    });
  }
}
