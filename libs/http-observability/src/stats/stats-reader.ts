/** Reads the stats of all threads for clients of the admin API; in the control thread, once a second for all of them. */
import { guarded, taskOf, type Json } from '@sluice/base';
import type { RunningServer } from '@sluice/registry';
import type { TallyStore } from '@sluice/threads';
import { httpApp } from '@sluice/http-app';
import { DocumentRoutes, serversOf } from './document-routes.ts';
import { difference, wholeOf, type Interval } from './interval.ts';
import { Snapshot } from './snapshot.ts';
import { statsJson, type StatsFilter } from './stats-json.ts';

/** How often clients are told, in milliseconds. */
const every = 1000;

/** What a client gets. */
type Listener = (text: (filter: StatsFilter) => string) => void;

/** The stats of a server. */
export class StatsReader {
  readonly #store: TallyStore;
  readonly #server: Pick<RunningServer, 'effective' | 'app'>;
  readonly #listeners = new Set<Listener>();
  #timer: NodeJS.Timeout | null = null;
  #before: Snapshot | null = null;
  #routes: { readonly servers: Json; readonly routes: DocumentRoutes } | null = null;

  constructor(store: TallyStore, server: Pick<RunningServer, 'effective' | 'app'>) {
    this.#store = store;
    this.#server = server;
  }

  /** All since the process began. */
  whole(filter: StatsFilter): object {
    return statsJson(this.#whole(this.#snapshot()), filter);
  }

  /** Tells all that was counted so far, and then once a second what came since. Gives what ends it. */
  follow(filter: StatsFilter, tell: (event: 'stats' | 'delta', text: string) => void): () => void {
    const snapshot = this.#before ?? this.#snapshot();
    this.#before = snapshot;
    snapshot.settle();
    tell('stats', JSON.stringify(statsJson(this.#whole(snapshot), filter)));
    const listener: Listener = (text) => tell('delta', text(filter));
    this.#listeners.add(listener);
    this.#timer ??= setInterval(
      guarded(taskOf('stats'), () => this.#tick()),
      every,
    ).unref();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0 || this.#timer === null) return;
      clearInterval(this.#timer);
      this.#timer = null;
      this.#before = null;
    };
  }

  #tick(): void {
    const before = this.#before;
    const now = this.#snapshot();
    this.#before = now;
    if (before === null) return;
    const interval = difference(now, before);
    const texts = new Map<string, string>();
    const text = (filter: StatsFilter): string => {
      const key = JSON.stringify(filter);
      const known = texts.get(key) ?? JSON.stringify(statsJson(interval, filter));
      texts.set(key, known);
      return known;
    };
    for (const listener of this.#listeners) listener(text);
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
