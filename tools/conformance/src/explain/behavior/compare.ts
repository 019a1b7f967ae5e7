/** Compares predicted behavior changes with the changes observed by replaying the requests after the configuration change. */
import { unescapePath, type Json } from '@sluice/base';
import { loadBehavior, loadExplain, type ComparedOne } from '@sluice/http-analysis';
import { httpApp, LoopbackConnections } from '@sluice/http-app';
import { serve, type TestServer } from '@sluice/testing';
import { Random } from '../../differential/random.ts';
import { send, type WireResponse } from '../client.ts';
import { configurationOf } from '../configuration.ts';
import { requestOf, type GeneratedRequest } from '../requests.ts';
import { World, type Received } from '../world.ts';
import { mutate } from './mutate.ts';

export interface BehaviorComparison {
  pairs: number;
  requests: number;
  /** Number of requests whose replayed response differs. */
  changed: number;
  undecided: number;
  /** Number of requests that are handled by different handlers but have the same result. */
  unseen: number;
  /** Number of requests whose upstream depends on earlier requests or on random selection. A replay is not conclusive for these requests. */
  drawn: number;
  /** Number of requests that the change cannot affect. The server does not compare these requests. */
  unaffected: number;
  readonly reasons: Map<string, number>;
  readonly contradictions: object[];
}

export interface BehaviorPlan {
  readonly seed: number;
  /** Number of the first pair to compare. Default: 0. */
  readonly from?: number;
  readonly pairs: number;
  /** Requests per pair. */
  readonly requests: number;
}

/** The response that a client received and the requests that the upstreams received. */
interface Seen {
  readonly response: WireResponse;
  readonly received: readonly Received[];
}

/** Compares predictions for pairs of configurations. Stops after five contradictions. */
export async function comparePredictions({
  seed,
  from = 0,
  pairs,
  requests,
}: BehaviorPlan): Promise<BehaviorComparison> {
  const found: BehaviorComparison = {
    pairs: 0,
    requests: 0,
    changed: 0,
    undecided: 0,
    unseen: 0,
    drawn: 0,
    unaffected: 0,
    reasons: new Map(),
    contradictions: [],
  };
  const server = await serve({ apps: {} }, { register: [], standard: true });
  const world = await World.open();
  try {
    while (found.pairs < pairs && found.contradictions.length < 5) {
      const random = new Random(seed * 104_729 + from + found.pairs);
      await compareOne({ server, world, random }, requests, found);
      found.pairs++;
    }
  } finally {
    await server.close();
    world.close();
  }
  return found;
}

interface Stage {
  readonly server: TestServer;
  readonly world: World;
  readonly random: Random;
}

async function compareOne(stage: Stage, count: number, found: BehaviorComparison): Promise<void> {
  const { server, world, random } = stage;
  const hosts = random.integer(1, 3);
  const before = configurationOf(random, hosts, world);
  const requests = Array.from({ length: count }, () => requestOf(random, hosts, world));
  await server.reconciler.load(before, { force: false });
  const after = await validMutation(stage, before);
  const verdicts = await predict(server, after, requests, found);
  const then = await replay(server, world, requests);
  await server.reconciler.load(after, { force: false });
  const now = await replay(server, world, requests);
  const doubtful: Doubtful[] = [];
  for (const [i, request] of requests.entries()) {
    const [was, is, predicted] = [then[i] as Seen, now[i] as Seen, verdicts[i] as ComparedOne];
    const contradiction = note(found, { request, was, is, predicted, before, after });
    if (contradiction !== null) doubtful.push({ request, contradiction });
  }
  if (doubtful.length === 0) return;
  const unstable = await unstableOf(stage, doubtful);
  await server.reconciler.load(before, { force: false });
  for (const each of await unstableOf(stage, doubtful)) unstable.add(each);
  found.drawn += unstable.size;
  found.requests -= unstable.size;
  for (const each of doubtful) if (!unstable.has(each)) found.contradictions.push(each.contradiction);
}

interface Doubtful {
  readonly request: GeneratedRequest;
  readonly contradiction: object;
}

/** Number of times that a request with an unexpected result is repeated. */
const repetitions = 8;

/** Returns the requests whose results vary even with an unchanged configuration, for example because a policy selects random upstreams. */
async function unstableOf({ server, world }: Stage, doubtful: readonly Doubtful[]): Promise<Set<Doubtful>> {
  const unstable = new Set<Doubtful>();
  for (const each of doubtful) {
    const results = await replay(server, world, Array<GeneratedRequest>(repetitions).fill(each.request));
    if (new Set(results.map(visible)).size > 1) unstable.add(each);
  }
  return unstable;
}

/** Returns a random configuration change that the server accepts. */
async function validMutation({ server, world, random }: Stage, before: Json): Promise<Json> {
  for (;;) {
    const after = mutate(random, before, world);
    try {
      await server.reconciler.tryOut(after, () => Promise.resolve());
      return after;
    } catch {
      // The server rejected the change, for example because a handler may not come first.
    }
  }
}

async function predict(
  server: TestServer,
  after: Json,
  requests: readonly GeneratedRequest[],
  found: BehaviorComparison,
): Promise<ComparedOne[]> {
  const { Explainer } = await loadExplain();
  const { affectedBy, compareRequest } = await loadBehavior();
  const explainer = new Explainer(0);
  const { registry, document } = server.reconciler;
  const predicted: ComparedOne[] = [];
  await server.reconciler.tryOut(after, async (apps) => {
    const [now, then] = [server.runtime.app(httpApp), apps.app(httpApp)];
    if (now === null || then === null) throw new Error('a configuration has no http app');
    const compared = {
      before: { app: now, document, registry, sources: null },
      after: { app: then, document: after, registry, sources: null, isProposed: true },
    };
    const isAffected = affectedBy(compared.before, compared.after);
    for (const { question } of requests) predicted.push(await compareRequest(explainer, question, compared));
    for (const [i, { question }] of requests.entries()) {
      const url = URL.parse(question.url);
      if (isAffected === null || url === null || isAffected({ host: url.host, path: unescapePath(url.pathname) }))
        continue;
      found.unaffected++;
      const { verdict } = predicted[i] as ComparedOne;
      if (verdict.kind === 'different')
        found.contradictions.push({ unaffected: question, verdict, before: document, after });
    }
  });
  explainer.close();
  return predicted;
}

async function replay(server: TestServer, world: World, requests: readonly GeneratedRequest[]): Promise<Seen[]> {
  const running = server.runtime.app(httpApp)?.servers.get('s');
  if (running === undefined) throw new Error('the configuration has no server');
  const connections = new LoopbackConnections(running);
  const seen: Seen[] = [];
  for (const { message, facts } of requests) {
    world.take();
    const response = await send(connections, message, facts);
    seen.push({ response, received: world.take() });
  }
  await connections.close();
  return seen;
}

interface Noted {
  readonly request: GeneratedRequest;
  readonly was: Seen;
  readonly is: Seen;
  readonly predicted: ComparedOne;
  readonly before: Json;
  readonly after: Json;
}

/** Handlers whose effect may not be visible in a single request. For example, a limit is not reached, or a response is not compressed. */
const ofHandlers: ReadonlySet<string> = new Set(['authentication', 'rate_limit', 'cache', 'encoding', 'handlers']);

/** Counts a request. Returns the contradiction between its prediction and its replay, or `null`. */
function note(found: BehaviorComparison, noted: Noted): object | null {
  const { request, was, is, predicted, before, after } = noted;
  const { verdict } = predicted;
  // A load balancing policy that depends on earlier requests may select another upstream even without a configuration change.
  if (![predicted.before, predicted.after].every((each) => isEvaluated(each))) {
    found.drawn++;
    return null;
  }
  const [then, now] = [visible(was), visible(is)];
  const hasChanged = then !== now;
  found.requests++;
  if (hasChanged) found.changed++;
  if (verdict.kind === 'undecided') {
    found.undecided++;
    found.reasons.set(verdict.reason, (found.reasons.get(verdict.reason) ?? 0) + 1);
    return null;
  }
  if ((verdict.kind === 'different') === hasChanged) return null;
  // The replay uses one possible value of an unknown fact. That fact may matter in only one configuration, so other values may cause the
  // difference.
  const isConditional = [predicted.before, predicted.after].some((each) => (each?.unknown.length ?? 0) > 0);
  if (
    verdict.kind === 'different' &&
    (isConditional || verdict.differences.every(({ aspect }) => ofHandlers.has(aspect)))
  ) {
    found.unseen++;
    return null;
  }
  const question = { ...request.question, responses: request.question.responses?.length ?? 0 };
  return { question, verdict, was: JSON.parse(then), is: JSON.parse(now), before, after };
}

function isEvaluated(explanation: ComparedOne['after']): boolean {
  return (
    explanation?.paths.every(
      ({ assumed, outcome: { upstream } }) =>
        (upstream === null || upstream.known === 'evaluated') && assumed.every((each) => each.upstream === undefined),
    ) ?? true
  );
}

/** Header fields that depend on the time or the connection. */
const ofMoment: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'set-cookie']);

/** Returns the deterministic parts of a response. */
function visible({ response, received }: Seen): string {
  const { status, headers, body, cut } = response;
  const lines = (fields: Readonly<Record<string, readonly string[]>>): object =>
    Object.fromEntries(
      Object.entries(fields)
        .filter(([name]) => !ofMoment.has(name))
        .map(([name, values]): [string, string] => [name, values.join(', ')])
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    );
  // Error pages contain a random ID, which also changes the length of a compressed page.
  const isDrawn = status >= 400 && headers['content-encoding'] !== undefined;
  const { 'content-length': _, ...others } = headers;
  return JSON.stringify({
    status,
    cut,
    headers: lines(isDrawn ? others : headers),
    body: isDrawn ? '' : body.toString('latin1').replace(/Error [a-z0-9]{9}</, 'Error <'),
    received: received.map(({ headers: fields, ...rest }) => ({ ...rest, headers: lines(fields) })),
  });
}
