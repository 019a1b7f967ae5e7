/** Handlers that a request runs through and that the outcome alone does not show, such as authentication. */
import { parseWhere, type Json } from '@sluice/base';
import { getAt, hashNode } from '@sluice/reconciler';
import type { Explanation, Step } from '../explain/types.ts';
import type { Aspect, Difference } from './types.ts';

/** Aspects of handlers that may reject a request, or respond in place of another, depending on state or secrets. */
const aspectOf: ReadonlyMap<string, Aspect> = new Map([
  ['http.handlers.authentication', 'authentication'],
  ['http.handlers.rate_limit', 'rate_limit'],
  ['http.handlers.concurrency_limit', 'rate_limit'],
  ['http.handlers.cache', 'cache'],
  ['http.handlers.encode', 'encoding'],
  ['http.handlers.reverse_proxy', 'handlers'],
  ['http.handlers.request_body', 'handlers'],
  ['http.handlers.mirror', 'handlers'],
  ['http.handlers.waf', 'handlers'],
]);

/** Hashes of the options of the traversed handlers, by aspect and module name. */
type Traversed = ReadonlyMap<string, ReadonlySet<string>>;

/** Compares the traversed handlers, except for those that ended the request. */
export function traversedDifferences(
  before: Explanation,
  after: Explanation,
  documents: { readonly before: Json; readonly after: Json },
): Difference[] {
  const had = traversedBy(before, documents.before);
  const has = traversedBy(after, documents.after);
  const differences: Difference[] = [];
  for (const key of new Set([...had.keys(), ...has.keys()])) {
    const [then, now] = [had.get(key), has.get(key)];
    if (then !== undefined && now !== undefined && then.size === now.size && then.isSubsetOf(now)) continue;
    const [aspect, name] = key.split(' ') as [Aspect, string];
    differences.push({ aspect, name, before: shownSet(then), after: shownSet(now) });
  }
  return differences;
}

function shownSet(hashes: ReadonlySet<string> | undefined): Json {
  return hashes === undefined ? null : [...hashes].toSorted();
}

function traversedBy({ paths }: Explanation, document: Json): Traversed {
  const found = new Map<string, Set<string>>();
  for (const { steps, outcome } of paths)
    visit(steps, ({ kind, id, path }) => {
      const aspect = kind === 'handler' ? aspectOf.get(id) : undefined;
      if (aspect === undefined || (aspect === 'handlers' && path === outcome.handler)) return;
      const key = `${aspect} ${id.slice(id.lastIndexOf('.') + 1)}`;
      let hashes = found.get(key);
      if (hashes === undefined) found.set(key, (hashes = new Set()));
      hashes.add(hashAt(document, path));
    });
  return found;
}

/** Reports whether two explanations consist of the same steps with the same options, so that unknown facts decide alike. */
export function isSameWalk(
  before: Explanation,
  after: Explanation,
  documents: { readonly before: Json; readonly after: Json },
): boolean {
  if (before.truncated !== null || after.truncated !== null || before.more_paths || after.more_paths) return false;
  return walkOf(before, documents.before) === walkOf(after, documents.after);
}

function walkOf({ paths }: Explanation, document: Json): string {
  const walked: unknown[] = [];
  for (const { steps, outcome } of paths) {
    walked.push(outcome.kind, outcome.status, outcome.upstream?.address ?? null);
    visit(steps, ({ kind, id, path, verdict, changed }) => {
      // Routes that do not match do not matter, and neither do their positions.
      if (kind === 'handler') walked.push(id, hashAt(document, path), changed);
      else if (kind !== 'index' && kind !== 'route' && verdict === true) walked.push(id, hashAt(document, path));
    });
  }
  return JSON.stringify(walked);
}

function hashAt(document: Json, where: string): string {
  const path = parseWhere(where);
  return hashNode(path === null ? null : (getAt(document, path) ?? null));
}

function visit(steps: readonly Step[], look: (step: Step) => void): void {
  for (const step of steps) {
    look(step);
    visit(step.steps, look);
  }
}
