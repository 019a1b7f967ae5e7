/** What handlers are given in place of sending, counting and chance while a request is explained. */
import { HeaderMap } from '@sluice/http1';
import {
  AbortError,
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

/** The rehearsal of all explanations: it finds what belongs to an exchange by the exchange. */
export const rehearsal: Rehearsal = {
  random: (exchange) => {
    const { observer, facts } = of(exchange);
    observer.fact('random', facts.random !== null);
    return facts.random ?? 0;
  },

  choose: (exchange, { select, describe }) => {
    const evaluation = of(exchange);
    const frame = new Frame();
    const outer = evaluation.observer.enter(frame);
    try {
      const chosen = select();
      evaluation.observer.leave(frame, outer);
      evaluation.upstream = {
        address: chosen?.address ?? null,
        known: frame.unknown.size > 0 ? 'unknown' : 'evaluated',
        candidates: describe(chosen),
      };
      return chosen;
    } catch (error) {
      evaluation.observer.leave(frame, outer);
      throw error;
    }
  },

  send: (exchange, request) => {
    const evaluation = of(exchange);
    evaluation.sends = {
      to: request.to,
      method: request.method,
      uri: redactQuery(request.uri),
      host: request.host,
      headers: fieldsOf(request.headers),
    };
    const declaredBy = evaluation.responses.find((each) => fits(each, request, evaluation.currentPath));
    if (declaredBy === undefined)
      return evaluation.stop({ kind: 'outward', why: `no response of ${request.to} is declared` });
    return declared(declaredBy);
  },

  stop: (exchange, why) => of(exchange).stop({ kind: 'outward', why }),
};

/** The fields of a message as they are shown: values that are secrets are not. */
export function fieldsOf(headers: HeaderMap): Record<string, string[]> {
  const fields: Record<string, string[]> = {};
  for (const [name, value] of headers) (fields[name] ??= []).push(isSecretField(name) ? redacted : value);
  return fields;
}

function of(exchange: Exchange): Evaluation {
  const evaluation = evaluationOf(exchange);
  if (evaluation === null) throw new AbortError('this request is not one that is explained');
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
  };
}
