/** A process on a simulated machine. It runs a reconciler with a fleet member from its start until it is killed. */
import { silentLogger } from '@sluice/base';
import { Reconciler, noThreads, Runtime } from '@sluice/reconciler';
import {
  Member,
  type Link,
  type MemoryCluster,
  type MemoryStore,
  type Snapshot,
  type MemberEnvironment,
} from '@sluice/fleet';
import { Registry, type ModuleDescriptor } from '@sluice/registry';
import { SimulatedLink } from './simulated-link.ts';
import type { World } from './world.ts';

/** State shared by all machines in a simulation. */
export interface SharedWorld {
  readonly world: World;
  readonly cluster: MemoryCluster;
  /** Probability that a message is lost. */
  readonly trouble: number;
}

/** Creates the store client of a process. */
export type MakeStore = (cluster: MemoryCluster, link: Link, environment: MemberEnvironment) => MemoryStore;

/** A process on a simulated machine. */
export interface Life {
  readonly reconciler: Reconciler;
  readonly store: MemoryStore;
  readonly member: Member;
  readonly link: SimulatedLink;
  readonly environment: MemberEnvironment;
  /** True after the process has been killed. */
  isDead: boolean;
}

/** Starts a process whose reconciler has one app. `save` persists the initial state for the next process. */
export function beginLife({ world, cluster, trouble }: SharedWorld, { name, app, makeStore, save }: LifeOptions): Life {
  const state = { isDead: false };
  const isDead = (): boolean => state.isDead;
  const environment = world.environment(isDead);
  const registry = new Registry().add(app);
  const runtime = new Runtime({ registry, roles: { control: true, traffic: true }, log: silentLogger });
  const reconciler = new Reconciler({ registry, runtime, threads: noThreads, store: null, log: silentLogger });
  const link = new SimulatedLink(world, trouble, isDead);
  const store = makeStore(cluster, link, environment);
  const keep = async (place: Snapshot): Promise<void> => {
    if (!state.isDead) save(place);
  };
  const member = new Member({ reconciler, store, name, environment, log: silentLogger, keep });
  return Object.assign(state, { reconciler, store, member, link, environment });
}

interface LifeOptions {
  readonly name: string;
  readonly app: ModuleDescriptor<object>;
  readonly makeStore: MakeStore;
  readonly save: (place: Snapshot) => void;
}
