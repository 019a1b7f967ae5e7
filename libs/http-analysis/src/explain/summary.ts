/** What all paths of an explanation have in common. */
import type { ExplainedPath, Explanation, Outcome } from './types.ts';

const undecided: Outcome = {
  kind: 'unknown',
  status: 0,
  headers: {},
  body: null,
  size: 0,
  route: null,
  routes: [],
  handler: null,
  handler_id: null,
  upstream: null,
  sends: null,
  error: null,
  depends_on: [],
};

/** The outcome that all paths agree on, or what would decide between them. `partial`: there are more than these. */
export function summaryOf(paths: readonly ExplainedPath[], partial: boolean): Pick<Explanation, 'outcome' | 'unknown'> {
  const [first] = paths;
  if (first === undefined) return { outcome: undecided, unknown: [] };
  const agreed = !partial && paths.every(({ outcome }) => isAlike(outcome, first.outcome));
  if (agreed) return { outcome: first.outcome, unknown: [] };
  const unknown = new Set(paths.flatMap(({ assumed }) => assumed.flatMap(({ fact }) => fact.split(', '))));
  return { outcome: paths.length === 1 ? first.outcome : undecided, unknown: [...unknown] };
}

/** Whether two paths come to the same. */
function isAlike(a: Outcome, b: Outcome): boolean {
  return (
    a.kind === b.kind && a.status === b.status && a.handler === b.handler && a.upstream?.address === b.upstream?.address
  );
}
