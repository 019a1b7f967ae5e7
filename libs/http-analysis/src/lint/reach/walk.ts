/** Traverses the routes like a request, but with sets of requests. Reports only routes that are certainly unreachable. */
import type { LintedConfiguration } from '@sluice/registry';
import type { RequestSet } from '../matcher-set.ts';
import type { HandlerModel, RouteModel, RoutesModel, ServerModel } from '../model.ts';
import { serversOf } from '../servers.ts';
import type { Dead, DeadHandler, DeadRoute, Reason } from './dead.ts';
import { Gone, intersect, union, type Changes } from './gone.ts';
import { sureGroups } from './groups.ts';

/** A fact that holds for all requests in a list, because the enclosing route matched them. */
interface Known {
  readonly sets: readonly RequestSet[];
  readonly by: RouteModel;
}

/** Result for the requests that enter a list or route. */
interface Outcome {
  /** Route that ends all of these requests. `null` if there is none. */
  readonly endedBy: RouteModel | null;
  /** Possible changes to the requests that continue. */
  readonly changes: Changes;
}

/** Result for the requests that enter a handler. */
interface Passing {
  readonly passes: boolean;
  readonly changes: Changes;
}

const nothing: Changes = new Set();

/** Returns the unreachable parts of a configuration. They are computed once for all checks. */
export function deadIn(configuration: LintedConfiguration): Promise<Dead> {
  return configuration.remember(findDead);
}

async function findDead(configuration: LintedConfiguration): Promise<Dead> {
  const routes: DeadRoute[] = [];
  const handlers: DeadHandler[] = [];
  for (const server of await serversOf(configuration)) {
    const walk = new Walk(server);
    walk.all();
    routes.push(...walk.routes);
    handlers.push(...walk.handlers);
  }
  return { routes, handlers };
}

class Walk implements Dead {
  readonly routes: DeadRoute[] = [];
  readonly handlers: DeadHandler[] = [];
  readonly #server: ServerModel;
  /** Groups whose routes are evaluated in a known order. */
  readonly #sureGroups: ReadonlySet<string>;

  constructor(server: ServerModel) {
    this.#server = server;
    this.#sureGroups = sureGroups(server);
  }

  all(): void {
    const { routes, errors, named, path } = this.#server;
    this.#list(routes, null, []);
    this.#list(errors, null, []);
    for (const route of named.values()) this.#list({ path, routes: [route] }, null, []);
  }

  #list({ routes }: RoutesModel, outer: Gone | null, around: readonly Known[]): Outcome {
    const gone = new Gone(outer);
    const groups = new Map<string, Group>();
    let known = around;
    let changes: Changes = nothing;
    for (const [index, route] of routes.entries()) {
      const group = route.group === '' ? null : (groups.get(route.group) ?? new Group());
      if (group !== null) groups.set(route.group, group);
      const death = this.#deathOf(route, gone, group, known);
      if (death !== null) {
        this.routes.push({ server: this.#server, route, ...death });
        continue;
      }
      const within = route.sets.length === 0 ? known : [...known, { sets: route.sets, by: route }];
      const outcome = this.#chain(route, gone, within);
      const ends = outcome.endedBy !== null;
      // Earlier routes of a group may prevent a later route from running. The earlier routes must therefore also end all requests that they
      // match.
      const isSure = group === null || (group.allEnd && this.#sureGroups.has(route.group));
      if (ends && isSure) {
        if (route.sets.length === 0) return this.#ended(routes.slice(index + 1), route, changes);
        for (const set of route.sets) gone.add({ set, by: route });
      }
      group?.add(route, ends);
      if (ends) continue;
      changes = union(changes, outcome.changes);
      known = stillKnown(known, outcome.changes);
      gone.change(outcome.changes);
      for (const each of groups.values()) if (each !== group) each.decided.change(outcome.changes);
    }
    return { endedBy: null, changes };
  }

  /** Records all routes after `by` as unreachable, because `by` ends every request. */
  #ended(routes: readonly RouteModel[], by: RouteModel, changes: Changes): Outcome {
    for (const route of routes) this.routes.push({ server: this.#server, route, reason: 'after end', by });
    return { endedBy: by, changes };
  }

  /** Returns the reason why a route is unreachable, or `null`. The reason must apply to every alternative matcher set. */
  #deathOf(
    { sets }: RouteModel,
    gone: Gone,
    group: Group | null,
    known: readonly Known[],
  ): { reason: Reason; by: RouteModel } | null {
    if (group?.always != null) return { reason: 'group', by: group.always };
    let first: { reason: Reason; by: RouteModel } | null = null;
    for (const set of sets) {
      if (set.isEmpty) return null;
      const found = deathOfSet(set, gone, group, known);
      if (found === null) return null;
      first ??= found;
    }
    return first;
  }

  /** Traverses the handlers of a route in order. */
  #chain(route: RouteModel, outer: Gone, around: readonly Known[]): Outcome {
    const gone = new Gone(outer);
    let known = around;
    let changes: Changes = nothing;
    let end: HandlerModel | null = null;
    for (const handler of route.handlers) {
      if (end !== null) {
        this.handlers.push({ server: this.#server, handler, by: end });
        continue;
      }
      const passing = this.#handler(handler, gone, known);
      if (!passing.passes) end = handler;
      changes = union(changes, passing.changes);
      known = stillKnown(known, passing.changes);
      gone.change(passing.changes);
    }
    return { endedBy: end !== null || route.terminal ? route : null, changes };
  }

  /** Returns the result for the requests that enter a handler. */
  #handler({ flow, lists }: HandlerModel, gone: Gone, known: readonly Known[]): Passing {
    let changes: Changes = flow.changes === null ? null : new Set(flow.changes);
    let passes = flow.passes !== 'never';
    for (const list of lists) {
      const isEntered = list.entry === 'request';
      const outcome = isEntered ? this.#list(list, gone, known) : this.#list(list, null, []);
      if (flow.passes === 'through' && isEntered && outcome.endedBy !== null) passes = false;
      changes = union(changes, outcome.changes);
    }
    return { passes, changes };
  }
}

/** Routes of a group that have been traversed so far. */
class Group {
  /** Requests for which the group has already selected a route. */
  readonly decided = new Gone(null);
  always: RouteModel | null = null;
  /** True if every route so far ends all requests that it matches. */
  allEnd = true;

  add(route: RouteModel, ends: boolean): void {
    if (!ends) this.allEnd = false;
    if (route.sets.length === 0) this.always ??= route;
    for (const set of route.sets) this.decided.add({ set, by: route });
  }
}

function deathOfSet(
  set: RequestSet,
  gone: Gone,
  group: Group | null,
  known: readonly Known[],
): { reason: Reason; by: RouteModel } | null {
  const taker = gone.takes(set);
  if (taker !== null) return { reason: 'shadowed', by: taker };
  const decider = group?.decided.takes(set) ?? null;
  if (decider !== null) return { reason: 'group', by: decider };
  const blocking = known.find(({ sets }) => sets.every((each) => each.excludes(set)));
  return blocking === undefined ? null : { reason: 'contradiction', by: blocking.by };
}

/** Returns the facts that are still valid after a change. */
function stillKnown(known: readonly Known[], changes: Changes): readonly Known[] {
  const isStale = ({ sets }: Known): boolean => sets.some(({ sureReads }) => intersect(changes, sureReads));
  return known.some(isStale) ? known.filter((each) => !isStale(each)) : known;
}
