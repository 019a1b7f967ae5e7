/** Selects the requests for a comparison: recorded requests, and requests generated for changed routes. */
import { redacted, unescapePathOrNull, type Json } from '@sluice/base';
import type { HttpApp } from '@sluice/http-app';
import type { RunningServer } from '@sluice/registry';
import { requestSamplesToken } from '@sluice/http-observability';
import { isRecorded, wholeQuestionOf } from '../explain/recorded.ts';
import type { ExplainRequest } from '../explain/types.ts';
import type { IsAffected } from './affected-requests.ts';
import { edgeRequests } from './edge-requests.ts';
import type { ComparedRequest } from './types.ts';

/** Requests to compare, and the number of recorded requests that the change cannot affect. */
export interface RequestsToCompare {
  readonly requests: readonly ComparedRequest[];
  readonly unaffected: number;
}

/** Returns the requests whose servers exist in the active configuration. Omits requests to hosts for which `isExcepted` returns true. */
export function comparedRequests(
  server: RunningServer,
  app: HttpApp,
  { before, after }: { readonly before: Json; readonly after: Json },
  {
    isAffected,
    isExcepted,
  }: { readonly isAffected: IsAffected | null; readonly isExcepted: (host: string) => boolean },
): RequestsToCompare {
  const records = server.service(requestSamplesToken)?.records() ?? [];
  const served = records
    .filter(isRecorded)
    .filter(
      ({ server: name, request: { host } }) =>
        (name === null || app.servers.has(name)) && !isExcepted(hostnameOf(host)),
    );
  const affected = served.filter(({ request: { host, path } }) => {
    const decoded = unescapePathOrNull(path);
    return isAffected === null || decoded === null || isAffected({ host, path: decoded });
  });
  const recorded = affected.map(wholeQuestionOf);
  const generated = edgeRequests(before, after)
    .filter(({ url }) => !isExcepted(URL.parse(url)?.hostname ?? ''))
    .flatMap((each) => arriving(each, app));
  const requests = [
    ...recorded.map((request) => ({ request: responding(request), source: 'recorded' as const })),
    ...generated.map((request) => ({ request: responding(request), source: 'generated' as const })),
  ];
  return { requests, unaffected: served.length - affected.length };
}

function hostnameOf(host: string): string {
  return URL.parse(`http://${host}`)?.hostname ?? '';
}

/** Returns a generated request with the first address of its server. Returns an empty list if the configuration has no such server. */
function arriving(request: ExplainRequest, { servers }: HttpApp): ExplainRequest[] {
  const server = servers.get(request.server ?? '');
  if (server === undefined) return [];
  const [address] = server.networkAddresses;
  if (address === undefined) return [request];
  const isTls = server.speaksTls(address) ?? request.url.startsWith('https:');
  const url = request.url.replace(/^https?/, isTls ? 'https' : 'http');
  // Send unknown credentials, so that the explanation covers both results of authentication.
  const headers = { authorization: redacted, ...request.headers };
  return [{ ...request, url, headers, tls: isTls, ...(address.startPort > 0 ? { port: address.startPort } : {}) }];
}

/**
 * Returns a request with a simulated upstream response. The response has the recorded status, or 200, so that the comparison covers
 * response handling.
 */
function responding(request: ExplainRequest): ExplainRequest {
  return request.responses === undefined ? { ...request, responses: [{ status: 200 }] } : request;
}
