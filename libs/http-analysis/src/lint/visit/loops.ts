/** Follows requests through several redirects or proxies until a loop is certain. */
import type { KnownMatchers } from '../matcher-set.ts';
import type { HandlerModel, ServerModel } from '../model.ts';
import { outcomeOf, type Outcome } from './outcome.ts';
import { keyOf, type Visit } from './visit.ts';

/** A handler that proxies or redirects a request, and the destination. */
export interface Step {
  readonly handler: HandlerModel;
  readonly visit: Visit;
  readonly server: ServerModel;
}

/** Endless loop. */
export interface Loop {
  readonly handlers: readonly HandlerModel[];
  readonly example: Visit;
  /** True if the URI becomes longer in each round of the loop. */
  readonly grows: boolean;
}

/** Maximum number of steps to follow. For comparison, browsers stop after 20 redirects. */
const maxSteps = 24;

/**
 * Length of a URI, and number of steps, after which growth is certain. A relative redirect can double the length in each step, so it would
 * reach megabytes within {@link maxSteps}.
 */
const growth = { length: 8192, steps: 8 } as const;

/** Follows a request from its first server. `next` returns the destination of an outcome, or `null` if the destination is uncertain. */
export function loopFrom(
  start: Visit,
  server: ServerModel,
  known: KnownMatchers,
  next: (outcome: Outcome, at: ServerModel, visit: Visit) => Step | null,
): Loop | null {
  const seen = new Map<string, number>();
  const steps: Pick<Step, 'handler' | 'visit'>[] = [];
  let [visit, at] = [start, server];
  while (steps.length < maxSteps && !(steps.length >= growth.steps && visit.path.length > growth.length)) {
    const key = keyOf(visit);
    const first = seen.get(key);
    if (first !== undefined) return loopOf(steps.slice(first), false);
    seen.set(key, steps.length);
    const outcome = outcomeOf(at, visit, known);
    const step = outcome === null ? null : next(outcome, at, visit);
    if (step === null) return null;
    steps.push({ handler: step.handler, visit });
    [visit, at] = [step.visit, step.server];
  }
  // Each request differed from all earlier requests, because each round made the URI longer.
  const loop = loopOf(steps.slice(-8), true);
  return loop === null ? null : { ...loop, example: start };
}

function loopOf(steps: readonly Pick<Step, 'handler' | 'visit'>[], grows: boolean): Loop | null {
  const [first] = steps;
  if (first === undefined) return null;
  return { handlers: [...new Set(steps.map(({ handler }) => handler))], example: first.visit, grows };
}
