/** Runs sequences of events on two replicas. Compares the resulting state with the state after a fresh start. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ApiObject, Cluster } from './cluster.ts';
import type { Event } from './events.ts';
import { allTargets, kinds, placeOf, type Target } from './objects.ts';
import { ingressPort, type Replica } from './replica.ts';

/** Timeout in milliseconds for the replicas to reach the state of a fresh start. A new leader replaces a killed leader after 20 seconds. */
const maxConvergence = 75_000;
/** Time without status patches after which a fresh start counts as complete, in milliseconds. */
const quietTime = 800;

export class Trial {
  readonly #cluster: Cluster;
  readonly #replicas: readonly Replica[];
  readonly #fresh: Replica;
  /** Pending restarts of killed replicas. */
  #starting: Promise<void>[] = [];

  constructor(cluster: Cluster, replicas: readonly Replica[], fresh: Replica) {
    this.#cluster = cluster;
    this.#replicas = replicas;
    this.#fresh = fresh;
  }

  /** Throws if the replicas do not reach the state of a fresh start. */
  async run(events: readonly Event[]): Promise<void> {
    await this.#reset();
    for (const event of events) await this.#apply(event);
    for (const { proxy } of this.#replicas) proxy.heal();
    await this.#restarts();
    await this.#endConflicts();
    const differences = await this.#differences();
    // The recorded patches of a fresh start may be older than the status that was read last, so the comparison is repeated once.
    if (differences.length > 0 && (await this.#differences(0)).length > 0) throw new Error(differences.join('\n'));
  }

  /**
   * Removes TCP listeners from the Ingress port. The first server to claim the port gets the port, so a fresh start could assign the port
   * to a different server.
   */
  async #endConflicts(): Promise<void> {
    for (const kind of kinds.filter((each) => each.kind === 'Gateway'))
      for (const { metadata, spec } of await this.#cluster.list(kind)) {
        const { listeners } = spec as { readonly listeners: readonly { protocol: string; port: number }[] };
        if (listeners.some(({ protocol, port }) => protocol === 'TCP' && port === ingressPort))
          await this.#cluster.put({ kind, name: `${metadata.namespace ?? ''}/${metadata.name}` }, 0);
      }
  }

  /** Returns the differences from a fresh start that remain when the timeout expires. */
  async #differences(time = maxConvergence): Promise<readonly string[]> {
    const wanted = new Map<string, object>();
    this.#fresh.proxy.recorded = wanted;
    await this.#fresh.startAfresh();
    try {
      const end = performance.now() + time;
      for (;;) {
        const expected = await this.#freshState();
        const configurations = await this.#configurationDifferences(expected);
        const differences = [...configurations, ...(await this.#statusDifferences(wanted))];
        if (differences.length === 0 || performance.now() > end) return differences;
        await sleep(200);
      }
    } finally {
      await this.#fresh.stopProviders();
    }
  }

  /** Restarts the replicas after a failure, so that the next sequence does not start from a failed state. */
  async recover(): Promise<void> {
    await this.#restarts();
    await Promise.all(this.#replicas.map((replica) => replica.startAfresh()));
  }

  async #restarts(): Promise<void> {
    const starting = this.#starting;
    this.#starting = [];
    await Promise.all(starting);
  }

  /** Removes all objects except the first one of each kind. Resets the remaining objects to their first variant. */
  async #reset(): Promise<void> {
    for (const { proxy } of this.#replicas) proxy.heal();
    const initial = new Set(kinds.flatMap(({ names }) => (names[0] === undefined ? [] : [names[0]])));
    for (const target of allTargets) {
      const isKept = target.kind.kind === 'Namespace' || initial.has(target.name);
      if (isKept && target.kind.names[0] === target.name) await this.#cluster.put(target, 0);
      else if (target.kind.kind === 'Namespace') await this.#cluster.put(target, 1);
      else await this.#cluster.delete(target);
    }
  }

  async #apply(event: Event): Promise<void> {
    const target = 'target' in event ? (allTargets[event.target] as Target) : undefined;
    const replica = 'replica' in event ? this.#replicas[event.replica] : undefined;
    switch (event.event) {
      case 'put':
        if (target !== undefined) await this.#cluster.put(target, event.variant);
        break;
      case 'replace':
        if (target === undefined) break;
        if (target.kind.kind !== 'Namespace') await this.#cluster.delete(target);
        await this.#cluster.put(target, event.variant);
        break;
      case 'delete':
        if (target !== undefined && target.kind.kind !== 'Namespace') await this.#cluster.delete(target);
        break;
      case 'fault':
        replica?.proxy.cause(event.fault);
        break;
      case 'disconnect':
        replica?.proxy.disconnect();
        break;
      case 'connect':
        replica?.proxy.connect();
        break;
      case 'compact':
        await this.#cluster.compact();
        break;
      case 'restart-api':
        await this.#cluster.restart();
        break;
      case 'kill-leader':
        await this.#kill(true);
        break;
      case 'kill-follower':
        await this.#kill(false);
        break;
      case 'pause':
        await sleep(event.milliseconds);
    }
  }

  /** Kills the leader or the other replica, and restarts it in the background. */
  async #kill(isLeader: boolean): Promise<void> {
    await this.#restarts();
    const leader = await this.#leader();
    const victim = this.#replicas.find(({ name }) => (name === leader) === isLeader);
    if (victim === undefined) return;
    await victim.kill();
    const starting = sleep(1_000).then(() => victim.start());
    // The restart error is thrown later, when the restart is awaited.
    starting.catch(() => undefined);
    this.#starting.push(starting);
  }

  /** Returns the name of the replica that writes the Gateway status. */
  async #leader(): Promise<string> {
    const path = '/apis/coordination.k8s.io/v1/namespaces/default/leases/sluice-gateway';
    const { json } = await this.#cluster.send('GET', path);
    const { spec } = json as { readonly spec?: { readonly holderIdentity?: string } };
    return (spec?.holderIdentity ?? '').replace(/_[^_]*$/, '');
  }

  /** Returns the configuration of a fresh start, after its last status patch. */
  async #freshState(): Promise<ReadonlyMap<string, string>> {
    const { proxy } = this.#fresh;
    for (const end = performance.now() + 60_000; ; await sleep(50)) {
      const provided = await this.#fresh.provided().catch(() => null);
      if (provided === null) proxy.lastPatch = performance.now();
      else if (performance.now() - proxy.lastPatch > quietTime) return provided;
      if (performance.now() > end) throw new Error('the fresh start did not complete');
    }
  }

  async #configurationDifferences(expected: ReadonlyMap<string, string>): Promise<readonly string[]> {
    const found: string[] = [];
    for (const replica of this.#replicas) {
      const provided = await replica.provided().catch(() => null);
      if (provided === null) {
        found.push(`${replica.name}: not synchronized`);
        continue;
      }
      for (const key of new Set([...expected.keys(), ...provided.keys()]))
        if (expected.get(key) !== provided.get(key))
          found.push(`${replica.name}: ${key}\n  fresh: ${expected.get(key)}\n  has:   ${provided.get(key)}`);
    }
    return found;
  }

  /** Compares the status of all objects with the status patches that a fresh start would send. */
  async #statusDifferences(wanted: ReadonlyMap<string, object>): Promise<readonly string[]> {
    const found: string[] = [];
    for (const kind of kinds.filter(({ hasStatus }) => hasStatus))
      for (const object of await this.#cluster.list(kind)) {
        const { namespace, name } = object.metadata;
        const place = placeOf({ kind, name: namespace === undefined ? name : `${namespace}/${name}` });
        const patch = wanted.get(`${place.collection}/${place.name}/status`) as ApiObject | undefined;
        const current = timeless(object.status ?? {});
        for (const [field, value] of Object.entries(timeless(patch?.status ?? {}))) {
          const actual = (current as Readonly<Record<string, unknown>>)[field] ?? [];
          if (isDeepStrictEqual(withoutNull(value), withoutNull(actual))) continue;
          found.push(
            `status.${field} of ${kind.kind} ${place.name}\n  fresh: ${JSON.stringify(value)}\n  has:   ${JSON.stringify(actual)}`,
          );
        }
      }
    return found;
  }
}

/** Returns a copy of the value without transition times. */
function timeless(value: object): object {
  return JSON.parse(
    JSON.stringify(value, (key, each: unknown) => (key === 'lastTransitionTime' ? undefined : each)),
  ) as object;
}

/** Returns the value as the API server stores it, without fields that are `null` or empty objects. */
function withoutNull(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (_key, each: unknown) => (each === null ? undefined : each)));
}
