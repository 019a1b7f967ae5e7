/** Evaluation of one path that a request may take through an observed handler chain. */
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

/** Reason why a request ended without a response. */
export interface Ending {
  readonly kind: 'outward' | 'opaque' | 'unknown';
  readonly why: string;
}

/** A running handler, and the number of handlers that were entered before it. */
export interface Entered {
  readonly place: PartPlace;
  readonly order: number;
}

/** State of the verification of routes that an index skips. The next explanation continues where the previous one stopped. */
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
  /** True to display different secrets in headers as different placeholders. */
  readonly digestsSecrets: boolean;
}

/** A decision between several alternatives, which are numbered from 0. */
export interface Decision {
  readonly taken: number;
  readonly of: number;
  /** True if the decision selects an upstream. False if a matcher or module decides. */
  readonly isUpstream: boolean;
}

/** Collects the steps of an evaluation path, makes decisions, and stores known facts. */
export class Evaluation {
  readonly observer: Observer = new Observer();
  readonly facts: Facts;
  readonly responses: readonly DeclaredUpstream[];
  readonly budget: Budget;
  readonly digestsSecrets: boolean;
  /** Top-level steps. */
  readonly steps: Step[] = [];
  readonly assumed: Assumption[] = [];
  /** Reached routes. */
  readonly reached: string[] = [];
  readonly disagreement: string[] = [];
  ending: Ending | null = null;
  /** Handler that was running when the request ended. */
  endedBy: PartPlace | null = null;
  upstream: UpstreamOutcome | null = null;
  sends: Outcome['sends'] = null;
  /** True if the body may come from a file that the client must not read. */
  withholdsBody = false;
  /** Unknown facts that the responding handler has read. */
  dependsOn: readonly string[] = [];
  /**
   * Handler that is running. It is no longer current once it calls the next handler or returns. `responder` is the handler that responded,
   * and `thrower` is the handler that threw the error.
   */
  current: Entered | null = null;
  responder: PartPlace | null = null;
  thrower: PartPlace | null = null;
  /** Most recently recorded error. */
  error: unknown = null;
  /** Handler that ended the request. `#writer` is the last handler that wrote a response, which an outer handler may buffer. */
  #ended: PartPlace | null = null;
  #writer: Entered | null = null;
  #entered = 0;
  /** Handler that was entered last, for route lists outside handlers. */
  #last: PartPlace | null = null;
  /** Most recent step of each handler. `#routes` contains the step of each route under evaluation. */
  readonly #handlers = new Map<PartPlace, Step>();
  readonly #routes = new Map<RoutePlace, Step>();
  readonly #reachedSteps = new Map<RoutePlace, Step>();
  /** Index of the last reached route in each list. `groups` contains the route that was selected in each group. */
  readonly position = new Map<ListPlace, number>();
  readonly groups = new Map<string, string>();
  /** Step of the running matcher. Steps of nested matchers are added to this step. */
  asked: Step | null = null;
  /** Earlier decisions on this path, keyed by question. */
  readonly #decided = new Map<string, boolean>();
  readonly #script: readonly number[];
  /** Decisions in order. */
  readonly decisions: Decision[] = [];

  /** Number of index-skipped routes that may still be verified, and the index at which to continue. */
  readonly walk: Walk;

  /** `script` contains the first decisions of the path. Later decisions follow the computed values. */
  constructor({ facts, responses, budget, walk, script, digestsSecrets }: EvaluationParts) {
    this.digestsSecrets = digestsSecrets;
    this.facts = facts;
    this.responses = responses;
    this.budget = budget;
    this.walk = walk;
    this.#script = script;
  }

  /** Decides the verdict of a matcher or module that depends on unknown request properties. The same question always has the same answer on this path. */
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

  /** Selects an upstream if the load balancing policy depends on unknown request properties. */
  decideUpstream(addresses: readonly string[], likeliest: number, fact: string): number {
    const taken = this.#script[this.decisions.length] ?? likeliest;
    this.decisions.push({ taken, of: addresses.length, isUpstream: true });
    this.assumed.push({ path: this.currentPath ?? '', fact, verdict: true, upstream: addresses[taken] ?? '' });
    return taken;
  }

  /** Adds a step to its parent. Ends the request if the step exceeds the budget. */
  add(step: Step, to: Step | null): Step {
    (to?.steps ?? this.steps).push(step);
    if (!this.budget.step())
      this.stop({ kind: 'unknown', why: `the explanation exceeds its limit: ${this.budget.exceeded}` });
    return step;
  }

  /** Ends the request. */
  stop(ending: Ending): never {
    if (this.ending === null) {
      this.ending = ending;
      this.endedBy = this.current?.place ?? null;
    }
    throw new AbortError(ending.why);
  }

  /**
   * Called when a response begins. The response comes from the running handler, unless this handler releases the buffered response of an
   * inner handler.
   */
  responded(): void {
    const [writer, current] = [this.#writer, this.current];
    const isHeldBack = writer !== null && (current === null || writer.order >= current.order);
    this.responder ??= (isHeldBack ? writer : current)?.place ?? this.#ended;
  }

  /** Called when a handler returns without calling the next handler. Outer handlers may still run. */
  ended({ place, order }: Entered, hasWritten: boolean): void {
    this.#ended ??= place;
    // If a handler contains nested routes, a handler in these routes wrote the response, so keep that inner handler.
    if (hasWritten && (this.#writer === null || this.#writer.order < order)) this.#writer = { place, order };
  }

  /** Records an error. Reports whether this error is new. */
  raised(error: unknown, place: PartPlace): boolean {
    this.current = null;
    if (this.ending !== null || this.error === error) return false;
    this.error = error;
    this.thrower = place;
    this.#ended = null;
    this.#writer = null;
    return true;
  }

  /** Returns the step of a route under evaluation. Each pass through a route list creates new steps. */
  routeStep(place: RoutePlace, make: () => Step): Step {
    const open = this.#routes.get(place);
    if (open !== undefined) return open;
    const step = this.add(make(), this.#container(place.list));
    this.#routes.set(place, step);
    return step;
  }

  /** Returns the indexes of routes whose matchers were evaluated in the current pass. */
  askedIn(list: ListPlace): Set<number> {
    const asked = new Set<number>();
    for (const place of this.#routes.keys()) if (place.list === list) asked.add(place.index);
    return asked;
  }

  get currentPath(): string | null {
    return this.#last === null ? null : (this.#handlers.get(this.#last)?.path ?? null);
  }

  /** Records that a route was selected. */
  reach(place: RoutePlace, step: Step): void {
    step.verdict = true;
    this.#reachedSteps.set(place, step);
    this.reached.push(step.path);
    if (place.route.group !== '') this.groups.set(place.route.group, step.path);
    this.position.set(place.list, place.index);
    this.close(place.list);
  }

  /** Ends the current pass through a route list. Later evaluations belong to a new pass. */
  close(list: ListPlace): void {
    for (const place of this.#routes.keys()) if (place.list === list) this.#routes.delete(place);
  }

  reachedStep(place: RoutePlace): Step | null {
    return this.#reachedSteps.get(place) ?? null;
  }

  entered(place: PartPlace, step: Step): Entered {
    this.#last = place;
    this.#handlers.set(place, step);
    return (this.current = { place, order: this.#entered++ });
  }

  /** Returns the parent step for the steps of a route list. */
  #container(list: ListPlace): Step | null {
    const owner = list.owner ?? (list.path.includes('named_routes') ? this.#last : null);
    return owner === null ? null : (this.#handlers.get(owner) ?? null);
  }

  /** Adds a step about the route list itself, for example about its index. */
  listStep(list: ListPlace, step: Step): void {
    this.add(step, this.#container(list));
  }
}

export const evaluationKey: AttachmentKey<Evaluation> = attachmentKey<Evaluation>('evaluation');

/** Returns the evaluation that an exchange belongs to. Returns `null` if a handler created the exchange. */
export function evaluationOf(exchange: Exchange): Evaluation | null {
  return exchange.attached(evaluationKey) ?? null;
}

/** Returns a new step without results. */
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
