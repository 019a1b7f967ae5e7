/** Reads request traces from `POST /traces` and extracts the parts that explanations must match. */
import type { Explanation } from '@sluice/http-analysis';
import type { TestServer } from '@sluice/testing';

type Step = Explanation['paths'][number]['steps'][number];

/** A step of a trace: a handler and whether it passed the request on, or a matcher and its result. */
interface TracedStep {
  readonly path: string;
  readonly kind: 'handler' | 'matcher';
  readonly verdict: boolean;
}

/** The parts of a trace that are compared. */
export interface Trace {
  readonly id: string;
  readonly route: string | null;
  readonly error: string | null;
  readonly response: { readonly status: number };
  readonly steps: readonly TracedStep[];
}

/** Maximum number of requests in one trace recording. */
export const maxTraced = 100;

/** Maximum number of handler steps, and maximum number of matcher steps, in one trace. */
const maxSteps = { handler: 200, matcher: 100 };

/**
 * Records requests that are sent one after another. Returns their traces in order. A trace is `undefined` if the server discarded it
 * because of the total size limit.
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

/** Returns the first difference between an explanation and its trace, or `null` if they agree. */
export function differenceOf({ paths, outcome }: Explanation, trace: Trace): readonly [unknown, unknown] | null {
  const { routes } = outcome;
  if (trace.route === null ? routes.length > 0 : !routes.includes(trace.route))
    return [{ routes }, { route: trace.route }];
  if (outcome.kind !== 'abort' && outcome.status !== trace.response.status)
    return [{ status: outcome.status }, { status: trace.response.status }];
  const error = outcome.error?.message ?? null;
  // For a declared failure, the explanation contains a generic message instead of the system's error message.
  const isDeclared = error?.startsWith('it is declared') === true && trace.error !== null;
  if (error !== trace.error && !isDeclared) return [{ error }, { error: trace.error }];
  // A trace that exceeds the size limit contains no steps.
  if (trace.steps.length === 0) return null;
  const steps = paths[0] === undefined ? [] : flattened(paths[0].steps);
  for (const kind of ['handler', 'matcher'] as const) {
    // The step tree is not in chronological order, because response steps are nested in their handler.
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

/** Reports whether the second list contains every line of the first list, at least as many times. Both lists must be sorted. */
function isWithin(lines: readonly string[], all: readonly string[]): boolean {
  let found = 0;
  for (const line of all) if (line === lines[found]) found++;
  return found === lines.length;
}

function lineOf({ path, verdict }: { readonly path: string; readonly verdict: unknown }): string {
  return `${path} ${String(verdict)}`;
}

/** Flattens a tree of steps. Each step precedes its children. */
function flattened(steps: readonly Step[]): readonly Step[] {
  return steps.flatMap((step) => [step, ...flattened(step.steps)]);
}
