/** Probe for explanations. Records the results of routes, matchers, and handlers, and runs nothing that has side effects. */
import type { Json } from '@sluice/base';
import type { ModuleLookup } from '@sluice/registry';
import {
  type Exchange,
  HttpError,
  type HttpHandler,
  type HttpMatcher,
  type ListPlace,
  type Next,
  type PartPlace,
  type Probe,
  type Rehearsal,
  type RoutePlace,
  statusOf,
} from '@sluice/http-app';
import { documentPart, type DocumentPart } from './document-place.ts';
import { evaluationOf, newStep, type Entered, type Evaluation } from './evaluation.ts';
import { Frame } from './frame.ts';
import { passOver } from './linear.ts';
import { rehearsal } from './rehearse.ts';
import type { Step } from './types.ts';

/** Observes the handler chains of a server for explanations. */
export class ExplainProbe implements Probe {
  readonly rehearsal: Rehearsal = rehearsal;
  readonly #document: Json;
  readonly #registry: ModuleLookup;
  readonly #isProposed: boolean;
  readonly #parts = new Map<PartPlace, DocumentPart>();

  /** `document` is the configuration document of the chains. `isProposed` is true if a client sent the document. */
  constructor(document: Json, registry: ModuleLookup, isProposed = false) {
    this.#document = document;
    this.#registry = registry;
    this.#isProposed = isProposed;
  }

  matcher(inner: HttpMatcher, place: PartPlace): HttpMatcher {
    return {
      match: (exchange) => {
        const evaluation = evaluationOf(exchange);
        return evaluation === null ? inner.match(exchange) : this.#ask(inner, place, exchange, evaluation);
      },
    };
  }

  handler(inner: HttpHandler, place: PartPlace): HttpHandler {
    return {
      handle: (exchange, next) => {
        const evaluation = evaluationOf(exchange);
        if (evaluation !== null)
          return this.#run(new Running(evaluation, place, this.#partOf(place)), inner, exchange, next);
        // The request comes from a template rather than a client.
        const { effect, id } = this.#partOf(place);
        if (effect === 'pure' || effect === 'reads') return inner.handle(exchange, next);
        throw new HttpError(500, `${id} does not run for requests that a template sends during an explanation`);
      },
    };
  }

  reached(exchange: Exchange, place: RoutePlace): void {
    const evaluation = evaluationOf(exchange);
    if (evaluation === null) return;
    passOver(exchange, evaluation, place.list, place.index);
    evaluation.reach(
      place,
      evaluation.routeStep(place, () => routeStep(place)),
    );
  }

  exhausted(exchange: Exchange, list: ListPlace): void {
    const evaluation = evaluationOf(exchange);
    if (evaluation === null) return;
    passOver(exchange, evaluation, list, list.list.routes.length);
    evaluation.position.delete(list);
    evaluation.close(list);
  }

  #partOf(place: PartPlace): DocumentPart {
    let part = this.#parts.get(place);
    if (part === undefined) this.#parts.set(place, (part = documentPart(this.#document, place, this.#registry)));
    return part;
  }

  /** Reports whether to skip a module because it would read files that the client must not read. */
  #isWithheld({ effect }: DocumentPart, { facts }: Evaluation): boolean {
    return effect === 'reads' && this.#isProposed && facts.confined;
  }

  #ask(inner: HttpMatcher, place: PartPlace, exchange: Exchange, evaluation: Evaluation): boolean | Promise<boolean> {
    const part = this.#partOf(place);
    const step = stepOf('matcher', part);
    step.wanted = part.wanted;
    evaluation.add(step, evaluation.asked ?? evaluation.routeStep(place.route, () => routeStep(place.route)));
    if (part.effect === 'opaque' || this.#isWithheld(part, evaluation)) return decideOpaque(evaluation, part, step);
    const around = evaluation.asked;
    const frame = new Frame();
    const outer = evaluation.observer.enter(frame);
    const startedAt = performance.now();
    evaluation.asked = step;
    const end = (): void => {
      step.ns = elapsed(startedAt);
      evaluation.asked = around;
      evaluation.observer.leave(frame, outer);
      step.got = frame.got.size === 0 ? null : Object.fromEntries(frame.got);
      step.changed = frame.changed.size === 0 ? null : Object.fromEntries(frame.changed);
    };
    const said = (verdict: boolean): boolean => {
      end();
      return verdictOf(evaluation, part, { step, frame, verdict });
    };
    const failed = (error: unknown): never => {
      end();
      noteError(evaluation, place, step, error);
      throw error;
    };
    try {
      const verdict = inner.match(exchange);
      return typeof verdict === 'boolean' ? said(verdict) : verdict.then(said, failed);
    } catch (error) {
      return failed(error);
    }
  }

  #run(running: Running, inner: HttpHandler, exchange: Exchange, next: Next): void | Promise<void> {
    const { evaluation, part, step, place } = running;
    const isWithheld = this.#isWithheld(part, evaluation);
    if (part.effect === 'opaque' || isWithheld) {
      if (!decideOpaque(evaluation, part, step)) {
        const why = isWithheld
          ? 'may read files, but this client does not have permission to read files'
          : 'does not declare its effects';
        return evaluation.stop({ kind: 'opaque', why: `${part.id} ${why}` });
      }
      running.passOver();
      return next(exchange);
    }
    if (!place.adapted && (part.effect === 'outward' || part.effect === 'consumes'))
      return evaluation.stop({ kind: 'outward', why: `${part.id} cannot run without side effects` });
    if (part.effect === 'reads' && evaluation.facts.confined) evaluation.withholdsBody = true;
    running.begin();
    const goOn: Next = (passed) => {
      running.passOn();
      return next(passed);
    };
    try {
      const pending = inner.handle(exchange, goOn);
      if (pending === undefined) running.end(exchange);
      else
        return pending.then(
          () => running.end(exchange),
          (error: unknown) => running.fail(error),
        );
    } catch (error) {
      running.fail(error);
    }
  }
}

class Running {
  readonly evaluation: Evaluation;
  readonly place: PartPlace;
  readonly part: DocumentPart;
  readonly step: Step;
  /** Handler that this object observes. `#around` is the enclosing handler, which has nested routes and has not called `next` yet. */
  readonly #entered: Entered;
  readonly #around: Entered | null;
  readonly #frame = new Frame();
  #outer: Frame | null = null;
  #startedAt = 0;
  #open = false;

  constructor(evaluation: Evaluation, place: PartPlace, part: DocumentPart) {
    this.evaluation = evaluation;
    this.place = place;
    this.part = part;
    this.step = stepOf('handler', part);
    evaluation.add(this.step, evaluation.reachedStep(place.route));
    this.#around = evaluation.current;
    this.#entered = evaluation.entered(place, this.step);
  }

  begin(): void {
    this.step.verdict = false;
    this.#outer = this.evaluation.observer.enter(this.#frame);
    this.#open = true;
    this.#startedAt = performance.now();
  }

  /** Skips the handler and continues with the next handler. */
  passOver(): void {
    this.evaluation.current = this.#around;
  }

  /** Called when the handler calls the next handler. */
  passOn(): void {
    this.step.verdict = true;
    this.#leave();
    this.passOver();
    // The route list continues from this position, even if a later error returns the request to an earlier handler.
    this.evaluation.position.set(this.place.route.list, this.place.route.index);
  }

  end({ response }: Exchange): void {
    if (!this.#open) return;
    this.#leave();
    this.evaluation.current = this.#around;
    this.evaluation.ended(this.#entered, response.status !== 0);
    if (this.evaluation.responder === this.place) this.evaluation.dependsOn = [...this.#frame.unknown];
  }

  /** Called when this handler or a later handler throws. */
  fail(error: unknown): never {
    this.#leave();
    noteError(this.evaluation, this.place, this.step, error);
    throw error;
  }

  #leave(): void {
    if (!this.#open) return;
    this.#open = false;
    const { step } = this;
    step.ns = elapsed(this.#startedAt);
    this.evaluation.observer.leave(this.#frame, this.#outer);
    if (this.#frame.changed.size > 0) step.changed = Object.fromEntries(this.#frame.changed);
    if (this.#frame.unknown.size > 0) step.known = 'assumed';
    else if (this.#frame.given) step.known = 'given';
  }
}

function stepOf(kind: Step['kind'], part: DocumentPart): Step {
  const step = newStep(kind, [], part.id);
  step.path = part.path;
  return step;
}

function routeStep(place: RoutePlace): Step {
  const step = newStep(
    place.path === place.list.path && place.route.places.length === 0 ? 'redirect' : 'route',
    place.path,
    '',
  );
  step.verdict = false;
  return step;
}

/** Returns the verdict of a matcher. If the verdict depends on unknown request properties, returns an assumption. */
function verdictOf(
  evaluation: Evaluation,
  { id, path, wanted }: DocumentPart,
  { step, frame, verdict }: { readonly step: Step; readonly frame: Frame; readonly verdict: boolean },
): boolean {
  if (frame.unknown.size === 0) {
    step.verdict = verdict;
    if (frame.given) step.known = 'given';
    return verdict;
  }
  step.verdict = 'unknown';
  step.known = 'assumed';
  const question = JSON.stringify([id, wanted, step.got]);
  return evaluation.decide(question, { path, fact: [...frame.unknown].join(', '), verdict });
}

function decideOpaque(evaluation: Evaluation, { id, path, wanted }: DocumentPart, step: Step): boolean {
  step.verdict = 'unknown';
  step.known = 'opaque';
  return evaluation.decide(JSON.stringify([path, id, wanted]), { path, fact: `what ${id} does`, verdict: true });
}

function noteError(evaluation: Evaluation, place: PartPlace, step: Step, error: unknown): void {
  if (!evaluation.raised(error, place)) return;
  const raised = newStep('error', [], step.id);
  raised.path = step.path;
  raised.got = { status: statusOf(error), message: error instanceof Error ? error.message : String(error) };
  step.steps.push(raised);
}

function elapsed(since: number): number {
  return Math.round((performance.now() - since) * 1e6);
}
