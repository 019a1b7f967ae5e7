/** Routes requests with Express's router. Neither the application of Express nor its request and response are used. */
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
import type { ApiRouter, RouteTable } from './routes/contributed.ts';
import { handleUnknownAction } from './routes/history.ts';
import { refuseMethod } from './routes/method.ts';

/** Creates the listener of requests that have passed the front, so their paths are clean and their clients allowed. */
export function createApp(api: ApiOptions, { routers, table }: AllRoutes): RequestListener {
  const app = Router({ caseSensitive: true, strict: true });
  // By expressions, which have no parameters: an escaped slash is part of a key, and theirs to decode.
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

/** Express responds to HEAD by the routes of GET, and OPTIONS by itself. Here both are methods that a path does not have. */
function withoutGuesses(router: ApiRouter): Router.RequestHandler {
  return (request, response, next) => {
    if (request.method === 'HEAD' || request.method === 'OPTIONS') next();
    else router.handle(request, response, next);
  };
}

/** After all routes: whoever comes here asks for a method that the path does not have. */
function refuseOthers(app: Router.Router, table: RouteTable): void {
  for (const [path, methods] of table) app.all(path, (request, response) => refuseMethod(request, response, methods));
}

/**
 * Clients that say what they take, as curl and `fetch` do, get an error like all others. One that sends no `Accept` is
 * served as by the reference, to the byte: libraries of other languages compare with that text.
 */
const respondToUnknownPath: RequestListener = (request, response) => {
  if (request.headers.accept === undefined) sendText(response, 404, '404 page not found\n');
  else
    sendError(
      response,
      404,
      `there is nothing at ${targetOf(request).path}; GET /config/ is the configuration`,
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
  // What has begun cannot become an error any more: the client has to see that it is not whole.
  if (response.headersSent) response.destroy();
  else sendError(response, status, messageOf(error), codeField(error).code);
}

/** How a stream ends whose client went away. */
function isAboutClient(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ABORT_ERR';
}

/** Errors of the router carry a status of their own, such as 400 for a parameter that can't be decoded. */
function statusOf(error: unknown): number {
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 400 && status <= 599 ? status : 500;
}
