/** A machine of a simulation that takes part in roll-outs: it can be killed, cut off, and started again. */
import { silentLogger, type Json } from '@sluice/base';
import type { TrafficCounts } from '@sluice/contracts';
import { Engine, noThreads, Runtime } from '@sluice/engine';
import {
  Member,
  type Link,
  type MemoryCluster,
  type MemoryStore,
  type Snapshot,
  type Surroundings,
} from '@sluice/fleet';
import { appToken, apps, defineModule, Registry } from '@sluice/registry';
import { Type } from 'typebox';
import { Presence } from '../../src/membership/presence.ts';
import { encodeReport } from '../../src/rollout/reports.ts';
import { Rollouts } from '../../src/rollout/rollouts.ts';
import { SimulatedLink } from './simulated-link.ts';
import type { World } from './world.ts';

/** What all machines share. */
export interface Shared {
  readonly world: World;
  readonly cluster: MemoryCluster;
  readonly trouble: number;
  readonly makeStore: (cluster: MemoryCluster, link: Link, surroundings: Surroundings) => MemoryStore;
  /** Requests by second to what changes, and the share of them that fails with the change. */
  readonly rate: number;
  readonly failing: number;
}

interface Life {
  readonly engine: Engine;
  readonly member: Member;
  readonly rollouts: Rollouts;
  readonly presence: Presence;
  readonly link: SimulatedLink;
  isDead: boolean;
}

const token = appToken<{ readonly value?: unknown }>('app');

/** One machine. */
export class RolloutMachine {
  readonly name: string;
  readonly #shared: Shared;
  #saved: Snapshot | null = null;
  #life: Life;

  constructor(name: string, shared: Shared) {
    this.name = name;
    this.#shared = shared;
    this.#life = this.#begin();
  }

  get life(): Life {
    return this.#life;
  }

  get isDead(): boolean {
    return this.#life.isDead;
  }

  /** What it serves: the value of the document, or of what is tried. */
  get serves(): unknown {
    return this.#life.engine.app(token)?.value;
  }

  async start(): Promise<void> {
    const { engine, member, rollouts, presence } = this.#life;
    await engine.load(this.#saved?.document ?? { apps: { app: { value: 'first' } } });
    member.attach();
    rollouts.attach();
    member.start(this.#saved?.head ?? null);
    presence.start();
    rollouts.start();
  }

  /** Ends it at once. */
  kill(): void {
    this.#life.isDead = true;
    void this.#life.member.close();
  }

  /** Starts it again from what it has saved. */
  async restart(): Promise<void> {
    if (!this.isDead) this.kill();
    this.#life = this.#begin();
    await this.start();
  }

  #begin(): Life {
    const { world, cluster, trouble, makeStore, rate, failing } = this.#shared;
    const { name } = this;
    const life: Partial<Life> & { isDead: boolean } = { isDead: false };
    const isDead = (): boolean => life.isDead;
    const surroundings = world.surroundings(isDead);
    const app = defineModule(apps, {
      name: 'app',
      help: 'Has a value.',
      config: Type.Object({ value: Type.Optional(Type.String()) }),
      provision(config, context) {
        if (config.value === `not on ${name}`) throw context.error('refused');
        return config;
      },
    });
    const registry = new Registry().add(app);
    const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger });
    const engine = new Engine({ registry, runtime, threads: noThreads, store: null, log: silentLogger });
    const link = new SimulatedLink(world, trouble, isDead);
    const store = makeStore(cluster, link, surroundings);
    const keep = async (place: Snapshot): Promise<void> => {
      if (!life.isDead) this.#saved = place;
    };
    const member = new Member({ engine, store, name, surroundings, log: silentLogger, keep });
    const instance = surroundings.id();
    const rollouts = new Rollouts({
      engine,
      member,
      instance,
      surroundings,
      log: silentLogger,
      check: async () => {},
      onReport: () => presence.changed(),
      makeReader: async (_engine, { isMade }) => {
        const began = world.now;
        const read = (): TrafficCounts => {
          const requests = Math.floor((rate * (world.now - began)) / 1000);
          return { requests, failures: isMade ? Math.floor(failing * requests) : 0, latency: [] };
        };
        return { read, lost: () => 0 };
      },
    });
    const state = (): Json => ({
      applied: member.state.applied?.rev ?? 0,
      ready: member.place !== null,
      ...(rollouts.report === null ? {} : { rollout: encodeReport(rollouts.report) }),
    });
    const presence = new Presence({ store, name, about: { instance }, state, surroundings, log: silentLogger });
    member.state.onChange(() => presence.changed());
    return Object.assign(life, { engine, member, rollouts, presence, link });
  }
}
