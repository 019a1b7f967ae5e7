/**
 * Fleet trial of Redis failovers that lose acknowledged changes. All members must detect the loss, keep their documents and report
 * `forked`. After an operator's command, they adopt the document of the new primary. The old primary then becomes the replica, and the next
 * failover goes in the opposite direction.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { hasRedis, RedisServer, Relay } from '@sluice/testing';
import type { AdminResponse } from './admin-client.ts';
import { says, startFleet, type Fleet } from './fleet-of-members.ts';
import type { MemberProcess } from './member-process.ts';
import { settle } from './observe.ts';
import { Random } from './random.ts';
import { until } from './until.ts';

export interface FailoverPlan {
  readonly seed: number;
  readonly failovers: number;
}

/** Parameters of the full failover trial. */
export const fullFailoverPlan: FailoverPlan = { seed: 1, failovers: 100 };

export interface FailoverReport {
  readonly failovers: number;
  /** Number of failovers that all members detected, and number detected within two seconds of the promotion. */
  readonly noticed: number;
  readonly inTime: number;
  /** Longest time until all members detected a failover, in milliseconds. */
  readonly slowest: number;
  readonly problems: readonly string[];
}

/** A Redis primary with its replica. Members connect to both servers at fixed addresses. */
class Servers {
  readonly #servers: readonly [RedisServer, RedisServer];
  readonly relays: readonly [Relay, Relay];
  readonly #link: Relay;
  #primary: 0 | 1 = 0;

  private constructor(servers: readonly [RedisServer, RedisServer], relays: readonly [Relay, Relay], link: Relay) {
    this.#servers = servers;
    this.relays = relays;
    this.#link = link;
  }

  static async start(): Promise<Servers> {
    const [one, other] = [await RedisServer.startCareful(), await RedisServer.startCareful()];
    const relays = [await Relay.start(one.port), await Relay.start(other.port)] as const;
    const servers = new Servers([one, other], relays, await Relay.start(one.port));
    await servers.#replicate();
    return servers;
  }

  /** Resolves when the replica has caught up with the primary. */
  async whole(): Promise<void> {
    const offset = (server: RedisServer): string | undefined =>
      /master_repl_offset:(\d+)/.exec(server.control('INFO', 'replication'))?.[1];
    await until(() => offset(this.#now) === offset(this.#next), 'the replica has received it');
  }

  /** Disconnects the replica from the primary, so that later changes are lost. */
  part(): void {
    this.#link.refuses = true;
    this.#link.cut();
  }

  /** Kills the primary and promotes the replica. Resolves after the promotion. */
  async failOver(): Promise<void> {
    await this.#now.kill();
    this.#next.control('REPLICAOF', 'NO', 'ONE');
    this.#primary = this.#primary === 0 ? 1 : 0;
  }

  /** Restarts the killed server as the replica. */
  async heal(): Promise<void> {
    await this.#next.run();
    this.#link.target = this.#now.port;
    this.#link.refuses = false;
    await this.#replicate();
  }

  async stop(): Promise<void> {
    for (const server of this.#servers) await server.stop();
    for (const relay of [...this.relays, this.#link]) await relay.stop();
  }

  async #replicate(): Promise<void> {
    const replica = this.#next;
    replica.control('REPLICAOF', '127.0.0.1', String(this.#link.port));
    await until(
      () => replica.control('INFO', 'replication').includes('master_link_status:up'),
      'the replica is replicating',
    );
  }

  get #now(): RedisServer {
    return this.#servers[this.#primary];
  }

  get #next(): RedisServer {
    return this.#servers[this.#primary === 0 ? 1 : 0];
  }
}

/** Runs the failover trial. Returns `null` if Redis is not installed. `command` starts the server. */
export async function tryFailovers(command: readonly string[], plan: FailoverPlan): Promise<FailoverReport | null> {
  if (!hasRedis) return null;
  const servers = await Servers.start();
  try {
    const hosts = servers.relays.map(({ port }) => `127.0.0.1:${port}`).join(',');
    const address = (): string => `redis://${hosts}/failovers`;
    const fleet = await startFleet({ command, members: 3, address, document: { routes: [says('first')] } });
    try {
      return await failOver(servers, fleet, plan);
    } finally {
      await fleet.stop();
    }
  } finally {
    await servers.stop();
  }
}

async function failOver(servers: Servers, { members }: Fleet, plan: FailoverPlan): Promise<FailoverReport> {
  const random = new Random(plan.seed);
  const times: number[] = [];
  const problems: string[] = [];
  await until(async () => (await set(members[0] as MemberProcess, 'joined')).status === 200, 'the fleet exists');
  for (let run = 0; run < plan.failovers; run++) {
    problems.push(...(await changeAll(members, random, [`kept ${run}`])));
    await servers.whole();
    servers.part();
    const lost = `lost ${run}`;
    const before = Array.from({ length: random.below(3) }, (_, i) => `${lost}.${i}`);
    problems.push(...(await changeAll(members, random, [...before, lost])));
    await servers.failOver();
    const promoted = performance.now();
    const tried = random.below(2) === 0 ? (await set(random.any(members), 'too early')).status : 409;
    const noticed = await Promise.all(members.map((member) => notices(member, promoted)));
    if (noticed.every((time) => time !== null)) times.push(Math.max(...noticed));
    else problems.push(`failover ${run}: not all members detected it`);
    if (tried === 200) problems.push(`failover ${run}: a change was based on the new primary's state`);
    const served = await Promise.all(members.map((member) => member.served()));
    if (served.some((text) => text !== lost))
      problems.push(`failover ${run}: ${served.join()} was served, not ${lost}`);
    await Promise.all(members.map((member) => member.ask({ method: 'POST', path: '/fleet/adopt' })));
    await settle(members);
    const after = await Promise.all(members.map((member) => member.served()));
    if (after.some((text) => text !== `kept ${run}`)) problems.push(`failover ${run}: ${after.join()} was adopted`);
    await servers.heal();
  }
  return {
    failovers: plan.failovers,
    noticed: times.length,
    inTime: times.filter((time) => time <= 2000).length,
    slowest: Math.round(Math.max(0, ...times)),
    problems,
  };
}

/** Makes changes through random members. Returns descriptions of the changes that did not reach all members. */
async function changeAll(
  members: readonly MemberProcess[],
  random: Random,
  values: readonly string[],
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const value of values) {
    const member = random.any(members);
    // Retry, because a member rejects this change if the member has not applied the previous change yet.
    let { status, text } = await set(member, value);
    for (let tries = 0; status === 409 && tries < 100; tries++) {
      await sleep(20);
      ({ status, text } = await set(member, value));
    }
    if (status !== 200) problems.push(`${value} was rejected by ${member.name}: ${text}`);
  }
  const states = await settle(members);
  if (new Set(states.map(({ hash }) => hash)).size > 1)
    problems.push(`${values.at(-1)} has not reached all members: ${JSON.stringify(states)}`);
  return problems;
}

function set(member: MemberProcess, value: string): Promise<AdminResponse> {
  const path = '/config/apps/http/servers/s/routes/0/handle/0/body';
  return member.ask({ method: 'PATCH', path, body: value });
}

/** Returns the time from `since` until a member reported `forked`, or `null` if the member did not report it. */
async function notices(member: MemberProcess, since: number): Promise<number | null> {
  const isForked = async (): Promise<boolean> => (await member.state()).forked !== undefined;
  return until(isForked, 'the member is forked', 20_000).then(
    () => performance.now() - since,
    () => null,
  );
}
