/** While a request is explained, replaces the network requests, counters, and random choices of handlers. */
import { createHmac, randomBytes } from 'node:crypto';
import { HeaderMap } from '@sluice/http1';
import {
  AbortError,
  type Choice,
  type DeclaredResponse,
  type Exchange,
  redactQuery,
  type Rehearsal,
  type RehearsedRequest,
} from '@sluice/http-app';
import { evaluationOf, type Evaluation } from './evaluation.ts';
import { Frame } from './frame.ts';
import { isSecretField, redacted } from '@sluice/base';
import type { DeclaredUpstream } from './types.ts';

/** Rehearsal object that all explanations share. It looks up the data of an explanation by exchange. */
export const rehearsal: Rehearsal = {
  random: (exchange) => {
    const { observer, facts } = of(exchange);
    observer.fact('random', facts.random !== null);
    return facts.random ?? facts.standIns.random;
  },

  depends: (exchange, state) => of(exchange).observer.fact(state, false),

  decides: <T extends boolean | Promise<boolean>>(exchange: Exchange, option: string, compute: () => T): T => {
    const evaluation = of(exchange);
    const frame = new Frame();
    const outer = evaluation.observer.enter(frame);
    const leave = (): void => evaluation.observer.leave(frame, outer);
    const decide = (verdict: boolean): boolean => {
      leave();
      if (frame.unknown.size === 0) return verdict;
      const path = `${evaluation.currentPath ?? ''}.${option}`;
      return evaluation.decide(path, { path, fact: [...frame.unknown].join(', '), verdict });
    };
    const failed = (error: unknown): never => {
      leave();
      throw error;
    };
    let verdict: T;
    try {
      verdict = compute();
    } catch (error) {
      return failed(error);
    }
    return (typeof verdict === 'boolean' ? decide(verdict) : verdict.then(decide, failed)) as T;
  },

  choose: (exchange, choice) => {
    const evaluation = of(exchange);
    const { observer } = evaluation;
    const frame = new Frame();
    const outer = observer.enter(frame);
    // Clear earlier data, because it was sent to a different upstream.
    evaluation.sends = null;
    try {
      const selected = choice.select();
      const eligible = frame.unknown.size === 0 ? [] : choice.eligible();
      const chosen = eligible.length < 2 ? selected : decided(evaluation, choice, { selected, eligible, frame });
      evaluation.upstream = {
        address: chosen?.address ?? null,
        known: eligible.length < 2 ? 'evaluated' : 'assumed',
        candidates: choice.describe(chosen, eligible),
      };
      return chosen;
    } finally {
      observer.leave(frame, outer);
    }
  },

  send: (exchange, request) => {
    const evaluation = of(exchange);
    const declaredBy = evaluation.responses.find((each) => fits(each, request, evaluation.currentPath));
    // The handler reads the body only after it has connected to the upstream.
    const bodyError = declaredBy?.error === 'refused' ? null : request.readBody();
    if (bodyError !== null) {
      // The upstream receives no complete request, so the response does not depend on the upstream.
      evaluation.upstream = null;
      return { ...declared({}), bodyError };
    }
    evaluation.sends = {
      to: request.to,
      method: request.method,
      uri: redactQuery(request.uri),
      host: request.host,
      headers: fieldsOf(request.headers, evaluation),
    };
    if (declaredBy === undefined)
      return evaluation.stop({ kind: 'outward', why: `no simulated response for ${request.to}` });
    return declared(declaredBy);
  },

  stop: (exchange, why) => of(exchange).stop({ kind: 'outward', why }),
};

/** Upstream that a policy selected. The selection may depend on unknown request properties. */
interface Selected<T> {
  readonly selected: T | null;
  readonly eligible: readonly T[];
  readonly frame: Frame;
}

/** Follows one of the upstreams that the policy may select. Other evaluation paths follow the other upstreams. */
function decided<T extends { readonly address: string }>(
  evaluation: Evaluation,
  choice: Choice<T>,
  { selected, eligible, frame }: Selected<T>,
): T | null {
  const likeliest = selected === null ? 0 : Math.max(0, eligible.indexOf(selected));
  const addresses = eligible.map(({ address }) => address);
  const taken = eligible[evaluation.decideUpstream(addresses, likeliest, [...frame.unknown].join(', '))];
  return taken === undefined || taken === selected ? selected : choice.selectOnly(taken);
}

/** Key of the digests. The key is random, so the digests are useless outside this process. */
const digestKey = randomBytes(32);

/** Returns a placeholder for a secret. Different secrets have different placeholders. */
function digested(value: string): string {
  return `${redacted} (${createHmac('sha256', digestKey).update(value).digest('hex').slice(0, 8)})`;
}

interface ShownFields {
  readonly without?: ReadonlySet<string>;
  /** True to display different secrets as different placeholders. */
  readonly digestsSecrets: boolean;
}

/** Returns message headers for display, without secret values. */
export function fieldsOf(headers: HeaderMap, { without, digestsSecrets }: ShownFields): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  for (const [name, value] of headers)
    if (without?.has(name) !== true)
      (fields[name] ??= []).push(!isSecretField(name) ? value : digestsSecrets ? digested(value) : redacted);
  return fields;
}

function of(exchange: Exchange): Evaluation {
  const evaluation = evaluationOf(exchange);
  if (evaluation === null) throw new AbortError('this request is not part of an explanation');
  return evaluation;
}

function fits({ upstream, path }: DeclaredUpstream, request: RehearsedRequest, handler: string | null): boolean {
  return (upstream === undefined || upstream === request.to) && (path === undefined || path === handler);
}

function declared({ status, headers = {}, body, error }: DeclaredUpstream): DeclaredResponse {
  const fields = new HeaderMap();
  for (const [name, value] of Object.entries(headers))
    for (const line of typeof value === 'string' ? [value] : value) fields.append(name.toLowerCase(), line);
  return {
    status: error === undefined ? (status ?? 200) : 0,
    headers: fields,
    body: Buffer.from(body ?? ''),
    failure: error ?? null,
    bodyError: null,
  };
}
