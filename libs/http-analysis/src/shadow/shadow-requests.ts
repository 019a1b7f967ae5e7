/** Selects the requests of a shadow run, and removes headers that cannot be replayed. */
import { redacted } from '@sluice/base';
import { redactQuery } from '@sluice/http-app';
import { isRecorded, wholeQuestionOf, type RecordedRequest } from '../explain/recorded.ts';
import type { ExplainRequest } from '../explain/types.ts';
import { safeMethods } from './side-effects.ts';
import type { LeftOut, ShadowRequest } from './types.ts';

/** Headers that apply only to a single connection or attempt. Forwarding headers are not included, because clients may send them. */
const dropped: ReadonlySet<string> = new Set(['expect', 'keep-alive', 'proxy-connection', 'te', 'trailer']);

export interface Selected {
  readonly requests: readonly ShadowRequest[];
  readonly leftOut: readonly LeftOut[];
}

/** Selects up to `count` recorded requests. Alternates between routes, so that rarely used routes are included. */
export function selectRecorded(records: readonly unknown[], count: number, allowsUnsafe: boolean): Selected {
  const leftOut: LeftOut[] = [];
  const byRoute = new Map<string, ShadowRequest[]>();
  for (const record of records) {
    if (!isRecorded(record)) continue;
    const replayed = replayable(record, 'recorded', allowsUnsafe);
    if ('reason' in replayed) {
      leftOut.push(replayed);
      continue;
    }
    const key = JSON.stringify([record.server, record.route ?? null, record.request.host, record.request.method]);
    const others = byRoute.get(key);
    if (others === undefined) byRoute.set(key, [replayed]);
    else others.push(replayed);
  }
  const requests: ShadowRequest[] = [];
  const lists = [...byRoute.values()];
  for (let turn = 0; requests.length < count && lists.some((list) => turn < list.length); turn++)
    for (const list of lists) {
      const next = list[turn];
      if (next !== undefined && requests.length < count) requests.push(next);
    }
  return { requests, leftOut };
}

/** Converts a recorded request to a request that can be sent. The recording lacks secrets, so headers that contained secrets are removed. */
export function replayable(
  record: RecordedRequest,
  source: ShadowRequest['source'],
  allowsUnsafe: boolean,
): ShadowRequest | LeftOut {
  const { request } = record;
  const question = wholeQuestionOf(record);
  const { method = 'GET' } = question;
  const reason = reasonToLeaveOut(record, allowsUnsafe);
  if (reason !== null) return { reason, method, url: redactQuery(question.url) };
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(
      ([name, values]) =>
        !dropped.has(name) && !(source === 'recorded' && values.some((each) => each.includes(redacted))),
    ),
  );
  const { responses: _, body: placeholder, ...rest } = question;
  const body = bodyOf(request);
  return {
    source,
    request: { ...rest, headers, ...(body === undefined || placeholder === undefined ? {} : { body }) },
  };
}

function reasonToLeaveOut({ request }: RecordedRequest, allowsUnsafe: boolean): string | null {
  const { method, query, headers, bytes = 0 } = request;
  if (!safeMethods.has(method) && !allowsUnsafe) return `${method} is not a safe method`;
  if ('upgrade' in headers || method === 'CONNECT') return 'upgraded connections are not replayed';
  if (query?.includes(redacted) === true) return 'the query contains a secret, which is not recorded';
  const body = bodyOf(request);
  if (bytes > 0 && body === undefined) return 'the body is not recorded';
  if (typeof body === 'string' && body.includes(redacted)) return 'the body contains a secret, which is not recorded';
  return null;
}

/** Returns the recorded body. Returns `undefined` if the body was not recorded. */
function bodyOf({ body }: RecordedRequest['request']): ExplainRequest['body'] {
  return body ?? undefined;
}
