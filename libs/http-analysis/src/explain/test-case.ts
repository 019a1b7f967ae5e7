/** Generates a `sluice test` case from an explanation. A case consists of a request, mock upstreams, and the expected result. */
import { redacted, type Json, type JsonObject } from '@sluice/base';
import { requestError } from './request-error.ts';
import type { DeclaredUpstream, ExplainRequest, Explanation, Outcome } from './types.ts';

/** Response of a mock upstream that has no declared response. */
const standIn = { status: 200, body: 'from the upstream' } as const;

/**
 * Response headers that a test case checks. Includes only headers that handlers set. Excludes headers that the server adds or that depend
 * on the time.
 */
const telling: readonly string[] = ['content-type', 'location', 'cache-control', 'www-authenticate', 'allow', 'vary'];

/** Connection-specific headers, which HTTP/2 does not allow. */
const ofConnections: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/** Maximum size of a body that an explanation contains in full, in bytes. */
const wholeBody = 4096;

type Explain = (request: ExplainRequest) => Promise<Explanation>;

/** Generates a test case. Rejects with `ERR_EXPLAIN_REQUEST` if a fact is unknown. The time and randomness may be unknown. */
export async function testCaseOf(request: ExplainRequest, explain: Explain): Promise<JsonObject> {
  const { time, random } = request;
  if (time !== undefined || random !== undefined)
    throw requestError(
      time === undefined ? 'random' : 'time',
      'tests use the current time and random values: omit this key',
    );
  const asked = sendable(request);
  const first = (await explain(asked)).outcome;
  const standIns = first.kind === 'outward' ? [standInOf(first)] : (request.responses ?? []);
  const explanation =
    first.kind === 'outward' ? await explain({ ...asked, responses: standIns }) : await explain(asked);
  const { outcome, unknown } = explanation;
  if (outcome.kind === 'opaque')
    throw requestError('url', `the effect of ${outcome.handler_id ?? 'a module'} is unknown`);
  if (outcome.kind === 'unknown' || outcome.kind === 'outward' || explanation.truncated !== null)
    throw requestError(
      'url',
      ` 'the responses of upstreams'}||the outcome is unknown: provide ${unknown.join(', ') || 'the upstream responses'}|| 'the responses of upstreams'}`,
    );
  return {
    name: `${explanation.request.method} ${asked.url}`,
    request: requestOf(asked),
    ...(standIns.length === 0 ? {} : { upstreams: upstreamsOf(standIns) }),
    expect: expectedOf(outcome, asked.method),
  };
}

/** Returns the request in a form that a client can send. */
function sendable(request: ExplainRequest): ExplainRequest {
  const isHttp2 = (request.protocol ?? (/^https:/i.test(request.url) ? 'HTTP/2.0' : '')) === 'HTTP/2.0';
  const headers = Object.entries(request.headers ?? {}).filter(
    ([name]) => !isHttp2 || !ofConnections.has(name.toLowerCase()),
  );
  return { ...request, headers: Object.fromEntries(headers) };
}

function requestOf({ url, method, headers = {}, body, protocol, client, tls, server }: ExplainRequest): JsonObject {
  const given: Record<string, unknown> = { url, method, body, protocol, client, tls, server };
  const kept = Object.entries(given).filter(([, value]) => value !== undefined) as [string, Json][];
  return {
    ...Object.fromEntries(kept),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
  };
}

/** Returns a mock of the selected upstream. If the selection is unknown, the mock represents any upstream. */
function standInOf({ upstream }: Outcome): DeclaredUpstream {
  const address = upstream?.known === 'evaluated' ? upstream.address : null;
  return { ...(address === null ? {} : { upstream: address }), ...standIn };
}

/** Returns the declared upstreams in test case format, keyed by address. Only the first declaration for an address is relevant. */
function upstreamsOf(declared: readonly DeclaredUpstream[]): JsonObject {
  const upstreams: Record<string, Json> = {};
  for (const { upstream = '*', path, status, headers, body, error } of declared) {
    if (path !== undefined)
      throw requestError('responses', 'tests support upstream responses, not handler responses: omit "path"');
    if (upstream in upstreams || '*' in upstreams) continue;
    const response: Record<string, unknown> = { status, headers, body, error };
    upstreams[upstream] = Object.fromEntries(
      Object.entries(response).filter(([, value]) => value !== undefined) as [string, Json][],
    );
  }
  return upstreams;
}

function expectedOf(outcome: Outcome, method = 'GET'): JsonObject {
  const { kind, status, route, upstream, sends } = outcome;
  return {
    ...(kind === 'abort' ? { aborted: true } : { status, ...contentOf(outcome, method) }),
    route,
    ...(upstream?.known === 'evaluated' && upstream.address !== null && sends !== null
      ? { upstream: upstream.address, ...sentOf(sends) }
      : {}),
  };
}

/** Returns the expected headers and body, unless they depend on unknown request properties. */
function contentOf({ headers, body, size, depends_on: unknown, error }: Outcome, method: string): JsonObject {
  if (unknown.length > 0) return {};
  const fields = Object.entries(headers).flatMap(([name, value]): [string, Json][] => {
    const lines = Array.isArray(value) ? value : [value];
    return telling.includes(name) && !lines.includes(redacted) ? [[name, lines]] : [];
  });
  const isWhole = error === null && method !== 'HEAD' && size !== null && size <= wholeBody;
  return {
    ...(fields.length === 0 ? {} : { headers: Object.fromEntries(fields) }),
    ...(isWhole && (body !== null || size === 0) ? { body: body ?? '' } : {}),
  };
}

function sentOf({ method, uri }: JsonObject): JsonObject {
  const hidesSecret = String(uri).includes(redacted);
  return { sent: { method: method ?? 'GET', ...(hidesSecret ? {} : { uri: uri ?? '/' }) } };
}
