/**
 * Outcomes of requests that end before they reach a server's routes. Either no server listens, or client and server disagree on whether to
 * use TLS.
 */
import type { Server } from '@sluice/http-app';
import type { NetworkAddress } from '@sluice/base';
import { undecided } from './summary.ts';
import type { Explanation, Outcome } from './types.ts';

/** HTTP methods by which a server recognizes a plain HTTP request while expecting a TLS handshake. */
const recognized: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'OPTIONS']);

/** Outcome if no server listens on the address. */
export const refused: Outcome = { ...undecided, kind: 'refused' };

const body = 'Client sent an HTTP request to an HTTPS server.\n';

/**
 * Returns the outcome if only one of client and server uses TLS at each of these addresses. Returns `null` if the routes determine the
 * outcome.
 */
export function withoutTlsInCommon(
  server: Server,
  addresses: readonly NetworkAddress[],
  request: { readonly isTls: boolean; readonly method: string },
): Outcome | null {
  if (addresses.length === 0 || addresses.some((each) => server.speaksTls(each) !== !request.isTls)) return null;
  if (request.isTls || !recognized.has(request.method)) return { ...undecided, kind: 'abort' };
  return { ...undecided, kind: 'response', status: 400, body, size: body.length };
}

/** Returns an explanation with a single outcome and no routes. */
export function explanationOf(request: Explanation['request'], outcome: Outcome, startedAt: number): Explanation {
  return {
    request,
    outcome,
    unknown: [],
    paths: [{ assumed: [], outcome, steps: [] }],
    more_paths: false,
    truncated: null,
    disagreement: [],
    ms: Math.round((performance.now() - startedAt) * 1000) / 1000,
  };
}
