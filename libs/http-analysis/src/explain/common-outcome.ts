/** Combines several outcomes of a request into one. Values that differ become unknown. */
import { jsonEqual, type Json, type JsonObject } from '@sluice/base';
import type { Outcome, UpstreamOutcome } from './types.ts';

/** Reports whether the evaluation paths to two outcomes differ only in the selected upstream. */
export function isAlike(a: Outcome, b: Outcome): boolean {
  return a.kind === b.kind && a.status === b.status && isSameEnd(a, b);
}

/** Reports whether two outcomes of the same path are equal even though unknown request properties had different stand-in values. */
export function isSameEnd(a: Outcome, b: Outcome): boolean {
  if (a.kind !== b.kind || a.handler !== b.handler) return false;
  const areAssumed = a.upstream?.known === 'assumed' && b.upstream?.known === 'assumed';
  return areAssumed || a.upstream?.address === b.upstream?.address;
}

/** Combines outcomes with the same result. `facts` lists the unknown request properties. */
export function commonOutcome(outcomes: readonly [Outcome, ...Outcome[]], facts: Iterable<string>): Outcome {
  const [first] = outcomes;
  const common = <K extends keyof Outcome>(key: K): Outcome[K] | null => {
    const value = first[key];
    return outcomes.every((each) => jsonEqual(each[key] as Json, value as Json)) ? value : null;
  };
  const upstream = commonUpstream(outcomes.map((each) => each.upstream));
  const sends = first.sends === null ? null : commonFields(outcomes.map((each) => each.sends ?? {}));
  if (sends !== null)
    sends['headers'] = commonFields(outcomes.map(({ sends: sent }) => (sent?.['headers'] ?? {}) as JsonObject));
  const united: Outcome = {
    ...first,
    status: common('status') ?? 0,
    headers: commonFields(outcomes.map(({ headers }) => headers)),
    body: common('body'),
    size: common('size'),
    routes: first.routes.filter((route) => outcomes.every(({ routes }) => routes.includes(route))),
    route: common('route'),
    upstream,
    sends,
    error: common('error') ?? (first.error === null ? null : { status: 0, message: '' }),
  };
  const differs = (['status', 'headers', 'body', 'size', 'sends', 'error'] as const).some(
    (key) => !jsonEqual(united[key], first[key]),
  );
  const depends = new Set(outcomes.flatMap((each) => each.depends_on));
  if (differs) for (const fact of facts) depends.add(fact);
  return { ...united, depends_on: [...depends] };
}

/** Returns an object with the fields of all objects. A field is `null` unless it has the same value in all objects. */
function commonFields(all: readonly JsonObject[]): Record<string, Json> {
  const names = new Set(all.flatMap((each) => Object.keys(each)));
  return Object.fromEntries(
    [...names].map((name) => {
      const value = all[0]?.[name] ?? null;
      return [name, all.every((each) => jsonEqual(each[name] ?? null, value)) ? value : null];
    }),
  );
}

function commonUpstream(all: readonly (UpstreamOutcome | null)[]): UpstreamOutcome | null {
  const [first = null] = all;
  if (first === null || all.every((each) => each?.address === first.address)) return first;
  return {
    address: null,
    known: 'unknown',
    candidates: first.candidates.map((candidate) => ({ ...candidate, chosen: false })),
  };
}
