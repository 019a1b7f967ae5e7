/** What every request goes through before it is routed: its target, who may ask, and where its path should have been. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from '@sluice/registry';
import { methodOf, setTarget } from './call.ts';
import type { Guard } from './endpoint/guard.ts';
import { answerEmpty, answerError, answerRedirect } from './http/answer.ts';
import { canonicalPath, parseTarget, type Target } from './http/target.ts';

/** What lies behind the front. */
export interface Interior {
  /** Takes a request that was let in. */
  readonly take: (request: IncomingMessage, response: ServerResponse) => void;
  /** Paths, without their slash, that are to end with one. */
  readonly trees: ReadonlySet<string>;
  readonly log: Logger;
}

/** Lets a request in, or answers it. */
export function admit(
  request: IncomingMessage,
  response: ServerResponse,
  guard: Guard,
  { take, trees, log }: Interior,
): void {
  const method = methodOf(request);
  const started = performance.now();
  response.on('close', () => logRequest(request, response, started, log));
  const url = request.url ?? '/';
  if (request.httpVersion === '1.1' && request.headers.host === undefined) {
    refuseLowLevel(response, '400 Bad Request: missing required Host header');
    return;
  }
  if (url === '*') {
    if (method === 'OPTIONS') answerEmpty(response);
    else response.writeHead(400, { 'Content-Length': '0' }).end();
    return;
  }
  const target = parseTarget(url);
  if (target === null) {
    refuseLowLevel(response, '400 Bad Request');
    return;
  }
  if (!pass(request, response, guard, target)) return;
  const path = canonicalPath(target.path, trees);
  if (path !== target.path) {
    answerRedirect(response, method, path + target.query);
    return;
  }
  setTarget(request, target);
  request.url = target.path + target.query;
  take(request, response);
}

function pass(request: IncomingMessage, response: ServerResponse, guard: Guard, target: Target): boolean {
  const { origin, referer, 'sec-fetch-mode': fetchMode, host = '' } = request.headers;
  const verdict = guard.check({
    host: target.host ?? host,
    origin,
    referer,
    fetchMode: Array.isArray(fetchMode) ? fetchMode.join() : fetchMode,
  });
  if (verdict.status !== 0) {
    answerError(response, verdict.status, verdict.message);
    return false;
  }
  if (verdict.allowOrigin !== null) {
    response.setHeader('Access-Control-Allow-Origin', verdict.allowOrigin);
    if (methodOf(request) === 'OPTIONS') allowEverything(response);
  }
  return true;
}

/** What a browser asks before it sends a change. The answer goes on to the route, whose status does not matter to it. */
function allowEverything(response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Methods', 'OPTIONS, GET, POST, PUT, PATCH, DELETE');
  response.setHeader('Access-Control-Allow-Headers', 'Content-Type, Content-Length, Cache-Control');
  response.setHeader('Access-Control-Allow-Credentials', 'true');
}

function refuseLowLevel(response: ServerResponse, text: string): void {
  response
    .writeHead(400, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': String(text.length),
      Connection: 'close',
    })
    .end(text);
}

function logRequest(request: IncomingMessage, response: ServerResponse, started: number, log: Logger): void {
  const method = methodOf(request);
  const level = method === 'GET' && response.statusCode < 400 ? 'debug' : 'info';
  if (!log.enabled(level)) return;
  log[level]('request', {
    method,
    uri: request.url,
    host: request.headers.host,
    remote: request.socket.remoteAddress ?? null,
    status: response.statusCode,
    duration_ms: Math.round(performance.now() - started),
  });
}
