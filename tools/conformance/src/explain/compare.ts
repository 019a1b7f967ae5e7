/** What was explained, and what has happened. */
import { loadExplain, type Explanation } from '@sluice/http-analysis';
import { httpApp } from '@sluice/http-app';
import { serve, type TestServer } from '@sluice/testing';
import { Random } from '../differential/random.ts';
import type { CutResponse } from '../exchange.ts';
import { configurationOf } from './configuration.ts';
import { requestOf, type GeneratedRequest } from './requests.ts';
import { differenceOf, mostTraced, recordTraces } from './traced.ts';

/** A contradiction, with all that is needed to play it again. */
export interface Contradiction {
  readonly what: string;
  readonly explained: unknown;
  readonly happened: unknown;
  readonly question: unknown;
  readonly configuration: unknown;
}

/** What was found. */
export interface Comparison {
  requests: number;
  unknown: number;
  readonly contradictions: Contradiction[];
  /** Handlers that ended requests. */
  readonly handlers: Set<string>;
  /** How often each kind of outcome was met: a comparison of nothing but empty responses would prove nothing. */
  readonly kinds: Map<string, number>;
  /** Requests whose traces were compared with what was explained: every route, matcher and handler on their way. */
  traced: number;
  /** How long each explanation took, in milliseconds. */
  readonly times: number[];
}

/** How much to compare. */
export interface ComparisonPlan {
  readonly seed: number;
  readonly hosts: number;
  readonly configurations: number;
  /** Requests to each configuration. */
  readonly requests: number;
}

/** Compares; contradictions end it after ten. */
export async function compareExplanations(plan: ComparisonPlan): Promise<Comparison> {
  const comparison: Comparison = {
    requests: 0,
    unknown: 0,
    traced: 0,
    contradictions: [],
    handlers: new Set(),
    kinds: new Map(),
    times: [],
  };
  const server = await serve({ apps: {} }, { register: [], standard: true });
  try {
    for (let number = 0; number < plan.configurations && comparison.contradictions.length < 10; number++)
      await compareOne(server, plan, number, comparison);
  } finally {
    await server.close();
  }
  return comparison;
}

async function compareOne(server: TestServer, plan: ComparisonPlan, number: number, found: Comparison): Promise<void> {
  const random = new Random(plan.seed * 7919 + plan.hosts * 31 + number);
  const configuration = configurationOf(random, plan.hosts);
  await server.reconciler.load(configuration, { force: false });
  const app = server.runtime.app(httpApp);
  const running = app?.servers.get('s');
  if (app === null || running === undefined) throw new Error('the configuration has no server');
  const { document, registry, sources } = server.reconciler;
  const { Explainer } = await loadExplain();
  // Every route that the index leaves out is looked at, but where that would take the time of all else.
  const explainer = new Explainer(plan.hosts > 1000 ? 1000 : Number.POSITIVE_INFINITY);
  const asked = { app, document, registry, sources };
  const named = plan.hosts > 5 ? `seed ${plan.seed}, number ${number}` : configuration;
  for (let left = plan.requests; left > 0; left -= mostTraced) {
    const requests = Array.from({ length: Math.min(left, mostTraced) }, () => requestOf(random, plan.hosts));
    const explanations: Explanation[] = [];
    for (const { question } of requests) {
      // The machine may be busy: how long it takes is measured, and does not end it.
      const explanation = await explainer.explain(question, asked, 60_000);
      explanations.push(explanation);
      found.times.push(explanation.ms);
    }
    const responses: CutResponse[] = [];
    const traces = await recordTraces(server, requests.length, async () => {
      for (const request of requests) {
        const { exchange, response } = request.exchange();
        await running.handle(exchange);
        responses.push(response);
      }
    });
    for (const [i, request] of requests.entries()) {
      const explanation = explanations[i] as Explanation;
      const played = { request, configuration: named };
      found.requests++;
      note(found, explanation, responses[i] as CutResponse, played);
      const trace = traces[i];
      if (trace === undefined || explanation.outcome.kind === 'unknown') continue;
      found.traced++;
      const difference = differenceOf(explanation, trace);
      if (difference !== null) contradict(found, played, ['trace', ...difference]);
    }
  }
  explainer.close();
}

type Tell = (what: string, explained: unknown, happened: unknown) => void;

interface Played {
  readonly request: GeneratedRequest;
  readonly configuration: unknown;
}

/** Adds a contradiction: what it is about, what was explained, and what has happened. */
function contradict(
  found: Comparison,
  { request, configuration }: Played,
  [what, explained, happened]: readonly [string, unknown, unknown],
): void {
  found.contradictions.push({ what, explained, happened, question: request.question, configuration });
}

function note(found: Comparison, explanation: Explanation, response: CutResponse, played: Played): void {
  const { outcome, disagreement } = explanation;
  found.kinds.set(outcome.kind, (found.kinds.get(outcome.kind) ?? 0) + 1);
  if (outcome.handler !== null) found.handlers.add(outcome.handler);
  const tell: Tell = (...differs) => contradict(found, played, differs);
  if (disagreement.length > 0) tell('index', disagreement, null);
  if (outcome.kind === 'unknown') {
    found.unknown++;
    return;
  }
  if ((outcome.kind === 'abort') !== response.cut) tell('cut', outcome, response.cut);
  else if (outcome.kind === 'abort') return;
  else if (outcome.status !== response.status) tell('status', outcome, response.status);
  else compareBodies(outcome, response, tell);
}

/** Error pages show a number that is drawn for each error. */
function withoutErrorId(body: string): string {
  return body.replace(/Error [a-z0-9]{9}</, 'Error <');
}

function compareBodies(outcome: Explanation['outcome'], response: CutResponse, tell: Tell): void {
  const body = response.body.toString();
  if (withoutErrorId(outcome.body ?? '') !== withoutErrorId(body)) tell('body', outcome, body);
  // A body names the handler that wrote it.
  else if (body.startsWith('apps.') && outcome.handler !== body) tell('handler', outcome, body);
  const fields: Record<string, string[]> = {};
  for (const [name, value] of response.sent ?? response.headers) (fields[name] ??= []).push(value);
  if (JSON.stringify(fields) !== JSON.stringify(outcome.headers)) tell('fields', outcome, fields);
}
