/** Reads the statistics of all threads for admin API clients. Runs in the control thread. */
import { guarded, taskOf, type Json } from '@sluice/base';
import type { RunningServer } from '@sluice/registry';
import type { TallyStore } from '@sluice/threads';
import { httpApp } from '@sluice/http-app';
import { DocumentRoutes, serversOf } from './document-routes.ts';
import { difference, wholeOf, type Interval } from './interval.ts';
import { Snapshot } from './snapshot.ts';
import { statsJson, type StatsFilter } from './stats-json.ts';

/** Receives the counts of an interval. The counts are formatted once for all clients with the same filter. */
type Listener = (text: (filter: StatsFilter) => string) => void;

/** Clients with the same interval length. They share snapshots. */
interface Group {
  readonly listeners: Set<Listener>;
  readonly timer: NodeJS.Timeout;
  before: Snapshot;
}

/** Provides the statistics of a server. */
export class StatsReader {
  readonly #store: TallyStore;
  readonly #server: Pick<RunningServer, 'effective' | 'app'>;
  /** Client groups by interval length, in seconds. */
  readonly #groups = new Map<number, Group>();
  #routes: { readonly servers: Json; readonly routes: DocumentRoutes } | null = null;

  constructor(store: TallyStore, server: Pick<RunningServer, 'effective' | 'app'>) {
    this.#store = store;
    this.#server = server;
  }

  /** Returns all counts since the process started. */
  whole(filter: StatsFilter): object {
    return statsJson(this.#whole(this.#snapshot()), filter);
  }

  /**
   * Sends the counts so far. Then, every `seconds` seconds, sends the counts since the previous event. Returns a function that
   * unsubscribes.
   */
  follow(filter: StatsFilter, seconds: number, send: (event: 'stats' | 'delta', text: string) => void): () => void {
    const group = this.#groups.get(seconds) ?? this.#begin(seconds);
    group.before.settle();
    send('stats', JSON.stringify(statsJson(this.#whole(group.before), filter)));
    const listener: Listener = (text) => send('delta', text(filter));
    group.listeners.add(listener);
    return () => {
      if (!group.listeners.delete(listener) || group.listeners.size > 0) return;
      clearInterval(group.timer);
      this.#groups.delete(seconds);
    };
  }

  #begin(seconds: number): Group {
    const timer = setInterval(
      guarded(taskOf('stats'), () => this.#tick(group)),
      seconds * 1000,
    ).unref();
    const group: Group = { listeners: new Set(), timer, before: this.#snapshot() };
    this.#groups.set(seconds, group);
    return group;
  }

  #tick(group: Group): void {
    const now = this.#snapshot();
    const interval = difference(now, group.before);
    group.before = now;
    const texts = new Map<string, string>();
    const text = (filter: StatsFilter): string => {
      const key = JSON.stringify(filter);
      const known = texts.get(key) ?? JSON.stringify(statsJson(interval, filter));
      texts.set(key, known);
      return known;
    };
    for (const listener of group.listeners) listener(text);
    now.settle();
  }

  #whole(snapshot: Snapshot): Interval {
    return wholeOf(snapshot, this.#store);
  }

  #snapshot(): Snapshot {
    return new Snapshot(this.#store.read(), this.#documentRoutes(), Date.now());
  }

  #documentRoutes(): DocumentRoutes {
    const { effective } = this.#server;
    const servers = serversOf(effective);
    if (this.#routes === null || this.#routes.servers !== servers) {
      const names = this.#server.app(httpApp)?.servers.keys() ?? [];
      this.#routes = { servers, routes: new DocumentRoutes(effective, names) };
    }
    return this.#routes.routes;
  }
}
