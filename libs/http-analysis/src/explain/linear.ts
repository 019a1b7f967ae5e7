/**
 * The routes of a list that a request has passed over: the index leaves out those that cannot match, and a group those that
 * come after its first one. Here each of them is looked at in its place, so that an index that leaves out too much is found.
 */
import { formatWhere, itemAt } from '@sluice/base';
import { HeaderMap } from '@sluice/http1';
import { Exchange, type HttpMatcher, type ListPlace, type RouteList } from '@sluice/http-app';
import { newStep, type Evaluation } from './evaluation.ts';
import { RecordedResponse } from './recorded-response.ts';

/** Notes what was passed over since the last route that was reached, up to the one with this number. */
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

/** Routes to be looked at. */
interface Span {
  readonly list: ListPlace;
  readonly keyed: readonly KeyedSets[];
  /** Those that were not passed over. */
  readonly left: ReadonlySet<number>;
  readonly from: number;
  readonly index: number;
}

/**
 * Asks the matchers of routes that the index has left out. Of very many only some, others each time: what an index does wrong
 * it does often, and an explanation is to take milliseconds.
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

/** A group has run one of its routes: these are left out. The step stands at the first of them. */
function noteGroup(evaluation: Evaluation, list: ListPlace, group: string, members: readonly number[]): void {
  const step = newStep('group', [...list.path, String(members[0])], '');
  step.verdict = false;
  step.wanted = group;
  step.got = { decided_by: evaluation.groups.get(group) ?? '', routes: members.length };
  evaluation.listStep(list, step);
}

/** The matchers of a route that have keys, by set; none for a route that the index does not leave out. */
type KeyedSets = readonly (readonly HttpMatcher[])[];

/** What is looked at in a list. */
interface Layout {
  readonly keyed: readonly KeyedSets[];
  /** The routes that belong to groups. */
  readonly grouped: readonly { readonly at: number; readonly group: string }[];
}

/** Of lists that were looked at before. */
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

/** Whether they let the route match. They look at host and path alone. */
function couldMatch(exchange: Exchange, sets: KeyedSets): boolean {
  for (const set of sets) if (allMatch(exchange, set)) return true;
  return false;
}

function allMatch(exchange: Exchange, set: readonly HttpMatcher[]): boolean {
  for (const matcher of set) if (matcher.match(exchange) !== true) return false;
  return true;
}

/** An exchange of the same host and path that no one observes: there may be many routes to look at. */
function plainExchange({ host, method, proto, query, rawPath, connection }: Exchange): Exchange {
  const head = { host, method, proto, query, rawPath, headers: new HeaderMap() };
  return new Exchange(head, connection, new RecordedResponse(head, () => {}));
}
