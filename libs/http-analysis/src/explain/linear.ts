/**
 * Verifies the routes that were skipped in a route list. The index skips routes that cannot match, and a group skips the routes after its
 * first match. Checking the skipped routes reveals an index that skips too many routes.
 */
import { formatWhere, itemAt } from '@sluice/base';
import { HeaderMap } from '@sluice/http1';
import { Exchange, type HttpMatcher, type ListPlace, type RouteList } from '@sluice/http-app';
import { newStep, type Evaluation } from './evaluation.ts';
import { RecordedResponse } from './recorded-response.ts';

/** Records the routes that were skipped between the last reached route and the given index. */
export function passOver(exchange: Exchange, evaluation: Evaluation, list: ListPlace, index: number): void {
  const before = evaluation.position.get(list) ?? -1;
  const from = before < index ? before + 1 : 0;
  if (from === index) return;
  const { keyed, grouped } = layoutOf(list.list);
  const left = evaluation.askedIn(list);
  let passed = index - from - left.size;
  const decided = new Map<string, number[]>();
  for (const { at, group } of grouped) {
    if (at < from || at >= index || left.has(at) || !evaluation.groups.has(group)) continue;
    decided.set(group, [...(decided.get(group) ?? []), at]);
    left.add(at);
    passed--;
  }
  for (const [group, members] of decided) noteGroup(evaluation, list, group, members);
  if (passed <= 0) return;
  look(plainExchange(exchange), evaluation, { list, keyed, left, from, index });
  const step = newStep('index', list.path, '');
  step.verdict = false;
  step.got = { skipped: passed };
  evaluation.listStep(list, step);
}

/** Routes to verify. */
interface Span {
  readonly list: ListPlace;
  readonly keyed: readonly KeyedSets[];
  /** Indexes of the routes that were not skipped. */
  readonly left: ReadonlySet<number>;
  readonly from: number;
  readonly index: number;
}

/**
 * Evaluates the matchers of index-skipped routes. In long lists, each call checks a different sample of routes. A sample is sufficient,
 * because index bugs usually affect many routes. An explanation must only take milliseconds.
 */
function look(exchange: Exchange, { walk, disagreement }: Evaluation, { list, keyed, left, from, index }: Span): void {
  const span = index - from;
  const count = Math.min(span, walk.left);
  walk.left -= count;
  for (let n = 0; n < count; n++) {
    const i = from + (count === span ? n : (walk.next + n) % span);
    if (!left.has(i) && couldMatch(exchange, itemAt(keyed, i))) disagreement.push(formatWhere([...list.path, i]));
  }
  walk.next += count;
}

/** Records that a group ran one of its routes and skipped the others. The step refers to the first skipped route. */
function noteGroup(evaluation: Evaluation, list: ListPlace, group: string, members: readonly number[]): void {
  const step = newStep('group', [...list.path, String(members[0])], '');
  step.verdict = false;
  step.wanted = group;
  step.got = { decided_by: evaluation.groups.get(group) ?? '', routes: members.length };
  evaluation.listStep(list, step);
}

/** Indexed matchers of a route, grouped by matcher set. Empty for a route that the index never skips. */
type KeyedSets = readonly (readonly HttpMatcher[])[];

/** Routes of a list, prepared for verification. */
interface Layout {
  readonly keyed: readonly KeyedSets[];
  /** Routes in groups. */
  readonly grouped: readonly { readonly at: number; readonly group: string }[];
}

const layouts = new WeakMap<RouteList, Layout>();

function layoutOf(list: RouteList): Layout {
  let layout = layouts.get(list);
  if (layout === undefined) {
    const routes = list.routes.toArray();
    layout = {
      keyed: routes.map(({ keys, sets }) => (keys === null ? [] : sets.map((set) => set.filter(isKeyed)))),
      grouped: routes.map(({ group }, at) => ({ at, group })).filter(({ group }) => group !== ''),
    };
    layouts.set(list, layout);
  }
  return layout;
}

function isKeyed(matcher: HttpMatcher): boolean {
  return matcher.keys !== undefined && matcher.keys !== null;
}

/** Reports whether a route may match. Considers only matchers that read the host and path. */
function couldMatch(exchange: Exchange, sets: KeyedSets): boolean {
  for (const set of sets) if (allMatch(exchange, set)) return true;
  return false;
}

function allMatch(exchange: Exchange, set: readonly HttpMatcher[]): boolean {
  for (const matcher of set) if (matcher.match(exchange) !== true) return false;
  return true;
}

/** Returns an exchange with the same host and path but without an observer. Observing would be too slow for many routes. */
function plainExchange({ host, method, proto, query, rawPath, connection }: Exchange): Exchange {
  const head = { host, method, proto, query, rawPath, headers: new HeaderMap() };
  return new Exchange(head, connection, new RecordedResponse(head, () => {}));
}
