/** A simulated machine that participates in rollouts. It can be killed, disconnected and restarted. */
import { silentLogger, type Json } from '@sluice/base';
import type { TrafficCounts } from '@sluice/contracts';
import type { Snapshot } from '@sluice/fleet';
import { appToken, apps, defineModule, type ModuleDescriptor } from '@sluice/registry';
import { Type } from 'typebox';
import { Presence } from '../../src/membership/presence.ts';
import { encodeReport } from '../../src/rollout/reports.ts';
import { Rollouts } from '../../src/rollout/rollouts.ts';
import { beginLife, type Life, type MakeStore, type SharedWorld } from './lifecycle.ts';

export interface Shared extends SharedWorld {
  readonly makeStore: MakeStore;
  /** Requests per second that the change affects, and their failure rate with the change. */
  readonly rate: number;
  readonly failing: number;
}

interface RolloutLife extends Life {
  readonly rollouts: Rollouts;
  readonly presence: Presence;
}

const token = appToken<{ readonly value?: unknown }>('app');

/** Returns an app whose value may be rejected on one machine. */
function appOf(name: string): ModuleDescriptor<object> {
  return defineModule(apps, {
    name: 'app',
    help: 'Has a value.',
    config: Type.Object({ value: Type.Optional(Type.String()) }),
    provision(config, context) {
      if (config.value === `not on ${name}`) throw context.error('refused');
      return config;
    },
  });
}

export class RolloutMachine {
  readonly name: string;
  readonly #shared: Shared;
  #saved: Snapshot | null = null;
  #life: RolloutLife;

  constructor(name: string, shared: Shared) {
    this.name = name;
    this.#shared = shared;
    this.#life = this.#begin();
  }

  get life(): RolloutLife {
    return this.#life;
  }

  get isDead(): boolean {
    return this.#life.isDead;
  }

  /** Value that the machine serves, either from the document or from the change being rolled out. */
  get serves(): unknown {
    return this.#life.reconciler.app(token)?.value;
  }

  async start(): Promise<void> {
    const { reconciler, member, rollouts, presence } = this.#life;
    await reconciler.load(this.#saved?.document ?? { apps: { app: { value: 'first' } } });
    member.attach();
    rollouts.attach();
    member.start(this.#saved?.head ?? null);
    presence.start();
    rollouts.start();
  }

  /** Kills the process. */
  kill(): void {
    this.#life.isDead = true;
    void this.#life.member.close();
  }

  /** Restarts the process from the persisted state. */
  async restart(): Promise<void> {
    if (!this.isDead) this.kill();
    this.#life = this.#begin();
    await this.start();
  }

  #begin(): RolloutLife {
    const { world, makeStore, rate, failing } = this.#shared;
    const { name } = this;
    const save = (place: Snapshot): void => {
      this.#saved = place;
    };
    const life = beginLife(this.#shared, { name, app: appOf(name), makeStore, save });
    const { reconciler, store, member, environment } = life;
    const instance = environment.id();
    const rollouts = new Rollouts({
      reconciler,
      member,
      instance,
      environment,
      log: silentLogger,
      check: async () => {},
      onReport: () => presence.changed(),
      makeReader: async (_reconciler, { isMade }) => {
        const began = world.now;
        const read = (): TrafficCounts => {
          const requests = Math.floor((rate * (world.now - began)) / 1000);
          return {
            requests,
            failures: isMade ? Math.floor(failing * requests) : 0,
            upstreamFailures: 0,
            clientErrors: 0,
            redirects: 0,
            cut: 0,
            latency: [],
          };
        };
        return { read, lost: () => 0 };
      },
    });
    const state = (): Json => ({
      applied: member.state.applied?.rev ?? 0,
      ready: member.place !== null,
      ...(rollouts.report === null ? {} : { rollout: encodeReport(rollouts.report) }),
    });
    const presence = new Presence({
      store,
      name,
      instance,
      about: { instance },
      state,
      environment,
      log: silentLogger,
    });
    member.state.onChange(() => presence.changed());
    return Object.assign(life, { rollouts, presence });
  }
}
