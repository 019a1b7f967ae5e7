/** Sends generated requests through generated configurations. Finds requests that reach a route reported as unreachable by `sluice lint`. */
import type { Json } from '@sluice/base';
import type { Exchange } from '@sluice/http-app';
import type { Register } from '@sluice/registry';
import { sampleTls, serve, type TestServer } from '@sluice/testing';
import { Random } from '../differential/random.ts';
import { exchangeOf } from '../exchange.ts';
import type { Claim } from './claims.ts';
import { Marks } from './marks.ts';
import type { ReachRequest } from './requests.ts';
import { Situation } from './situation.ts';

export interface TrialPlan {
  readonly seed: number;
  readonly requests: number;
  /** Requests per configuration. */
  readonly each: number;
  /** Modules with wrong declarations. They verify that the trial detects wrong claims. */
  readonly planted?: Register;
}

/** A request that reached a route reported as unreachable. */
export interface WrongClaim {
  readonly claim: Claim;
  readonly request: ReachRequest;
  readonly configuration: Json;
}

export interface TrialResult {
  requests: number;
  configurations: number;
  /**
   * Number of routes and handlers. The next properties count the unreachable routes and handlers, and the reachable routes and handlers
   * that a request reached.
   */
  places: number;
  unreachable: number;
  reached: number;
  /** Number of requests that target a route reported as unreachable. */
  aimed: number;
  /** Number of claims by lint check code. */
  readonly claims: Map<string, number>;
  readonly wrong: WrongClaim[];
}

/** Number of wrong claims after which the trial stops. */
const maxWrong = 5;

/** Number of configurations per server. Afterward, a new server is started, because a server keeps a history of configuration changes. */
const configurationsOfServer = 500;

/** Runs the trial. Stops after a few wrong claims. */
export async function tryClaims(plan: TrialPlan): Promise<TrialResult> {
  const result: TrialResult = {
    requests: 0,
    configurations: 0,
    places: 0,
    unreachable: 0,
    reached: 0,
    aimed: 0,
    claims: new Map(),
    wrong: [],
  };
  const marks = new Marks();
  const register = plan.planted === undefined ? [marks.register] : [marks.register, plan.planted];
  while (result.requests < plan.requests && result.wrong.length < maxWrong) {
    const server = await serve({ apps: {} }, { register, standard: true });
    try {
      const max = result.configurations + configurationsOfServer;
      while (result.configurations < max && result.requests < plan.requests && result.wrong.length < maxWrong)
        await tryOne(server, marks, plan, result);
    } finally {
      await server.close();
    }
  }
  return result;
}

async function tryOne(server: TestServer, marks: Marks, { seed, each }: TrialPlan, result: TrialResult): Promise<void> {
  const random = new Random(seed * 7919 + result.configurations++);
  const situation = await Situation.begin(server, random, { scheme: random.pick(['http', 'http', 'https', 'both']) });
  for (const { code } of situation.claims) result.claims.set(code, (result.claims.get(code) ?? 0) + 1);
  const everywhere = new Set<string>();
  for (let i = 0; i < each; i++) {
    const { request, isAimed } = situation.request();
    const reached = await marks.during(() => situation.running.handle(exchangeFor(request)));
    result.requests++;
    if (isAimed) result.aimed++;
    for (const place of reached) everywhere.add(place);
    const claim = situation.wrongClaim(reached);
    if (claim !== null && result.wrong.length < maxWrong)
      result.wrong.push({ claim, request, configuration: situation.document });
  }
  result.places += situation.places.length;
  result.unreachable += situation.unreachable.size;
  result.reached += everywhere.size;
}

/** Creates an HTTP exchange for a request without a network connection. */
export function exchangeFor({ message, overTls, client }: ReachRequest): Exchange {
  return exchangeOf(message, { tls: overTls ? sampleTls : null, remoteAddress: client }).exchange;
}
