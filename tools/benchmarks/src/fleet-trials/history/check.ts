/** Fast check of a recorded history. It checks each guarantee separately, in one pass. */
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '@sluice/base';
import { applyOperations, getAt } from '@sluice/reconciler';
import type { PatchOperation } from '@sluice/registry';
import type { History } from './call.ts';

/** Returns descriptions of the violated guarantees. */
export function problemsIn(history: History): readonly string[] {
  const gaps = gapProblems(history);
  return gaps.length > 0 ? gaps : [...changeProblems(history), ...orderProblems(history), ...readProblems(history)];
}

/** Yields the document at each revision. */
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
      return [`${op} was rejected (${said}), but is revision ${there[0]?.revision}`];
    if (there.length > 1) return [`${op} is in the history ${there.length} times`];
    if (outcome !== 'committed') return [];
    if (there.length === 0) return [`${op} was committed as revision ${revision}, but is not in the history`];
    return there[0]?.revision === revision
      ? []
      : [`${op} was committed as revision ${revision}, but is revision ${there[0]?.revision}`];
  });
}

/** An operation with its place in the order of revisions. */
interface Placed {
  readonly what: string;
  readonly called: number;
  readonly responded: number;
  readonly place: number;
}

/**
 * Checks the order of operations. If an operation received its response before another operation was requested, the completed operation
 * must come first.
 */
function orderProblems(history: History): string[] {
  const problems: string[] = [];
  // Among the operations with a later place in the order, the operation with the earliest response.
  let first: Placed | null = null;
  let same: Placed[] = [];
  for (const one of placesIn(history).toSorted((a, b) => b.place - a.place)) {
    if (same[0]?.place !== one.place) {
      for (const each of same) if (first === null || each.responded < first.responded) first = each;
      same = [];
    }
    same.push(one);
    if (first !== null && first.responded < one.called)
      problems.push(
        `the response to ${first.what} arrived before ${one.what} was sent, but it comes later in the history`,
      );
  }
  return problems;
}

function placesIn({ changes, reads, revisions }: History): Placed[] {
  const places = new Map(revisions.map(({ op, revision }) => [op, revision]));
  return [
    ...changes.flatMap(({ op, called, responded, outcome }) => {
      const place = places.get(op);
      if (place === undefined) return [];
      // A change with an unknown outcome received no response, so it does not constrain later changes.
      return [{ what: op, called, responded: outcome === 'unknown' ? Number.POSITIVE_INFINITY : responded, place }];
    }),
    ...reads.map(({ called, responded, revision }) => ({
      what: `a read of revision ${revision}`,
      called,
      responded,
      // A read is placed between the change that created its revision and the next change.
      place: revision + 0.5,
    })),
  ];
}

/** Checks whether each read returned the value at its revision. */
function readProblems(history: History): string[] {
  const byRevision = Map.groupBy(history.reads, ({ revision }) => revision);
  const problems: string[] = [];
  let revision = 0;
  for (const document of documentsOf(history)) {
    for (const { path, value } of byRevision.get(++revision) ?? []) {
      if (!isDeepStrictEqual(getAt(document, path), value))
        problems.push(
          `${path.join('/')} was read as ${JSON.stringify(value)}, but was different at revision ${revision}`,
        );
    }
  }
  return problems;
}
