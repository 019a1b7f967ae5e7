/** Checks each admin request before routing: its target, origin, client, and path. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '@sluice/base';
import { isRefusal, type Refusal } from './access/access.ts';
import { Authority } from './access/authority.ts';
import { methodOf, setCall } from './call.ts';
import type { Guard } from './endpoint/guard.ts';
import type { AdminMetrics } from './admin-metrics.ts';
import type { CompressibleResponse } from './http/compressed.ts';
import { sendEmpty, sendError, sendRedirect } from './http/send.ts';
import { canonicalPath, parseTarget, type Target } from './http/target.ts';
import { logRefusal, recordResponse } from './request-log.ts';

/** Handles requests that passed the front-end checks. */
export interface Interior {
  readonly take: (request: IncomingMessage, response: ServerResponse) => void;
  /** Paths that require a trailing slash, listed without the slash. */
  readonly trees: ReadonlySet<string>;
  /** Request metrics. `null` disables metrics. */
  readonly metrics: AdminMetrics | null;
  readonly log: Logger;
}

/**
 * Matches routes that are exempt from the general permission check. Some of these routes resolve their target and then check permissions
 * themselves. The other routes are open to all clients.
 */
const decidesItself = /^\/(?:(?:config|id)\/|history\/[^/]*\/confirm$|session(?:\/code)?$)/;

/** Dashboard files. */
const ofDashboard = /^\/ui(?:\/|$)/;

/** Rights of unauthenticated clients. These clients can read dashboard files and exchange a login code for a session. */
const unauthenticated = new Authority(null, []);

/** Accepts or rejects a request. Checks the target first, then the origin, then the client. */
export function admit(
  request: IncomingMessage,
  response: CompressibleResponse,
  guard: Guard,
  interior: Interior,
): void {
  recordResponse(request, response, interior);
  const target = readTarget(request, response);
  if (target === null) return;
  const isPage = request.method === 'GET' && ofDashboard.test(target.path);
  if (!passGuard(request, response, guard, { target, isPage })) return;
  const authority = authorize(request, response, guard, { target, isPage, ...interior });
  if (authority === null) return;
  const confined =
    guard.externalReads === 'none' || (guard.externalReads === 'unrestricted' && !authority.isUnrestricted);
  setCall(request, { target, authority, confined });
  request.url = target.path + target.query;
  response.compressFor(request);
  interior.take(request, response);
}

/** Parses the request target. If there is nothing to route, sends a response and returns `null`. */
function readTarget(request: IncomingMessage, response: ServerResponse): Target | null {
  const method = methodOf(request);
  const url = request.url ?? '/';
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    refuseUnread(response, 'missing Host header, which HTTP/1.1 requires');
    return null;
  }
  if (url === '*') {
    if (method === 'OPTIONS') sendEmpty(response);
    else sendError(response, 400, `the target "*" is only valid for OPTIONS, not for ${method}`, 'ERR_ADMIN_REQUEST');
    return null;
  }
  const target = parseTarget(url);
  if (target === null)
    refuseUnread(
      response,
      `${JSON.stringify(url)} is not a valid path: expected a path such as /config/apps, with valid percent-encoding`,
    );
  return target;
}

/** Rejects a request that cannot be parsed, and closes the connection. */
function refuseUnread(response: ServerResponse, message: string): void {
  response.setHeader('Connection', 'close');
  sendError(response, 400, message, 'ERR_ADMIN_REQUEST');
}

/** A request with a parsed target. */
interface Targeted {
  readonly target: Target;
  /** True for dashboard files. */
  readonly isPage: boolean;
}

/** Reports whether the origin of a request is allowed. If not, sends an error response. Also responds to CORS preflight requests. */
function passGuard(
  request: IncomingMessage,
  response: ServerResponse,
  guard: Guard,
  { target, isPage }: Targeted,
): boolean {
  const { origin, referer, 'sec-fetch-mode': fetchMode, 'sec-fetch-site': fetchSite, host = '' } = request.headers;
  const verdict = guard.check({
    host: target.host ?? host,
    origin,
    referer,
    fetchMode: Array.isArray(fetchMode) ? fetchMode.join() : fetchMode,
    fetchSite: Array.isArray(fetchSite) ? fetchSite.join() : fetchSite,
    isPage,
  });
  if (verdict.status !== 0) {
    sendError(response, verdict.status, verdict.message, 'ERR_ADMIN_FORBIDDEN');
    return false;
  }
  if (verdict.allowOrigin !== null) {
    response.setHeader('Access-Control-Allow-Origin', verdict.allowOrigin);
    if (methodOf(request) === 'OPTIONS') allowEverything(response, guard.access.readsAuthorization);
  }
  if (isPage && !guard.ui) {
    sendError(response, 404, 'the dashboard is disabled (admin.ui)', 'ERR_ADMIN_PATH');
    return false;
  }
  if (!guard.access.readsAuthorization || !isPreflight(request)) return true;
  response.writeHead(204).end();
  return false;
}

/**
 * Adds the CORS headers to the response of a preflight request. If no tokens are configured, the request continues to the route, as in
 * Caddy.
 */
function allowEverything(response: ServerResponse, isAuthorized: boolean): void {
  const fields = 'Content-Type, Content-Length, Cache-Control';
  response.setHeader('Access-Control-Allow-Methods', 'OPTIONS, GET, POST, PUT, PATCH, DELETE');
  response.setHeader('Access-Control-Allow-Headers', isAuthorized ? `Authorization, If-Match, ${fields}` : fields);
  response.setHeader('Access-Control-Allow-Credentials', 'true');
}

/**
 * Reports whether a request is a CORS preflight. Browsers send preflights without the bearer token and require a success status (Fetch
 * §4.8).
 */
function isPreflight({ headers, method }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

/** Returns the client that sent a request. If the client lacks permission or the path is not canonical, sends a response and returns `null`. */
function authorize(
  request: IncomingMessage,
  response: ServerResponse,
  guard: Guard,
  { target, isPage, trees, log }: Targeted & Pick<Interior, 'trees' | 'log'>,
): Authority | null {
  const method = methodOf(request);
  const isOpen = isPage || (method === 'POST' && target.path === '/session');
  const authority = isOpen ? unauthenticated : guard.access.identify(request);
  if (isRefusal(authority)) return refuse(request, response, authority, log);
  const path = canonicalPath(target.path, trees);
  if (path !== target.path) {
    sendRedirect(response, method, path + target.query);
    return null;
  }
  if (isOpen || decidesItself.test(path) || authority.allowsPath(method, path)) return authority;
  const message = `${authority.name} does not have permission to ${method} ${path}`;
  return refuse(request, response, { status: 403, message, challenge: null }, log);
}

function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal, log: Logger): null {
  logRefusal(request, refusal.message, log);
  if (refusal.challenge !== null) response.setHeader('WWW-Authenticate', refusal.challenge);
  sendError(response, refusal.status, refusal.message, 'ERR_ADMIN_FORBIDDEN');
  return null;
}
