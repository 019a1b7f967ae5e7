/** Routes admin requests with Express's router. Does not use Express's application, request, and response classes. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import Router from 'router';
import { codeField, connectionOf, isSluiceError, messageOf, runGuarded } from '@sluice/base';
import { targetOf } from './call.ts';
import { sendError, sendText } from './http/send.ts';
import { logRefusal } from './request-log.ts';
import { ClientGone } from './http/body.ts';
import type { AllRoutes } from './all-routes.ts';
import type { ApiOptions } from './api-options.ts';
import { handleConfig, handleId } from './routes/config.ts';
import type { RouteTable } from './routes/contributed.ts';
import type { ApiRouter } from './routes/owned-router.ts';
import { handleUnknownAction } from './routes/history.ts';
import { refuseMethod } from './routes/method.ts';

/** Creates the request listener. Requests must already have normalized paths and authorized clients. */
export function createApp(api: ApiOptions, { routers, table }: AllRoutes): RequestListener {
  const app = Router({ caseSensitive: true, strict: true });
  // Use regular expressions without parameters, because an escaped slash is part of a configuration key. The handlers decode the path.
  app.all(/^\/config\//, (request, response) => handleConfig(request, response, api));
  app.all(/^\/id\//, (request, response) => handleId(request, response, api));
  for (const { router } of routers) app.use(withoutGuesses(router));
  refuseOthers(app, table);
  app.all('/history/:revision/:action', handleUnknownAction);
  return (request, response) =>
    app(request, response, (error) =>
      runGuarded(connectionOf(response), () => {
        if (error === undefined || error === null) respondToUnknownPath(request, response);
        else respondToError(error, request, response, api);
      }),
    );
}

/**
 * Wraps a router to disable Express's automatic responses to HEAD and OPTIONS requests. As a result, the wrapped routes don't support these
 * methods.
 */
function withoutGuesses(router: ApiRouter): Router.RequestHandler {
  return (request, response, next) => {
    if (request.method === 'HEAD' || request.method === 'OPTIONS') next();
    else router.handle(request, response, next);
  };
}

/** Rejects requests whose path exists but doesn't support the request method. */
function refuseOthers(app: Router.Router, table: RouteTable): void {
  for (const [path, methods] of table) app.all(path, (request, response) => refuseMethod(request, response, methods));
}

/**
 * Responds to requests for unknown paths. Clients that send `Accept`, such as curl and `fetch`, get a regular error response. For other
 * clients, the response is identical to Caddy's, because client libraries compare its text.
 */
const respondToUnknownPath: RequestListener = (request, response) => {
  if (request.headers.accept === undefined) sendText(response, 404, '404 page not found\n');
  else
    sendError(
      response,
      404,
      `${targetOf(request).path} does not exist; GET /config/ returns the configuration`,
      'ERR_ADMIN_PATH',
    );
};

function respondToError(
  error: unknown,
  request: IncomingMessage,
  response: ServerResponse,
  { log }: Pick<ApiOptions, 'log'>,
): void {
  if (error instanceof ClientGone || (response.destroyed && isAboutClient(error))) return;
  const status = statusOf(error);
  if (isSluiceError(error) && error.code === 'ERR_ADMIN_FORBIDDEN') logRefusal(request, error.message, log);
  if (status >= 500) {
    const expected = isSluiceError(error);
    const { path, query } = targetOf(request);
    log.error('request error', {
      method: request.method,
      uri: path + query,
      error,
      ...(expected ? {} : { stack: (error as Error).stack }),
    });
  }
  // The response has already started. Close the connection, so the client detects that the response is incomplete.
  if (response.headersSent) response.destroy();
  else sendError(response, status, messageOf(error), codeField(error).code);
}

/** Reports whether an error was caused by a client that disconnected during a streaming response. */
function isAboutClient(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ABORT_ERR';
}

/** Returns the HTTP status for an error. Router errors define a status, such as 400 for an undecodable parameter. */
function statusOf(error: unknown): number {
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 400 && status <= 599 ? status : 500;
}
