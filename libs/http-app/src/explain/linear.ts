/**
 * The routes of a list that a request has passed over: the index leaves out those that cannot match, and a group those that
 * come after its first one. Here each of them is looked at in its place, so that an index that leaves out too much is found.
 */
import type { Exchange } from '../exchange/exchange.ts';
import type { HttpMatcher } from '../handler.ts';
import type { ListPlace } from '../routing/probe.ts';
import type { Route } from '../routing/route.ts';
import { newStep, type Evaluation } from './evaluation.ts';

/** Notes what was passed over since the last route that was reached, up to the one with this number. */
export function passOver(exchange: Exchange, evaluation: Evaluation, list: ListPlace, index: number): void {
  const before = evaluation.position.get(list) ?? -1;
  const from = before < index ? before + 1 : 0;
  const { routes } = list.list;
  let skipped = 0;
  for (let i = from; i < index; i++) {
    const route = routes[i] as Route;
    if (evaluation.wasAsked(list, i)) continue;
    const decided = route.group === '' ? undefined : evaluation.groups.get(route.group);
    if (decided !== undefined) noteGroup(evaluation, list, i, decided);
    else {
      skipped++;
      if (route.keys !== null && couldMatch(exchange, route))
        evaluation.disagreement.push(`${list.path.join('/')}/${i}`);
    }
  }
  if (skipped === 0) return;
  const step = newStep('index', list.path, '');
  step.verdict = false;
  step.got = { skipped };
  evaluation.listStep(list, step);
}

/** A group has run one of its routes. */
function noteGroup(evaluation: Evaluation, list: ListPlace, index: number, decided: string): void {
  const step = newStep('group', [...list.path, String(index)], '');
  step.verdict = false;
  step.wanted = (list.list.routes[index] as Route).group;
  step.got = { decided_by: decided };
  evaluation.listStep(list, step);
}

/** Whether the matchers that have keys let a route match. These look at host and path alone. */
function couldMatch(exchange: Exchange, { sets }: Route): boolean {
  return sets.some((set) => set.every((matcher) => !isKeyed(matcher) || matcher.match(exchange) === true));
}

function isKeyed(matcher: HttpMatcher): boolean {
  return matcher.keys !== undefined && matcher.keys !== null;
}
