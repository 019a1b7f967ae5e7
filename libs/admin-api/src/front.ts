/** What every request goes through before it is routed: its target, who may ask, and where its path should have been. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { guarded, taskOf, type Logger } from '@sluice/base';
import { isRefusal, type Refusal } from './access/access.ts';
import { Authority } from './access/authority.ts';
import { knownTarget, methodOf, setCall } from './call.ts';
import type { Guard } from './endpoint/guard.ts';
import type { AdminMetrics } from './admin-metrics.ts';
import type { CompressibleResponse } from './http/compressed.ts';
import { sendEmpty, sendError, sendRedirect } from './http/send.ts';
import { canonicalPath, parseTarget, type Target } from './http/target.ts';

/** What comes after the front. */
export interface Interior {
  /** Takes a request that was let in. */
  readonly take: (request: IncomingMessage, response: ServerResponse) => void;
  /** Paths, without their slash, that are to end with one. */
  readonly trees: ReadonlySet<string>;
  /** Where requests are counted; `null` for nowhere. */
  readonly metrics: AdminMetrics | null;
  readonly log: Logger;
}

/** Routes that look at what a request leads to, before they let the client do it; and what every client may. */
const decidesItself = /^\/(?:(?:config|id)\/|history\/[^/]*\/confirm$|session(?:\/code)?$)/;

/** Its files. */
const ofDashboard = /^\/ui(?:\/|$)/;

/** Who has not shown who it is, and needs not: for files of the dashboard, and to get a session for a code. */
const stranger = new Authority(null, []);

/** Lets a request in, or responds to it. */
export function admit(
  request: IncomingMessage,
  response: CompressibleResponse,
  guard: Guard,
  { take, trees, metrics, log }: Interior,
): void {
  const method = methodOf(request);
  const started = performance.now();
  const url = request.url ?? '/';
  const onClose = guarded(taskOf('admin'), () => {
    metrics?.count(request, response);
    logRequest(request, response, { uri: url, started }, log);
  });
  response.on('close', onClose);
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    refuseUnread(response, 'the Host header field is missing: HTTP/1.1 requires it');
    return;
  }
  if (url === '*') {
    if (method === 'OPTIONS') sendEmpty(response);
    else sendError(response, 400, `the target "*" is for OPTIONS alone, not for ${method}`, 'ERR_ADMIN_REQUEST');
    return;
  }
  const target = parseTarget(url);
  if (target === null) {
    refuseUnread(
      response,
      `${JSON.stringify(url)} is not a path that can be read: expected one such as /config/apps, with valid escapes`,
    );
    return;
  }
  const isPage = method === 'GET' && ofDashboard.test(target.path);
  if (!pass(request, response, guard, { target, isPage })) return;
  if (isPage && !guard.ui) {
    sendError(response, 404, 'the dashboard is switched off (admin.ui)', 'ERR_ADMIN_PATH');
    return;
  }
  if (guard.access.readsAuthorization && isPreflight(request)) {
    response.writeHead(204).end();
    return;
  }
  const isOpen = isPage || (method === 'POST' && target.path === '/session');
  const authority = isOpen ? stranger : guard.access.identify(request);
  if (isRefusal(authority)) {
    refuse(request, response, authority, log);
    return;
  }
  const path = canonicalPath(target.path, trees);
  if (path !== target.path) {
    sendRedirect(response, method, path + target.query);
    return;
  }
  if (!isOpen && !decidesItself.test(path) && !authority.allowsPath(method, path)) {
    const message = `${authority.name} may not ${method} ${path}`;
    refuse(request, response, { status: 403, message, challenge: null }, log);
    return;
  }
  const confined =
    guard.externalReads === 'none' || (guard.externalReads === 'unrestricted' && !authority.isUnrestricted);
  setCall(request, { target, authority, confined });
  request.url = target.path + target.query;
  response.compressFor(request);
  take(request, response);
}

function pass(
  request: IncomingMessage,
  response: ServerResponse,
  guard: Guard,
  { target, isPage }: { readonly target: Target; readonly isPage: boolean },
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
  return true;
}

/** What a browser asks before it sends a change. Without tokens the response goes on to the route, as with the reference. */
function allowEverything(response: ServerResponse, isAuthorized: boolean): void {
  const fields = 'Content-Type, Content-Length, Cache-Control';
  response.setHeader('Access-Control-Allow-Methods', 'OPTIONS, GET, POST, PUT, PATCH, DELETE');
  response.setHeader('Access-Control-Allow-Headers', isAuthorized ? `Authorization, If-Match, ${fields}` : fields);
  response.setHeader('Access-Control-Allow-Credentials', 'true');
}

/** A browser asks without the token, and goes on only if the response is a success (Fetch §4.8). */
function isPreflight({ headers, method }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
}

function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal, log: Logger): void {
  logRefusal(request, refusal.message, log);
  if (refusal.challenge !== null) response.setHeader('WWW-Authenticate', refusal.challenge);
  sendError(response, refusal.status, refusal.message, 'ERR_ADMIN_FORBIDDEN');
}

/** The target of a request as far as it was read: routers change `request.url`. */
function sentUri(request: IncomingMessage): string | undefined {
  const target = knownTarget(request);
  return target === undefined ? request.url : target.path + target.query;
}

/** An attempt at something that is not allowed. Never says what token was presented. */
export function logRefusal(request: IncomingMessage, reason: string, log: Logger): void {
  log.warn('access refused', {
    method: methodOf(request),
    uri: sentUri(request),
    remote: request.socket.remoteAddress ?? null,
    reason,
  });
}

/** Refuses what can hardly be called a request; whoever sent it is not expected to send a better one next. */
function refuseUnread(response: ServerResponse, message: string): void {
  response.setHeader('Connection', 'close');
  sendError(response, 400, message, 'ERR_ADMIN_REQUEST');
}

/** `uri`: as it was sent. Routers take what they were mounted at off `request.url`, and may not have put it back yet. */
function logRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { uri, started }: { readonly uri: string; readonly started: number },
  log: Logger,
): void {
  const method = methodOf(request);
  const level = method === 'GET' && response.statusCode < 400 ? 'debug' : 'info';
  if (!log.enabled(level)) return;
  log[level]('request', {
    method,
    uri,
    host: request.headers.host,
    remote: request.socket.remoteAddress ?? null,
    status: response.statusCode,
    duration_ms: Math.round(performance.now() - started),
  });
}
