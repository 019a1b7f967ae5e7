/** A machine of a simulation: an engine with a member, that can be killed and started again from what it has saved. */
import { silentLogger } from '@sluice/base';
import { Engine, noThreads, Runtime } from '@sluice/engine';
import { Member, MemoryStore, type Link, type MemoryCluster, type Snapshot, type Surroundings } from '@sluice/fleet';
import { apps, defineModule, Registry } from '@sluice/registry';
import { Type } from 'typebox';
import { SimulatedLink } from './simulated-link.ts';
import type { World } from './world.ts';

/** The app takes anything, but for a value `bad`. */
const app = defineModule(apps, {
  name: 'app',
  help: 'Has values.',
  config: Type.Record(Type.String(), Type.Unknown()),
  provision(config, context) {
    if (Object.values(config).includes('bad')) throw context.error('refused');
    return {};
  },
});

/** What a fault may replace. */
export interface Making {
  readonly makeStore: (cluster: MemoryCluster, link: Link, surroundings: Surroundings) => MemoryStore;
  readonly changeEngine: (engine: Engine) => void;
  readonly save: (place: Snapshot, before: Snapshot | null) => Snapshot;
}

/** Nothing is replaced. */
export const sound: Making = {
  makeStore: (cluster, link, surroundings) => new MemoryStore(cluster, link, surroundings),
  changeEngine: () => {},
  save: (place) => place,
};

/** What all machines of a simulation share. */
export interface Shared {
  readonly world: World;
  readonly cluster: MemoryCluster;
  readonly making: Making;
  readonly trouble: number;
}

interface Life {
  readonly engine: Engine;
  readonly member: Member;
  readonly link: SimulatedLink;
  isDead: boolean;
}

/** One machine. */
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

  get engine(): Engine {
    return this.#life.engine;
  }

  get member(): Member {
    return this.#life.member;
  }

  get link(): SimulatedLink {
    return this.#life.link;
  }

  /** Starts it, with what was saved in its life before. */
  async start(): Promise<void> {
    const { engine, member } = this.#life;
    await engine.load(this.#saved?.document ?? { apps: { app: {} } });
    member.attach();
    member.start(this.#saved?.head ?? null);
    this.#shared.making.changeEngine(engine);
  }

  /** Ends it at once, and starts it again. */
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
    const { world, cluster, making, trouble } = this.#shared;
    const life: Partial<Life> & { isDead: boolean } = { isDead: false };
    const isDead = (): boolean => life.isDead;
    const surroundings = world.surroundings(isDead);
    const registry = new Registry().add(app);
    const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger });
    const engine = new Engine({ registry, runtime, threads: noThreads, store: null, log: silentLogger });
    const link = new SimulatedLink(world, trouble, isDead);
    const store = making.makeStore(cluster, link, surroundings);
    const keep = async (place: Snapshot): Promise<void> => {
      if (!life.isDead) this.#saved = making.save(place, this.#saved);
    };
    const member = new Member({ engine, store, name: this.name, surroundings, log: silentLogger, keep });
    return Object.assign(life, { engine, member, link });
  }
}
