/** A simulated machine with a reconciler and a fleet member. It can be killed and restarted from its persisted state. */
import type { Reconciler } from '@sluice/reconciler';
import { MemoryStore, type Member, type Snapshot } from '@sluice/fleet';
import { apps, defineModule } from '@sluice/registry';
import { Type } from 'typebox';
import { beginLife, type Life, type MakeStore, type SharedWorld } from './lifecycle.ts';
import type { SimulatedLink } from './simulated-link.ts';

/** An app that accepts every value except `bad`. */
const app = defineModule(apps, {
  name: 'app',
  help: 'Has values.',
  config: Type.Record(Type.String(), Type.Unknown()),
  provision(config, context) {
    if (Object.values(config).includes('bad')) throw context.error('refused');
    return {};
  },
});

/** Parts of the simulation that an injected defect can replace. */
export interface Making {
  readonly makeStore: MakeStore;
  readonly changeEngine: (reconciler: Reconciler) => void;
  readonly save: (place: Snapshot, before: Snapshot | null) => Snapshot;
}

/** Without defects. */
export const sound: Making = {
  makeStore: (cluster, link, environment) => new MemoryStore(cluster, link, environment),
  changeEngine: () => {},
  save: (place) => place,
};

export interface Shared extends SharedWorld {
  readonly making: Making;
}

export class SimulatedMember {
  readonly name: string;
  readonly #shared: Shared;
  #saved: Snapshot | null = null;
  #life: Life;

  constructor(name: string, shared: Shared) {
    this.name = name;
    this.#shared = shared;
    this.#life = this.#begin();
  }

  get reconciler(): Reconciler {
    return this.#life.reconciler;
  }

  get member(): Member {
    return this.#life.member;
  }

  get link(): SimulatedLink {
    return this.#life.link;
  }

  /** Starts a process from the state that the previous process persisted. */
  async start(): Promise<void> {
    const { reconciler, member } = this.#life;
    await reconciler.load(this.#saved?.document ?? { apps: { app: {} } });
    member.attach();
    member.start(this.#saved?.head ?? null);
    this.#shared.making.changeEngine(reconciler);
  }

  /** Kills and restarts the process. */
  async restart(): Promise<void> {
    this.#life.isDead = true;
    const old = this.#life;
    this.#life = this.#begin();
    void old.member.close();
    await this.start();
  }

  async close(): Promise<void> {
    this.#life.isDead = true;
    void this.#life.member.close();
  }

  #begin(): Life {
    const { making } = this.#shared;
    const save = (place: Snapshot): void => {
      this.#saved = making.save(place, this.#saved);
    };
    return beginLife(this.#shared, { name: this.name, app, makeStore: making.makeStore, save });
  }
}
