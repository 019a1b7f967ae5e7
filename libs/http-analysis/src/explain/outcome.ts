/** Determines the outcome of an explained request. */
import { isUtf8 } from 'node:buffer';
import { formatWhere, messageOf } from '@sluice/base';
import { type Exchange, statusOf } from '@sluice/http-app';
import type { Evaluation } from './evaluation.ts';
import type { RecordedResponse } from './recorded-response.ts';
import { fieldsOf } from './rehearse.ts';
import type { Outcome } from './types.ts';

/** Headers that depend on the time or the connection. */
const ofMoment: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

/** Returns the outcome of an evaluation path. */
export function outcomeOf(evaluation: Evaluation, exchange: Exchange, response: RecordedResponse): Outcome {
  const { ending, endedBy, responder, thrower } = evaluation;
  const kind = kindOf(evaluation, exchange, response);
  const by = ending !== null ? endedBy : kind === 'error' || kind === 'abort' ? (thrower ?? responder) : responder;
  const error = exchange.error ?? null;
  const { sent } = response;
  const hasResponse = kind === 'response' || kind === 'error';
  return {
    kind,
    status: hasResponse ? sent.status || 200 : 0,
    headers: hasResponse
      ? fieldsOf(sent.headers, { without: ofMoment, digestsSecrets: evaluation.digestsSecrets })
      : {},
    body: evaluation.withholdsBody || !hasResponse ? null : textOf(response),
    size: hasResponse ? response.size : 0,
    route: by === null ? null : formatWhere(by.route.path),
    routes: evaluation.reached,
    handler: by === null ? null : formatWhere(by.path),
    handler_id: by === null ? null : by.id,
    upstream: evaluation.upstream,
    sends: evaluation.sends,
    error:
      error === null ? null : { status: statusOf(error), message: evaluation.withholdsBody ? '' : messageOf(error) },
    depends_on: evaluation.dependsOn,
  };
}

function kindOf({ ending, responder }: Evaluation, exchange: Exchange, response: RecordedResponse): Outcome['kind'] {
  if (ending !== null) return ending.kind;
  if (response.cut && !response.isLarge) return 'abort';
  return exchange.error !== null && responder === null ? 'error' : 'response';
}

function textOf({ beginning, size }: RecordedResponse): string | null {
  if (size === 0) return null;
  // The recorded part of the body may end within a multibyte character.
  for (let cut = 0; cut < 4; cut++) {
    const bytes = beginning.subarray(0, beginning.length - cut);
    if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString();
    if (size === beginning.length) return null;
  }
  return null;
}
