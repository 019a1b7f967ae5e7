/** Compares explanations with responses received over sockets, including each header field. */
import { loadExplain, type ExplainRequest, type Explanation } from '@sluice/http-analysis';
import { httpApp, LoopbackConnections } from '@sluice/http-app';
import { serve, type TestServer } from '@sluice/testing';
import { Random } from '../differential/random.ts';
import { send } from './client.ts';
import { configurationOf } from './configuration.ts';
import { compareFacts, type Happened, type Tally } from './facts.ts';
import { requestOf, type GeneratedRequest } from './requests.ts';
import { differenceOf, maxTraced, recordTraces, type Trace } from './traced.ts';
import { World } from './world.ts';

/** A mismatch between explanation and response, with all data needed to reproduce it. */
export interface Contradiction {
  readonly what: string;
  readonly explained: unknown;
  readonly happened: unknown;
  readonly question: unknown;
  readonly configuration: unknown;
}

export interface Comparison {
  requests: number;
  unknown: number;
  readonly contradictions: Contradiction[];
  /** Names of the handlers that ended requests. */
  readonly handlers: Set<string>;
  /** Number of outcomes by kind. A comparison with only empty responses would prove nothing. */
  readonly kinds: Map<string, number>;
  /** Number of requests whose traces were compared with their explanations. The comparison covers each route, matcher and handler. */
  traced: number;
  /** Duration of each explanation in milliseconds. */
  readonly times: number[];
  /**
   * Number of compared properties, and number of properties that the explanation reports as unknown. Properties are statuses, header
   * fields, bodies, upstreams, and fields sent to upstreams.
   */
  readonly facts: Tally;
  /** Number of requests that reached an upstream. */
  proxied: number;
}

export interface ComparisonPlan {
  readonly seed: number;
  readonly hosts: number;
  readonly configurations: number;
  /** Requests per configuration. */
  readonly requests: number;
}

/** Compares explanations with actual outcomes. Stops after ten contradictions. */
export async function compareExplanations(plan: ComparisonPlan): Promise<Comparison> {
  const comparison: Comparison = {
    requests: 0,
    unknown: 0,
    traced: 0,
    contradictions: [],
    handlers: new Set(),
    kinds: new Map(),
    times: [],
    facts: { known: 0, unknown: 0 },
    proxied: 0,
  };
  const server = await serve({ apps: {} }, { register: [], standard: true });
  const world = await World.open();
  try {
    for (let number = 0; number < plan.configurations && comparison.contradictions.length < 10; number++)
      await compareOne({ server, world }, plan, number, comparison);
  } finally {
    await server.close();
    world.close();
  }
  return comparison;
}

interface Stage {
  readonly server: TestServer;
  readonly world: World;
}

async function compareOne(stage: Stage, plan: ComparisonPlan, number: number, found: Comparison): Promise<void> {
  const { server, world } = stage;
  const random = new Random(plan.seed * 7919 + plan.hosts * 31 + number);
  const configuration = configurationOf(random, plan.hosts, world);
  await server.reconciler.load(configuration, { force: false });
  const app = server.runtime.app(httpApp);
  const running = app?.servers.get('s');
  if (app === null || running === undefined) throw new Error('the configuration has no server');
  const { document, registry, sources } = server.reconciler;
  const { Explainer } = await loadExplain();
  // Re-evaluates every route that the route index skips, unless there are too many hosts.
  const explainer = new Explainer(plan.hosts > 1000 ? 1000 : Number.POSITIVE_INFINITY);
  const asked = { app, document, registry, sources };
  const named = plan.hosts > 5 ? `seed ${plan.seed}, number ${number}` : configuration;
  const connections = new LoopbackConnections(running);
  for (let left = plan.requests; left > 0; left -= maxTraced) {
    const requests = Array.from({ length: Math.min(left, maxTraced) }, () => requestOf(random, plan.hosts, world));
    const explanations: Explanation[] = [];
    for (const { question } of requests) {
      // A long timeout prevents aborted explanations on a busy machine. The duration of each explanation is measured separately.
      const explanation = await explainer.explain(question, asked, 60_000);
      explanations.push(explanation);
      found.times.push(explanation.ms);
    }
    const responses: Happened[] = [];
    const traces = await recordTraces(server, requests.length, async () => {
      for (const { message, facts } of requests) {
        world.take();
        const response = await send(connections, message, facts);
        responses.push({ response, received: world.take(), dead: world.dead });
      }
    });
    for (const [i, request] of requests.entries())
      note(found, explanations[i] as Explanation, {
        request,
        configuration: named,
        happened: responses[i] as Happened,
        trace: traces[i],
      });
  }
  await connections.close();
  explainer.close();
}

interface Played {
  readonly request: GeneratedRequest;
  readonly configuration: unknown;
  readonly happened: Happened;
  readonly trace: Trace | undefined;
}

function note(found: Comparison, explanation: Explanation, played: Played): void {
  const { outcome, disagreement } = explanation;
  const { request, configuration, happened, trace } = played;
  found.requests++;
  if (happened.received.length > 0) found.proxied++;
  found.kinds.set(outcome.kind, (found.kinds.get(outcome.kind) ?? 0) + 1);
  if (outcome.handler !== null) found.handlers.add(outcome.handler);
  const report = (what: string, explained: unknown, happenedThere: unknown): void => {
    const question: ExplainRequest = { ...request.question, responses: [] };
    found.contradictions.push({ what, explained, happened: happenedThere, question, configuration });
  };
  if (disagreement.length > 0) report('index', disagreement, null);
  if (outcome.kind === 'unknown') found.unknown++;
  compareFacts(explanation, happened, { tally: found.facts, tell: report });
  // If the explanation has several possible paths, their common part is not the outcome of a single request.
  if (trace === undefined || explanation.paths.length > 1 || outcome.kind === 'unknown' || outcome.kind === 'outward')
    return;
  found.traced++;
  const difference = differenceOf(explanation, trace);
  if (difference !== null) report('trace', ...difference);
}
