/** Log entries and metrics of requests. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { guarded, taskOf, type Logger } from '@sluice/base';
import type { AdminMetrics } from './admin-metrics.ts';
import { knownTarget, methodOf } from './call.ts';

/** Counts and logs a request once the response is complete. Logs the original target, because routers change `request.url`. */
export function recordResponse(
  request: IncomingMessage,
  response: ServerResponse,
  { metrics, log }: { readonly metrics: AdminMetrics | null; readonly log: Logger },
): void {
  const started = performance.now();
  const uri = request.url ?? '/';
  const onClose = guarded(taskOf('admin'), () => {
    metrics?.count(request, response);
    logRequest(request, response, { uri, started }, log);
  });
  response.on('close', onClose);
}

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

/** Returns the request target as received, since routers modify `request.url`. */
function sentUri(request: IncomingMessage): string | undefined {
  const target = knownTarget(request);
  return target === undefined ? request.url : target.path + target.query;
}

/** Logs an unauthorized request, never with the presented token. */
export function logRefusal(request: IncomingMessage, reason: string, log: Logger): void {
  log.warn('access denied', {
    method: methodOf(request),
    uri: sentUri(request),
    remote: request.socket.remoteAddress ?? null,
    reason,
  });
}
