/** Sends generated requests through generated configurations and finds those that reach a route which `sluice lint` called unreachable. */
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
  /** Modules with wrong declarations, to verify that wrong claims are found. */
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
  /** Numbers of routes and handlers, of unreachable ones, and of other ones that were reached. */
  places: number;
  unreachable: number;
  reached: number;
  /** Number of requests for routes that were reported as unreachable. */
  aimed: number;
  /** Number of claims by check code. */
  readonly claims: Map<string, number>;
  readonly wrong: WrongClaim[];
}

/** Maximum number of wrong claims before the trial ends. */
const maxWrong = 5;

/** Number of configurations after which a new server starts, because servers keep a history of changes. */
const configurationsOfServer = 500;

/** Runs the trial. Ends after a few wrong claims. */
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

/** Creates the exchange of a request in this process. */
export function exchangeFor({ message, overTls, client }: ReachRequest): Exchange {
  return exchangeOf(message, { tls: overTls ? sampleTls : null, remoteAddress: client }).exchange;
}
