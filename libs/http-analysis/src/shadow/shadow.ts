/** Replays requests through two configurations and compares the responses. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isSluiceError, type Json } from '@sluice/base';
import { type HttpApp, redactQuery, type Server } from '@sluice/http-app';
import type { ShadowOptions } from '@sluice/registry';
import { Groups, type Side } from '../behavior/groups.ts';
import type { Difference, Undecided } from '../behavior/types.ts';
import { findServer, serverInstead } from '../explain/find-server.ts';
import { readTarget, type ReadTarget } from '../explain/request-target.ts';
import { Latencies } from './latencies.ts';
import { NoiseBook, type Suspect } from './noise-book.ts';
import { play, type Played } from './play.ts';
import { BodyMask, partsBetween, type Parts } from './response-parts.ts';
import { shadowProbe } from './shadow-guard.ts';
import type { LeftOut, ShadowReport, ShadowRequest } from './types.ts';

/** Maximum number of requests that are replayed concurrently. */
const concurrency = 4;
/** Minimum time between two requests, in milliseconds. The limit is thus 50 requests per second. Each request is sent at least three times. */
const interval = 20;
/** Interval for polling for live requests, in milliseconds. */
const pollTime = 50;

/** The two configurations to compare. Both are provisioned in the shadow thread. */
export interface ShadowedApps {
  readonly before: HttpApp;
  readonly after: HttpApp;
}

/**
 * A request for which the responses of the two configurations differ. The normal variation of responses on the request's route is not known
 * yet.
 */
interface Found extends Suspect {
  readonly request: ShadowRequest;
  readonly method: string;
  readonly url: string;
  readonly sides: readonly [Side, Side];
}

/** Three responses to the same request: two from the active configuration, and one from the proposed configuration in between. */
interface Trio {
  readonly before: readonly [Played, Played];
  readonly after: Played;
  /** Differences between the two responses of the active configuration. */
  readonly own: Parts;
  /** Differences that the variation within the active configuration does not explain. */
  readonly differences: Parts;
}

/** A shadow run. Live requests can be added while it is in progress. */
export class Shadow {
  readonly #apps: ShadowedApps;
  readonly #options: ShadowOptions;
  readonly #queue: ShadowRequest[];
  readonly #probed = { before: new Map<Server, Server>(), after: new Map<Server, Server>() };
  readonly #noise = new NoiseBook();
  readonly #latencies = new Latencies();
  /**
   * Response times of requests that go to a different upstream. They are grouped by the pair of upstreams, because there may be few
   * requests of each kind.
   */
  readonly #moved = new Latencies();
  readonly #leftOut = new Map<string, Undecided>();
  readonly #bypassed = new Set<string>();
  readonly #found: Found[] = [];
  readonly #replayed = { recorded: 0, live: 0 };
  /** An example request for each kind of request. */
  readonly #kinds = new Map<string, { readonly request: ShadowRequest; readonly sides: readonly [Side, Side] }>();
  #taken = 0;
  #nextAt = 0;
  #deadline = 0;

  constructor(apps: ShadowedApps, options: ShadowOptions, requests: readonly ShadowRequest[]) {
    this.#apps = apps;
    this.#options = options;
    this.#queue = [...requests];
  }

  /** Adds a request that the server received during the shadow run. */
  add(request: ShadowRequest): void {
    if (this.#taken + this.#queue.length < this.#options.requests) this.#queue.push(request);
  }

  leaveOut({ reason, method, url }: LeftOut): void {
    const { count = 0, example = { method, url } } = this.#leftOut.get(reason) ?? {};
    this.#leftOut.set(reason, { reason, count: count + 1, example });
  }

  async run(): Promise<ShadowReport> {
    const startedAt = performance.now();
    this.#deadline = startedAt + this.#options.seconds * 1000;
    await Promise.all(Array.from({ length: concurrency }, () => this.#work()));
    return this.#report(Math.round(performance.now() - startedAt));
  }

  async #work(): Promise<void> {
    for (;;) {
      const now = performance.now();
      if (now >= this.#deadline || this.#taken >= this.#options.requests) return;
      const next = this.#queue.shift();
      if (next === undefined) {
        if (!this.#options.live) return;
        await sleep(pollTime);
        continue;
      }
      this.#taken++;
      const startAt = Math.max(now, this.#nextAt);
      this.#nextAt = startAt + interval;
      if (startAt > now) await sleep(startAt - now);
      await this.#replay(next);
    }
  }

  async #replay(request: ShadowRequest): Promise<void> {
    const { method = 'GET', url: whole } = request.request;
    const url = redactQuery(whole);
    try {
      const target = readTarget(request.request);
      const found = findServer(this.#apps.before, request.request.server, target.port);
      const instead = serverInstead(found, target.isHttps, this.#apps.after);
      if (instead === 'unknown')
        return this.leaveOut({ reason: 'several servers could receive the request', method, url });
      if (instead === null)
        return this.leaveOut({ reason: 'no server would receive the request anymore', method, url });
      const servers = [this.#probe(found.server, 'before'), this.#probe(instead.server, 'after')] as const;
      const first = await this.#trio(servers, request, target);
      const leftOut = reasonOf(first);
      if (leftOut !== null) return this.leaveOut({ reason: leftOut, method, url });
      this.#replayed[request.source]++;
      this.#note(request, url, first);
      if (first.differences.size === 0) return;
      const second = await this.#trio(servers, request, target);
      const kind = kindOf(request, first);
      const sides = [sideOf(first.before[0]), sideOf(first.after)] as const;
      const both = new Map([...first.differences].filter(([part]) => second.differences.has(part)));
      const steady = both.size > 0;
      const parts = steady ? both : first.differences;
      for (const part of parts.keys()) this.#noise.differed(kind, part);
      for (const part of second.own.keys()) this.#noise.varied(kind, part, { method, url });
      this.#found.push({ kind, parts, steady, request, method, url, sides });
    } catch (error) {
      // Skip a recorded request that is invalid or that names a server which no longer exists.
      if (!isSluiceError(error)) throw error;
      this.leaveOut({ reason: error.message, method, url });
    }
  }

  /**
   * Sends a request to the active configuration, to the proposed configuration, and again to the active configuration. Because the active
   * configuration runs first and last, its two responses also reveal changes over time.
   */
  async #trio([now, then]: readonly [Server, Server], { request }: ShadowRequest, target: ReadTarget): Promise<Trio> {
    const { confined } = this.#options;
    const first = await play(now, request, target, confined);
    // If a request cannot be replayed, don't send it again.
    const after = first.leftOut === null ? await play(then, request, target, confined) : first;
    const second = first.leftOut === null ? await play(now, request, target, confined) : first;
    const varies = first.hash !== second.hash;
    const mask = varies ? BodyMask.between(first, second) : null;
    const own = partsBetween(first, second, mask);
    const differences = new Map(
      [...partsBetween(first, after, mask)].filter(([part, { after: value }]) => {
        const again = partsBetween(second, after, mask).get(part);
        return again !== undefined && !own.has(part) && again.after === value;
      }),
    );
    return { before: [first, second], after, own, differences };
  }

  #note(request: ShadowRequest, url: string, trio: Trio): void {
    const { method = 'GET' } = request.request;
    const kind = kindOf(request, trio);
    for (const part of trio.own.keys()) this.#noise.varied(kind, part, { method, url });
    for (const { bypassed } of [trio.before[0], trio.after]) for (const id of bypassed) this.#bypassed.add(id);
    if (!this.#kinds.has(kind)) this.#kinds.set(kind, { request, sides: [sideOf(trio.before[0]), sideOf(trio.after)] });
    const times = trio.before.map(({ milliseconds }) => milliseconds);
    this.#latencies.add(kind, times, trio.after.milliseconds);
    const [{ upstream }] = trio.before;
    if (upstream === trio.after.upstream) return;
    const move = JSON.stringify([upstream, trio.after.upstream]);
    if (!this.#kinds.has(move)) this.#kinds.set(move, { request, sides: [sideOf(trio.before[0]), sideOf(trio.after)] });
    this.#moved.add(move, times, trio.after.milliseconds);
  }

  /** Returns a server that uses the same module instances but has no stateful handlers, logs, or statistics. */
  #probe(server: Server, side: 'before' | 'after'): Server {
    const known = this.#probed[side];
    let probed = known.get(server);
    if (probed === undefined) {
      const redirects = this.#apps[side].redirects.get(server.name) ?? null;
      probed = server.rehearsed(shadowProbe, side === 'after' ? (redirects?.proposed() ?? null) : redirects);
      known.set(server, probed);
    }
    return probed;
  }

  #report(ms: number): ShadowReport {
    const { recorded, live } = this.#replayed;
    const total = recorded + live;
    const different = new Groups('replayed');
    const unsteady = new Groups('replayed', ' intermittently');
    const counts = { different: 0, unsteady: 0 };
    for (const found of this.#found) {
      const differences = this.#noise.unexplained(found);
      if (differences.length === 0) continue;
      counts[found.steady ? 'different' : 'unsteady']++;
      const { method, url, sides } = found;
      (found.steady ? different : unsteady).add({ method, url, source: found.request.source }, sides, differences);
    }
    const slow = new Groups('replayed');
    const slower = this.#latencies.slower();
    for (const { kind, before, after } of slower.length > 0 ? slower : this.#moved.slower())
      this.#addSlow(slow, kind, [before, after]);
    const reports = [different, slow, unsteady].map((groups) => groups.report(total));
    return {
      recorded,
      live,
      same: total - counts.different - counts.unsteady,
      ...counts,
      not_replayed: this.#queue.length,
      groups: reports.flatMap(({ groups }) => groups),
      more_groups: reports.reduce((sum, { more }) => sum + more, 0),
      left_out: [...this.#leftOut.values()].toSorted((a, b) => b.count - a.count),
      bypassed: [...this.#bypassed].toSorted(),
      noise: this.#noise.report(),
      latency_ms: this.#latencies.report(),
      ms,
    };
  }

  #addSlow(groups: Groups, kind: string, [before, after]: readonly [number, number]): void {
    const known = this.#kinds.get(kind);
    if (known === undefined) return;
    const { request, sides } = known;
    const difference: Difference = { aspect: 'latency', name: '', before: timeOf(before), after: timeOf(after) };
    const { method = 'GET', url } = request.request;
    groups.add({ method, url: redactQuery(url), source: request.source }, sides, [difference]);
  }
}

function timeOf(milliseconds: number): string {
  return `${Math.round(milliseconds)} ms`;
}

/** Returns the kind of a request. Requests of the same kind share variation and latency statistics. */
function kindOf({ request: { url, method = 'GET' } }: ShadowRequest, { before: [{ route }] }: Trio): string {
  return JSON.stringify([URL.parse(url)?.host ?? '', method, route]);
}

function reasonOf({ before, after }: Trio): string | null {
  const [first, second] = before;
  if (first.end === 'timeout' || second.end === 'timeout') return 'the current response already takes more than 10 s';
  return first.leftOut ?? second.leftOut ?? after.leftOut;
}

function sideOf({ status, route, upstream, end, size, milliseconds }: Played): Side {
  const shown: Record<string, Json> = { status, route, upstream, bytes: size, ms: Math.round(milliseconds * 10) / 10 };
  return { route, shown: end === 'complete' ? shown : { ...shown, end } };
}
