/** Request traces from `POST /traces`, and the parts that explanations must confirm. */
import type { Explanation } from '@sluice/http-analysis';
import type { TestServer } from '@sluice/testing';

type Step = Explanation['paths'][number]['steps'][number];

/** A handler that ran and whether it passed the request on, or a matcher and its result. */
interface TracedStep {
  readonly path: string;
  readonly kind: 'handler' | 'matcher';
  readonly verdict: boolean;
}

/** The compared part of a trace. */
export interface Trace {
  readonly id: string;
  readonly route: string | null;
  readonly error: string | null;
  readonly response: { readonly status: number };
  readonly steps: readonly TracedStep[];
}

/** Maximum number of requests in one recording. */
export const maxTraced = 100;

/** Maximum numbers of handlers and matchers in one trace. */
const maxSteps = { handler: 200, matcher: 100 };

/**
 * Records requests that are sent one after another. Returns their traces in order, with `undefined` for traces discarded by the total size
 * limit.
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

/** Returns the difference between an explanation and its trace, or `null` if they agree. */
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
  // A trace above the size limit has no steps.
  if (trace.steps.length === 0) return null;
  const steps = paths[0] === undefined ? [] : flattened(paths[0].steps);
  for (const kind of ['handler', 'matcher'] as const) {
    // A tree is not in chronological order: response steps are nested in their handler.
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

/** Reports whether all lines of the first list are in the second, at least as often. Both are sorted. */
function isWithin(lines: readonly string[], all: readonly string[]): boolean {
  let found = 0;
  for (const line of all) if (line === lines[found]) found++;
  return found === lines.length;
}

function lineOf({ path, verdict }: { readonly path: string; readonly verdict: unknown }): string {
  return `${path} ${String(verdict)}`;
}

/** Returns all steps, each before its children. */
function flattened(steps: readonly Step[]): readonly Step[] {
  return steps.flatMap((step) => [step, ...flattened(step.steps)]);
}
