/** The cheap check of a history: each promise by itself, in one pass over it. */
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '@sluice/base';
import { applyOperations, getAt } from '@sluice/reconciler';
import type { PatchOperation } from '@sluice/registry';
import type { History } from './call.ts';

/** What does not hold, in words; nothing if all does. */
export function problemsIn(history: History): readonly string[] {
  const gaps = gapProblems(history);
  return gaps.length > 0 ? gaps : [...changeProblems(history), ...orderProblems(history), ...readProblems(history)];
}

/** The document that revisions lead to, as of each of them. */
export function* documentsOf({ revisions }: Pick<History, 'revisions'>): Generator<Json> {
  let document: Json = null;
  for (const { patch } of revisions) {
    document = applyOperations(document, patch as readonly PatchOperation[] & readonly Json[]);
    yield document;
  }
}

function gapProblems({ revisions }: History): string[] {
  const gap = revisions.findIndex(({ revision }, i) => revision !== i + 1);
  return gap < 0 ? [] : [`revision ${gap + 1} is not in the history`];
}

function changeProblems({ changes, revisions }: History): string[] {
  const places = Map.groupBy(revisions, ({ op }) => op);
  return changes.flatMap(({ op, outcome, revision, said }) => {
    const there = places.get(op) ?? [];
    if (outcome === 'refused' && there.length > 0)
      return [`${op} was refused (${said}), and is revision ${there[0]?.revision}`];
    if (there.length > 1) return [`${op} is in the history ${there.length} times`];
    if (outcome !== 'committed') return [];
    if (there.length === 0) return [`${op} was committed as revision ${revision}, and is not in the history`];
    return there[0]?.revision === revision
      ? []
      : [`${op} was committed as revision ${revision}, and is revision ${there[0]?.revision}`];
  });
}

/** Something that has a place in the order. */
interface Placed {
  readonly what: string;
  readonly called: number;
  readonly responded: number;
  readonly place: number;
}

/** What had its response before another was asked for comes before it. */
function orderProblems(history: History): string[] {
  const problems: string[] = [];
  // Of those with a later place, the one that had its response first.
  let first: Placed | null = null;
  let same: Placed[] = [];
  for (const one of placesIn(history).toSorted((a, b) => b.place - a.place)) {
    if (same[0]?.place !== one.place) {
      for (const each of same) if (first === null || each.responded < first.responded) first = each;
      same = [];
    }
    same.push(one);
    if (first !== null && first.responded < one.called)
      problems.push(`${first.what} had its response before ${one.what} was asked for, and comes after it`);
  }
  return problems;
}

function placesIn({ changes, reads, revisions }: History): Placed[] {
  const places = new Map(revisions.map(({ op, revision }) => [op, revision]));
  return [
    ...changes.flatMap(({ op, called, responded, outcome }) => {
      const place = places.get(op);
      if (place === undefined) return [];
      // What is unknown had no response: that it is there binds nothing after it.
      return [{ what: op, called, responded: outcome === 'unknown' ? Number.POSITIVE_INFINITY : responded, place }];
    }),
    ...reads.map(({ called, responded, revision }) => ({
      what: `a read of revision ${revision}`,
      called,
      responded,
      // After the change of this revision, and before the next.
      place: revision + 0.5,
    })),
  ];
}

/** What was read is what was there. */
function readProblems(history: History): string[] {
  const byRevision = Map.groupBy(history.reads, ({ revision }) => revision);
  const problems: string[] = [];
  let revision = 0;
  for (const document of documentsOf(history)) {
    for (const { path, value } of byRevision.get(++revision) ?? []) {
      if (!isDeepStrictEqual(getAt(document, path), value))
        problems.push(
          `${path.join('/')} was read as ${JSON.stringify(value)}, which it was not at revision ${revision}`,
        );
    }
  }
  return problems;
}
