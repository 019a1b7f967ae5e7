/** What was explained, and what has happened. */
import { httpApp, loadExplain, type Explanation } from '@sluice/http-app';
import { serve, type TestServer } from '@sluice/testing';
import { Random } from '../differential/random.ts';
import type { CutResponse } from '../exchange.ts';
import { configurationOf } from './configuration.ts';
import { requestOf, type GeneratedRequest } from './requests.ts';

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
  await server.engine.load(configuration, { force: false });
  const app = server.runtime.app(httpApp);
  const running = app?.servers.get('s');
  if (app === null || running === undefined) throw new Error('the configuration has no server');
  const { document, registry, sources } = server.engine;
  const { Explainer } = await loadExplain();
  // Every route that the index leaves out is looked at, but where that would take the time of all else.
  const explainer = new Explainer(plan.hosts > 1000 ? 1000 : Number.POSITIVE_INFINITY);
  for (let i = 0; i < plan.requests; i++) {
    const request = requestOf(random, plan.hosts);
    // The machine may be busy: how long it takes is measured, and does not end it.
    const explanation = await explainer.explain(request.question, { app, document, registry, sources }, 60_000);
    const { exchange, response } = request.exchange();
    await running.handle(exchange);
    found.requests++;
    found.times.push(explanation.ms);
    note(found, explanation, response, {
      request,
      configuration: plan.hosts > 5 ? `seed ${plan.seed}, number ${number}` : configuration,
    });
  }
  explainer.close();
}

interface Played {
  readonly request: GeneratedRequest;
  readonly configuration: unknown;
}

function note(
  found: Comparison,
  explanation: Explanation,
  response: CutResponse,
  { request, configuration }: Played,
): void {
  const { outcome, disagreement } = explanation;
  found.kinds.set(outcome.kind, (found.kinds.get(outcome.kind) ?? 0) + 1);
  if (outcome.handler !== null) found.handlers.add(outcome.handler);
  const contradict = (what: string, explained: unknown, happened: unknown): void => {
    found.contradictions.push({ what, explained, happened, question: request.question, configuration });
  };
  if (disagreement.length > 0) contradict('index', disagreement, null);
  if (outcome.kind === 'unknown') {
    found.unknown++;
    return;
  }
  if ((outcome.kind === 'abort') !== response.cut) contradict('cut', outcome, response.cut);
  else if (outcome.kind === 'abort') return;
  else if (outcome.status !== response.status) contradict('status', outcome, response.status);
  else compareBodies(outcome, response, contradict);
}

/** Error pages show a number that is drawn for each error. */
function withoutErrorId(body: string): string {
  return body.replace(/Error [a-z0-9]{9}</, 'Error <');
}

function compareBodies(
  outcome: Explanation['outcome'],
  response: CutResponse,
  contradict: (what: string, explained: unknown, happened: unknown) => void,
): void {
  const body = response.body.toString();
  if (withoutErrorId(outcome.body ?? '') !== withoutErrorId(body)) contradict('body', outcome, body);
  // A body names the handler that wrote it.
  else if (body.startsWith('apps.') && outcome.handler !== body) contradict('handler', outcome, body);
  const fields: Record<string, string[]> = {};
  for (const [name, value] of response.sent ?? response.headers) (fields[name] ??= []).push(value);
  if (JSON.stringify(fields) !== JSON.stringify(outcome.headers)) contradict('fields', outcome, fields);
}
