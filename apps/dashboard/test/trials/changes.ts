/** Makes consecutive configuration changes at a given rate: changed values, changed lists, and rejected changes. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SendChange } from '../support/change.ts';
import { textOf } from './documents.ts';

const routesPath = '/config/apps/http/servers/demo/routes';

/** Sends configuration changes until stopped. */
export class Changing {
  readonly #send: SendChange;
  readonly #routes: number;
  readonly #ended: Promise<void>;
  readonly #statuses = new Map<number, number>();
  #stopped = false;

  /**
   * Starts the changes. `routes` is the number of routes passed to {@link manyRoutes}. `rate` is the number of changes per second. By
   * default, changes are sent as fast as possible.
   */
  constructor(send: SendChange, { routes, rate }: { readonly routes: number; readonly rate: number }) {
    this.#send = send;
    this.#routes = routes;
    this.#ended = this.#run(1000 / rate);
  }

  get count(): number {
    return [...this.#statuses.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Stops the changes. Returns the number of changes by status. */
  async stop(): Promise<ReadonlyMap<number, number>> {
    this.#stopped = true;
    await this.#ended;
    return this.#statuses;
  }

  async #run(pause: number): Promise<void> {
    let due = performance.now();
    for (let turn = 0; !this.#stopped; turn++) {
      const status = await this.#make(turn);
      this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1);
      const now = performance.now();
      due = Math.max(due + pause, now - pause);
      await sleep(Math.max(0, due - now));
    }
  }

  #make(turn: number): Promise<number> {
    const route = 2 * (turn % (this.#routes / 2));
    if (turn % 10 === 7) return this.#send('POST', routesPath, { '@id': `added-${turn}`, handle: [] });
    if (turn % 10 === 8) return this.#send('DELETE', `/id/added-${turn - 1}`, null);
    if (turn % 10 === 9) return this.#send('PATCH', `${routesPath}/${route}/handle/0`, { handler: 'unheard_of' });
    return this.#send('PATCH', textOf(route), `change ${turn}`);
  }
}
