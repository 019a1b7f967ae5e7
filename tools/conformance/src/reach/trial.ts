/** Sends generated requests through generated configurations, and finds those that get to a route that `sluice lint` called unreachable. */
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

/** How much to try. */
export interface TrialPlan {
  readonly seed: number;
  readonly requests: number;
  /** Requests to each configuration. */
  readonly each: number;
  /** Has modules say what is not true of them, to see that it is found. */
  readonly planted?: Register;
}

/** A request that got to what was called unreachable. */
export interface WrongClaim {
  readonly claim: Claim;
  readonly request: ReachRequest;
  readonly configuration: Json;
}

/** What was found. */
export interface TrialResult {
  requests: number;
  configurations: number;
  /** Routes and handlers; how many of them were called unreachable, and how many others were reached. */
  places: number;
  unreachable: number;
  reached: number;
  /** Requests that were aimed at what was called unreachable. */
  aimed: number;
  /** Claims by the codes of their checks. */
  readonly claims: Map<string, number>;
  readonly wrong: WrongClaim[];
}

/** Most wrong claims that are collected. */
const maxWrong = 5;

/** Servers keep the history of their changes: after so many configurations there is a new one. */
const configurationsOfServer = 500;

/** Tries; it ends after a few wrong claims. */
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
      const most = result.configurations + configurationsOfServer;
      while (result.configurations < most && result.requests < plan.requests && result.wrong.length < maxWrong)
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

/** The exchange of a request, in this process. */
export function exchangeFor({ message, overTls, client }: ReachRequest): Exchange {
  return exchangeOf(message, { tls: overTls ? sampleTls : null, remoteAddress: client }).exchange;
}
