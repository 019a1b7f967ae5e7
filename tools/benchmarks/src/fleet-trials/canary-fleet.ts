/** A fleet for rollout trials. It has one route that changes, requests to this route, and connections that the changes must not affect. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SteadyLoad } from '../soak/steady-load.ts';
import type { StoreEngine } from './engines/engine.ts';
import { says, startFleet, type Fleet } from './fleet-of-members.ts';
import { HeldConnections, type HeldPlan, type HeldResult } from './held-connections.ts';
import type { MemberProcess } from './member-process.ts';
import type { Random } from './random.ts';
import { UnluckyUpstream } from './unlucky-upstream.ts';
import { until } from './until.ts';

/** Fields of `GET /fleet/rollout` that the trial reads. */
export interface RolloutView {
  readonly id: string;
  readonly state: string;
  readonly why?: string;
  readonly members: readonly string[];
  readonly coordinator: string;
  readonly held_seconds: number;
  readonly seen: { readonly new: Counted; readonly old: Counted };
}

interface Counted {
  readonly requests: number;
  readonly failures: number;
}

export interface CanaryFleetPlan extends HeldPlan {
  readonly cluster: string;
  readonly random: Random;
}

/** Configuration path of the changed route's upstream. */
const dialPath = '/config/apps/http/servers/s/routes/0/handle/0/upstreams/0/dial';

/** Three members. */
export class CanaryFleet {
  readonly #fleet: Fleet;
  readonly #held: HeldConnections;
  readonly #upstreams: UnluckyUpstream[] = [];
  readonly #random: Random;

  private constructor(fleet: Fleet, held: HeldConnections, { random }: CanaryFleetPlan) {
    this.#fleet = fleet;
    this.#held = held;
    this.#random = random;
  }

  /** Starts the fleet. Opens long-lived connections through the second member. */
  static async start(engine: StoreEngine, command: readonly string[], plan: CanaryFleetPlan): Promise<CanaryFleet> {
    const held = await HeldConnections.start(plan);
    const route = {
      match: [{ path: ['/changed'] }],
      handle: [{ handler: 'reverse_proxy', upstreams: [{ dial: '127.0.0.1:1' }] }],
    };
    const fleet = await startFleet({
      command,
      members: 3,
      address: () => engine.address(plan.cluster),
      document: { routes: [route, held.route, says('ok')] },
    });
    const canary = new CanaryFleet(fleet, held, plan);
    await held.open((canary.members[1] as MemberProcess).httpPort);
    await canary.areReady();
    return canary;
  }

  get members(): readonly MemberProcess[] {
    return this.#fleet.members;
  }

  /** Starts an upstream for the changed route. `share` is the fraction of its responses that fail. */
  async upstream(body: string, share: number): Promise<UnluckyUpstream> {
    const upstream = await UnluckyUpstream.start(body, share, this.#random.fork());
    this.#upstreams.push(upstream);
    return upstream;
  }

  /** Makes all members use an upstream immediately, without a rollout. */
  async give({ dial }: UnluckyUpstream): Promise<void> {
    const { status, text } = await this.#change(dial, '?wait=all');
    if (status !== 200) throw new Error(`the change was rejected: ${status} ${text}`);
    await this.areReady();
  }

  /** Starts a rollout that changes the upstream. The first member receives the request and becomes the coordinator. */
  async tryOut({ dial }: UnluckyUpstream, plan: string): Promise<void> {
    const { status, text } = await this.#change(dial, `?rollout=${plan}`);
    if (status !== 202) throw new Error(`the rollout was rejected: ${status} ${text}`);
  }

  /** Returns the state of the rollout, as reported by the second member. That member is never killed. */
  async rollout(): Promise<RolloutView> {
    return JSON.parse((await (this.members[1] as MemberProcess).ask({ path: '/fleet/rollout' })).text) as RolloutView;
  }

  /** Waits until the rollout satisfies a condition or has ended. Returns the rollout's state. */
  async reaches(isSo: (view: RolloutView) => boolean, what: string): Promise<RolloutView> {
    for (const end = performance.now() + 300_000; performance.now() < end; await sleep(50)) {
      const view = await this.rollout();
      if (isSo(view) || isOver(view)) return view;
    }
    throw new Error(`${what}: timed out after five minutes: ${JSON.stringify(await this.rollout())}`);
  }

  async abort(): Promise<void> {
    await (this.members[2] as MemberProcess).ask({ method: 'POST', path: '/fleet/rollout/abort' });
    await this.reaches(isOver, 'the rollout is aborted');
  }

  /** Runs `work` while sending `rate` requests per second to each member. */
  async withRequests<T>(path: string, rate: number, work: () => Promise<T>): Promise<T> {
    const loads = this.members.map(({ httpPort: port }) => new SteadyLoad({ port, path, connections: 10, rate }));
    for (const load of loads) load.start();
    try {
      return await work();
    } finally {
      await Promise.all(loads.map((load) => load.stop()));
    }
  }

  /** Sends a request for the changed route to each running member. Returns the responses. */
  async served(): Promise<readonly string[]> {
    const bodies = await Promise.all(this.members.map((member) => member.bodyOf('/changed')));
    return bodies.filter((body) => body !== null);
  }

  /** Waits until all members have the same document and have reported it to the store. */
  async areReady(): Promise<void> {
    await until(async () => {
      const { text } = await (this.members[1] as MemberProcess).ask({ path: '/fleet' });
      const { members } = JSON.parse(text) as { members: readonly { ready?: boolean; applied?: number }[] };
      const revisions = new Set(members.map(({ applied }) => applied));
      return members.length === 3 && revisions.size === 1 && members.every(({ ready }) => ready);
    }, 'all members are ready');
  }

  /** Stops the fleet. Returns the result of the long-lived connections. */
  async stop(): Promise<HeldResult | null> {
    const result = await this.#held.stop();
    await this.#fleet.stop();
    for (const upstream of this.#upstreams) upstream.stop();
    return result;
  }

  #change(dial: string, query: string): ReturnType<MemberProcess['ask']> {
    return (this.members[0] as MemberProcess).ask({ method: 'PATCH', path: `${dialPath}${query}`, body: dial });
  }
}

/** Reports whether the rollout has ended. */
export function isOver({ state }: RolloutView): boolean {
  return state === 'promoted' || state === 'taken_back';
}
