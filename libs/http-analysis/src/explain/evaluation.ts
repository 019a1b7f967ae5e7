/** One way of a request through a chain that is watched, while it is found. */
import { formatWhere } from '@sluice/base';
import {
  AbortError,
  attachmentKey,
  type AttachmentKey,
  type Exchange,
  type ListPlace,
  type PartPlace,
  type RoutePlace,
} from '@sluice/http-app';
import type { Budget } from './budget.ts';
import type { Facts } from './facts.ts';
import { Observer } from './observer.ts';
import type { Assumption, DeclaredUpstream, Outcome, Step, UpstreamOutcome } from './types.ts';

/** What ended the request before a response came of it. */
export interface Ending {
  readonly kind: 'outward' | 'opaque' | 'unknown';
  readonly why: string;
}

/** A handler that runs, and how many were entered before it. */
export interface Entered {
  readonly place: PartPlace;
  readonly order: number;
}

/** A walk over the routes that an index leaves out, which goes on from one explanation to the next. */
export interface Walk {
  left: number;
  next: number;
}

export interface EvaluationParts {
  readonly facts: Facts;
  readonly responses: readonly DeclaredUpstream[];
  readonly budget: Budget;
  readonly walk: Walk;
  readonly script: readonly number[];
}

/** A decision between alternatives that are numbered from 0. */
export interface Decision {
  readonly taken: number;
  readonly of: number;
  /** True for a choice between upstreams, false for a decision of a matcher or module. */
  readonly isUpstream: boolean;
}

/** Collects steps, takes decisions, and keeps what is known so far. */
export class Evaluation {
  readonly observer: Observer = new Observer();
  readonly facts: Facts;
  readonly responses: readonly DeclaredUpstream[];
  readonly budget: Budget;
  /** Steps of the top level. */
  readonly steps: Step[] = [];
  readonly assumed: Assumption[] = [];
  /** Routes that were reached. */
  readonly reached: string[] = [];
  readonly disagreement: string[] = [];
  ending: Ending | null = null;
  /** The handler that ran then. */
  endedBy: PartPlace | null = null;
  upstream: UpstreamOutcome | null = null;
  sends: Outcome['sends'] = null;
  /** Whether the body may have come from a file that the client may not read. */
  withholdsBody = false;
  /** Unknown facts that the handler which ended it has looked at. */
  dependsOn: readonly string[] = [];
  /** The handler that runs, until it passes on or returns; the one that responded; the one that raised the error. */
  current: Entered | null = null;
  responder: PartPlace | null = null;
  thrower: PartPlace | null = null;
  /** The last error that was noted. */
  error: unknown = null;
  /** The handler that ended the request, and the last one that has written a response, which another one may hold back. */
  #ended: PartPlace | null = null;
  #writer: Entered | null = null;
  #entered = 0;
  /** The handler that was entered last, for lists that belong to no handler. */
  #last: PartPlace | null = null;
  /** The latest step of each handler, and the open one of each route. */
  readonly #handlers = new Map<PartPlace, Step>();
  readonly #routes = new Map<RoutePlace, Step>();
  readonly #reachedSteps = new Map<RoutePlace, Step>();
  /** The last route of each list that was reached, and the route that decided each group. */
  readonly position = new Map<ListPlace, number>();
  readonly groups = new Map<string, string>();
  /** The step of the matcher that is asked, for matchers within it. */
  asked: Step | null = null;
  /** What was decided before in this path, by question. */
  readonly #decided = new Map<string, boolean>();
  readonly #script: readonly number[];
  /** What was decided, in order. */
  readonly decisions: Decision[] = [];

  /** How many routes that the index leaves out may still be looked at, and where to go on with that. */
  readonly walk: Walk;

  /** `script`: the first decisions. What comes after them is decided as it was computed. */
  constructor({ facts, responses, budget, walk, script }: EvaluationParts) {
    this.facts = facts;
    this.responses = responses;
    this.budget = budget;
    this.walk = walk;
    this.#script = script;
  }

  /** Decides what is not known. A question that was asked before is decided alike. */
  decide(question: string, { path, fact, verdict }: Assumption): boolean {
    const known = this.#decided.get(question);
    if (known !== undefined) return known;
    const taken = this.#script[this.decisions.length] ?? Number(verdict);
    this.decisions.push({ taken, of: 2, isUpstream: false });
    const decision = taken === 1;
    this.#decided.set(question, decision);
    this.assumed.push({ path, fact, verdict: decision });
    return decision;
  }

  /** Decides between upstreams, of which the policy would choose one by facts that are not known. */
  decideUpstream(addresses: readonly string[], likeliest: number, fact: string): number {
    const taken = this.#script[this.decisions.length] ?? likeliest;
    this.decisions.push({ taken, of: addresses.length, isUpstream: true });
    this.assumed.push({ path: this.currentPath ?? '', fact, verdict: true, upstream: addresses[taken] ?? '' });
    return taken;
  }

  /** Adds a step where it belongs; ends the request where that is one too many. */
  add(step: Step, to: Step | null): Step {
    (to?.steps ?? this.steps).push(step);
    if (!this.budget.step()) this.stop({ kind: 'unknown', why: `more than allowed: ${this.budget.exceeded}` });
    return step;
  }

  /** Ends the request here. */
  stop(ending: Ending): never {
    if (this.ending === null) {
      this.ending = ending;
      this.endedBy = this.current?.place ?? null;
    }
    throw new AbortError(ending.why);
  }

  /** A response begins: of the handler that runs, unless what was held back within it goes out. */
  responded(): void {
    const [writer, current] = [this.#writer, this.current];
    const isHeldBack = writer !== null && (current === null || writer.order >= current.order);
    this.responder ??= (isHeldBack ? writer : current)?.place ?? this.#ended;
  }

  /** A handler has returned without passing the request on; around it are others that have called it. */
  ended({ place, order }: Entered, hasWritten: boolean): void {
    this.#ended ??= place;
    // A handler that holds routes has not written what one of these has.
    if (hasWritten && (this.#writer === null || this.#writer.order < order)) this.#writer = { place, order };
  }

  /** An error was raised. Whether it is noted for the first time. */
  raised(error: unknown, place: PartPlace): boolean {
    this.current = null;
    if (this.ending !== null || this.error === error) return false;
    this.error = error;
    this.thrower = place;
    this.#ended = null;
    this.#writer = null;
    return true;
  }

  /** The step of a route that is looked at; a new one after each pass. */
  routeStep(place: RoutePlace, make: () => Step): Step {
    const open = this.#routes.get(place);
    if (open !== undefined) return open;
    const step = this.add(make(), this.#container(place.list));
    this.#routes.set(place, step);
    return step;
  }

  /** The routes whose matchers were asked in this pass of their list. */
  askedIn(list: ListPlace): Set<number> {
    const asked = new Set<number>();
    for (const place of this.#routes.keys()) if (place.list === list) asked.add(place.index);
    return asked;
  }

  /** The path of the handler that runs. */
  get currentPath(): string | null {
    return this.#last === null ? null : (this.#handlers.get(this.#last)?.path ?? null);
  }

  /** A route is chosen. */
  reach(place: RoutePlace, step: Step): void {
    step.verdict = true;
    this.#reachedSteps.set(place, step);
    this.reached.push(step.path);
    if (place.route.group !== '') this.groups.set(place.route.group, step.path);
    this.position.set(place.list, place.index);
    this.close(place.list);
  }

  /** What is looked at next in a list is another pass. */
  close(list: ListPlace): void {
    for (const place of this.#routes.keys()) if (place.list === list) this.#routes.delete(place);
  }

  reachedStep(place: RoutePlace): Step | null {
    return this.#reachedSteps.get(place) ?? null;
  }

  /** A handler is entered. */
  entered(place: PartPlace, step: Step): Entered {
    this.#last = place;
    this.#handlers.set(place, step);
    return (this.current = { place, order: this.#entered++ });
  }

  /** Where steps of a list belong. */
  #container(list: ListPlace): Step | null {
    const owner = list.owner ?? (list.path.includes('named_routes') ? this.#last : null);
    return owner === null ? null : (this.#handlers.get(owner) ?? null);
  }

  /** The step of a list itself, such as one of its index. */
  listStep(list: ListPlace, step: Step): void {
    this.add(step, this.#container(list));
  }
}

/** The key of the evaluation that an exchange belongs to. */
export const evaluationKey: AttachmentKey<Evaluation> = attachmentKey<Evaluation>('evaluation');

/** The evaluation that an exchange belongs to; `null` for one that a handler has made for itself. */
export function evaluationOf(exchange: Exchange): Evaluation | null {
  return exchange.attached(evaluationKey) ?? null;
}

/** A step without anything yet. */
export function newStep(kind: Step['kind'], path: readonly (string | number)[], id: string): Step {
  return {
    path: formatWhere(path),
    id,
    source: null,
    kind,
    verdict: null,
    known: 'evaluated',
    wanted: null,
    got: null,
    changed: null,
    ns: 0,
    steps: [],
  };
}
