/** Access logs and metrics of admin requests. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { guarded, taskOf, type Logger } from '@sluice/base';
import type { AdminMetrics } from './admin-metrics.ts';
import { knownTarget, methodOf } from './call.ts';

/** Counts and logs a request after the response is complete. Logs the original request target, because routers change `request.url`. */
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

/** Returns the original request target. Routers modify `request.url`, so this function does not use it. */
function sentUri(request: IncomingMessage): string | undefined {
  const target = knownTarget(request);
  return target === undefined ? request.url : target.path + target.query;
}

/** Logs an unauthorized request. The log entry never contains the token that the client sent. */
export function logRefusal(request: IncomingMessage, reason: string, log: Logger): void {
  log.warn('access denied', {
    method: methodOf(request),
    uri: sentUri(request),
    remote: request.socket.remoteAddress ?? null,
    reason,
  });
}
