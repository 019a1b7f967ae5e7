/** Traces of requests, as `POST /traces` records them, and what of them an explanation has to agree with. */
import type { Explanation } from '@sluice/http-analysis';
import type { TestServer } from '@sluice/testing';

type Step = Explanation['paths'][number]['steps'][number];

/** A handler that ran, or a matcher that was asked: whether it passed the request on, or what it said. */
interface TracedStep {
  readonly path: string;
  readonly kind: 'handler' | 'matcher';
  readonly verdict: boolean;
}

/** The part of a trace that is compared. */
export interface Trace {
  readonly id: string;
  readonly route: string | null;
  readonly error: string | null;
  readonly response: { readonly status: number };
  readonly steps: readonly TracedStep[];
}

/** Most requests that are recorded at a time: more are not kept. */
export const maxTraced = 100;

/** Handlers and matchers of a request of which traces tell. */
const maxSteps = { handler: 200, matcher: 100 };

/**
 * Has requests recorded that are sent one after another. Their traces, in order; `undefined` for one that was not kept, as all together
 * were too long.
 */
export async function recordTraces(
  server: TestServer,
  count: number,
  send: () => Promise<void>,
): Promise<readonly (Trace | undefined)[]> {
  const { id } = (await server.admin('/traces', { json: { count } })).json() as { id: string };
  await send();
  const { traces } = (await server.admin(`/traces?follow=false&id=${id}`)).json() as { traces: readonly Trace[] };
  await server.admin(`/traces?id=${id}`, { method: 'DELETE' });
  const byNumber = new Map(traces.map((trace) => [Number(trace.id.split('-')[1]), trace]));
  return Array.from({ length: count }, (_, i) => byNumber.get(i + 1));
}

/** What an explanation says and its trace does not, or the other way round; `null` where they agree. */
export function differenceOf({ paths, outcome }: Explanation, trace: Trace): readonly [unknown, unknown] | null {
  const { routes } = outcome;
  if (trace.route === null ? routes.length > 0 : !routes.includes(trace.route))
    return [{ routes }, { route: trace.route }];
  if (outcome.kind !== 'abort' && outcome.status !== trace.response.status)
    return [{ status: outcome.status }, { status: trace.response.status }];
  const error = outcome.error?.message ?? null;
  // The message of a declared failure is not that of the system.
  const isDeclared = error?.startsWith('it is declared') === true && trace.error !== null;
  if (error !== trace.error && !isDeclared) return [{ error }, { error: trace.error }];
  // A trace that is too long has no steps.
  if (trace.steps.length === 0) return null;
  const steps = paths[0] === undefined ? [] : flattened(paths[0].steps);
  for (const kind of ['handler', 'matcher'] as const) {
    // A tree is not in the order of time: what runs for a response stands within the handler that it belongs to.
    const explained = steps
      .filter((step) => step.kind === kind)
      .map(lineOf)
      .sort();
    const traced = trace.steps
      .filter((step) => step.kind === kind)
      .map(lineOf)
      .sort();
    const isCut = traced.length === maxSteps[kind];
    if (isCut ? !isWithin(traced, explained) : explained.join('\n') !== traced.join('\n')) return [explained, traced];
  }
  return null;
}

/** Whether all lines of the first list are in the second one, as often. Both are sorted. */
function isWithin(lines: readonly string[], all: readonly string[]): boolean {
  let found = 0;
  for (const line of all) if (line === lines[found]) found++;
  return found === lines.length;
}

function lineOf({ path, verdict }: { readonly path: string; readonly verdict: unknown }): string {
  return `${path} ${String(verdict)}`;
}

/** All steps, each before those within it. */
function flattened(steps: readonly Step[]): readonly Step[] {
  return steps.flatMap((step) => [step, ...flattened(step.steps)]);
}
