/** Makes a case for `sluice test` of what is explained: a request, what stands in for upstreams, and what is to become of it. */
import { redacted, type Json, type JsonObject } from '@sluice/base';
import { requestError } from './request-error.ts';
import type { DeclaredUpstream, ExplainRequest, Explanation, Outcome } from './types.ts';

/** What a stand-in responds where no response is declared. */
const standIn = { status: 200, body: 'from the upstream' } as const;

/** Fields of responses that a case expects: those that handlers decide on, and not the server or the moment. */
const telling: readonly string[] = ['content-type', 'location', 'cache-control', 'www-authenticate', 'allow', 'vary'];

/** Fields of one connection, which HTTP/2 does not have. */
const ofConnections: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/** Longest body that an explanation tells whole, in bytes. */
const wholeBody = 4096;

type Explain = (request: ExplainRequest) => Promise<Explanation>;

/** Makes a case. An ERR_EXPLAIN_REQUEST says why there is none: a test knows all facts of its requests, but for time and chance. */
export async function testCaseOf(request: ExplainRequest, explain: Explain): Promise<JsonObject> {
  const { time, random } = request;
  if (time !== undefined || random !== undefined)
    throw requestError(time === undefined ? 'random' : 'time', 'tests run now, and by chance: leave it out');
  const asked = sendable(request);
  const first = (await explain(asked)).outcome;
  const standIns = first.kind === 'outward' ? [standInOf(first)] : (request.responses ?? []);
  const explanation =
    first.kind === 'outward' ? await explain({ ...asked, responses: standIns }) : await explain(asked);
  const { outcome, unknown } = explanation;
  if (outcome.kind === 'opaque')
    throw requestError('url', `what ${outcome.handler_id ?? 'a module'} does is not known`);
  if (outcome.kind === 'unknown' || outcome.kind === 'outward' || explanation.truncated !== null)
    throw requestError(
      'url',
      `what becomes of it is not known: give ${unknown.join(', ') || 'the responses of upstreams'}`,
    );
  return {
    name: `${explanation.request.method} ${asked.url}`,
    request: requestOf(asked),
    ...(standIns.length === 0 ? {} : { upstreams: upstreamsOf(standIns) }),
    expect: expectedOf(outcome, asked.method),
  };
}

/** The request as a client can send it. */
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

/** For any upstream where it is not known which one is chosen. */
function standInOf({ upstream }: Outcome): DeclaredUpstream {
  const address = upstream?.known === 'evaluated' ? upstream.address : null;
  return { ...(address === null ? {} : { upstream: address }), ...standIn };
}

/** As cases write them, by address. The first that fits was taken, and so stays. */
function upstreamsOf(declared: readonly DeclaredUpstream[]): JsonObject {
  const upstreams: Record<string, Json> = {};
  for (const { upstream = '*', path, status, headers, body, error } of declared) {
    if (path !== undefined)
      throw requestError('responses', 'a test has responses of upstreams, and not of handlers: leave "path" out');
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

/** Header fields and body, where they do not depend on what is not known. */
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
