/** Explains how the server handles requests. Runs each request through a second handler chain that uses the active module instances. */
import { guarded, parseWhere, taskOf, type Json } from '@sluice/base';
import type { ConfigOrigin, ModuleLookup } from '@sluice/registry';
import { type HttpApp, redactQuery, type Server } from '@sluice/http-app';
import { Budget } from './budget.ts';
import { commonOutcome, isSameEnd } from './common-outcome.ts';
import { type Decision, Evaluation, evaluationKey, type EvaluationParts, type Walk } from './evaluation.ts';
import { ExplainedExchange } from './explained-exchange.ts';
import { ExplainProbe } from './explain-probe.ts';
import { connectionOf, factsOf } from './facts.ts';
import { findServer, serverInstead, type FoundServer } from './find-server.ts';
import { outcomeOf } from './outcome.ts';
import { RecordedResponse } from './recorded-response.ts';
import { readTarget, type ReadTarget } from './request-target.ts';
import { explanationOf, refused, withoutTlsInCommon } from './outside-routes.ts';
import { otherStandIns } from './stand-ins.ts';
import { summaryOf } from './summary.ts';
import type { ExplainedPath, ExplainRequest, Explanation, Step } from './types.ts';

/** A configuration that is active or was provisioned for an explanation. */
export interface Explainable {
  readonly app: HttpApp;
  /** Configuration document from which the app was created. */
  readonly document: Json;
  readonly registry: ModuleLookup;
  /** Source locations in the document. `null` if unknown. */
  readonly sources: ConfigOrigin | null;
  /** True if a client sent the document. In this case, the modules must read files with the rights of the client. */
  readonly isProposed?: boolean;
}

/** Configurations to compare. */
export interface Compared {
  readonly before: Explainable;
  readonly after: Explainable;
}

interface Asked {
  readonly request: ExplainRequest;
  readonly target: ReadTarget;
  readonly of: Explainable;
  readonly limit?: number | undefined;
}

/** Maximum number of evaluation paths per request. */
const maxPaths = 8;

/** Time after which the cache removes an unused handler chain, in milliseconds. */
const keptFor = 60_000;

/** Explains how the server handles requests. Caches handler chains for a minute. */
export class Explainer {
  /** Handler chains, keyed by app. The same server may belong to several configurations that differ in other servers. */
  #chains = new WeakMap<HttpApp, Map<string, Server>>();
  readonly #walk: Walk = { left: 0, next: 0 };
  readonly #maxLeftOut: number;
  readonly #digestsSecrets: boolean;
  #timer: NodeJS.Timeout | null = null;
  readonly #forget = guarded(taskOf('explain'), () => this.close());

  /**
   * `maxLeftOut` is the maximum number of index-skipped routes that an explanation verifies. If `digestsSecrets` is true, each secret gets
   * a different placeholder, which comparisons require.
   */
  constructor(maxLeftOut = 1000, digestsSecrets = false) {
    this.#maxLeftOut = maxLeftOut;
    this.#digestsSecrets = digestsSecrets;
  }

  /** Explains how the server handles a request. Throws `ERR_EXPLAIN_REQUEST` if the request is invalid. */
  explain(request: ExplainRequest, of: Explainable, limit?: number): Promise<Explanation> {
    const target = readTarget(request);
    return this.#explainAt(findServer(of.app, request.server, target.port), { request, target, of, limit });
  }

  /**
   * Explains how the second configuration would handle a request to a server of the first configuration. Finds the server in the second
   * configuration by address, because a different server or no server may listen on the address. Returns `null` if the server cannot be
   * determined.
   */
  async explainInstead(request: ExplainRequest, { before, after }: Compared): Promise<Explanation | null> {
    const startedAt = performance.now();
    const target = readTarget(request);
    const now = findServer(before.app, request.server, target.port);
    const then = serverInstead(now, factsOf(request, target).isTls, after.app);
    if (then === 'unknown') return null;
    if (then !== null) return this.#explainAt({ ...then, known: now.known }, { request, target, of: after });
    const summary = { method: target.head.method, url: redactQuery(request.url), server: '', server_known: now.known };
    return explanationOf(summary, refused, startedAt);
  }

  async #explainAt({ server, known, addresses }: FoundServer, asked: Asked): Promise<Explanation> {
    const startedAt = performance.now();
    const { request, target, of, limit } = asked;
    const { method } = target.head;
    const summary = { method, url: redactQuery(request.url), server: server.name, server_known: known };
    const facts = factsOf(request, target);
    const outside = withoutTlsInCommon(server, addresses, { isTls: facts.isTls, method });
    if (outside !== null) return explanationOf(summary, outside, startedAt);
    const chain = this.#chainOf(server, of);
    const budget = new Budget(limit);
    this.#walk.left = this.#maxLeftOut;
    const disagreement = new Set<string>();
    const scripts: Script[] = [{ taken: [], isUpstream: false }];
    const paths: ExplainedPath[] = [];
    while (scripts.length > 0 && paths.length < maxPaths && budget.exceeded === null) {
      const { taken } = scripts.shift() as Script;
      const parts = {
        facts,
        responses: request.responses ?? [],
        budget,
        walk: this.#walk,
        script: taken,
        digestsSecrets: this.#digestsSecrets,
      };
      const evaluation = new Evaluation(parts);
      const path = await run(chain, target, evaluation);
      paths.push(await withoutStandIns(chain, target, { path, evaluation, parts, limit }));
      for (const each of evaluation.disagreement) disagreement.add(each);
      scripts.push(...alternativesTo(evaluation.decisions, taken.length));
    }
    if (of.sources !== null) for (const { steps } of paths) placeSteps(steps, of.sources, of.document);
    const more = scripts.length > 0;
    // Paths that differ only in the upstream have the same result as earlier paths.
    const isPartial = scripts.some(({ isUpstream }) => !isUpstream) || budget.exceeded !== null;
    return {
      request: summary,
      ...summaryOf(paths, isPartial),
      paths,
      more_paths: more,
      truncated: budget.exceeded,
      disagreement: [...disagreement],
      ms: Math.round((performance.now() - startedAt) * 1000) / 1000,
    };
  }

  /** Drops the chains. */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#chains = new WeakMap();
  }

  #chainOf(server: Server, { app, document, registry, isProposed = false }: Explainable): Server {
    this.#timer?.refresh();
    this.#timer ??= setTimeout(this.#forget, keptFor).unref();
    let chains = this.#chains.get(app);
    if (chains === undefined) this.#chains.set(app, (chains = new Map()));
    // A proposed configuration shares unchanged apps with the active configuration.
    const key = `${isProposed ? 'proposed' : 'served'} ${server.name}`;
    let chain = chains.get(key);
    if (chain === undefined) {
      const probe = new ExplainProbe(document, registry, isProposed);
      const redirects = app.redirects.get(server.name) ?? null;
      chain = server.rehearsed(probe, isProposed ? (redirects?.proposed() ?? null) : redirects);
      chains.set(key, chain);
    }
    return chain;
  }
}

/** First decisions of an evaluation path that is still to be evaluated. */
interface Script {
  readonly taken: readonly number[];
  /** True if the path differs from an earlier path only in the selected upstream. */
  readonly isUpstream: boolean;
}

/** Returns the paths that differ in one decision, at index `from` or later. */
function alternativesTo(decisions: readonly Decision[], from: number): Script[] {
  const before = decisions.map(({ taken }) => taken);
  return decisions.slice(from).flatMap(({ taken, of, isUpstream }, i) =>
    Array.from({ length: of }, (_, other) => other)
      .filter((other) => other !== taken)
      .map((other) => ({ taken: [...before.slice(0, from + i), other], isUpstream })),
  );
}

/** Evaluated path. */
interface Followed {
  readonly path: ExplainedPath;
  readonly evaluation: Evaluation;
  readonly parts: EvaluationParts;
  readonly limit: number | undefined;
}

/**
 * Returns the path without results that depend on stand-in values for unknown request properties. To detect such results, evaluates the
 * path again with different stand-in values.
 */
async function withoutStandIns(chain: Server, target: ReadTarget, followed: Followed): Promise<ExplainedPath> {
  const { path, evaluation, parts, limit } = followed;
  const { outcome } = path;
  const facts = evaluation.observer.unknown;
  if (facts.size === 0 || outcome.kind === 'unknown' || outcome.kind === 'opaque') return path;
  const again = new Evaluation({
    ...parts,
    facts: { ...parts.facts, standIns: otherStandIns },
    budget: new Budget(limit),
    script: evaluation.decisions.map(({ taken }) => taken),
  });
  const other = (await run(chain, target, again)).outcome;
  if (again.budget.exceeded !== null) return { ...path, outcome: { ...outcome, depends_on: [...facts] } };
  if (isSameEnd(outcome, other)) return { ...path, outcome: commonOutcome([outcome, other], facts) };
  return { ...path, outcome: { ...outcome, kind: 'unknown', status: 0, headers: {}, depends_on: [...facts] } };
}

async function run(chain: Server, { head }: ReadTarget, evaluation: Evaluation): Promise<ExplainedPath> {
  const { facts, observer, budget } = evaluation;
  const response = new RecordedResponse(head, () => evaluation.responded());
  const connection = connectionOf(facts, observer, () => (response.cut = true));
  const exchange = new ExplainedExchange({ head, facts, connection, response, observer });
  exchange.attach(evaluationKey, evaluation);
  const pending = chain.handle(exchange);
  if (pending !== undefined && !(await inTime(pending, budget))) {
    budget.exceeded ??= 'time';
    evaluation.ending ??= { kind: 'unknown', why: 'the explanation takes too long' };
    exchange.abort();
  }
  return { assumed: evaluation.assumed, outcome: outcomeOf(evaluation, exchange, response), steps: evaluation.steps };
}

/** Reports whether a promise settles within the time limit. */
async function inTime(pending: Promise<void>, budget: Budget): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), Math.max(1, budget.left));
  try {
    return await Promise.race([pending.then(() => true), promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Adds source locations to steps. */
function placeSteps(steps: readonly Step[], sources: ConfigOrigin, document: Json): void {
  for (const step of steps) {
    const path = parseWhere(step.path);
    const place = path === null ? null : sources.placeOf(path, document);
    if (place !== null) step.source = { file: place.file, line: place.line };
    placeSteps(step.steps, sources, document);
  }
}
