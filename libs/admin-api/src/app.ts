/** The Express application of the admin API. The one file that knows Express; it is loaded when the first request comes. */
import express, { type ErrorRequestHandler, type Express, type RequestHandler, type Router } from 'express';
import type { IncomingMessage } from 'node:http';
import { codeField, isSluiceError, messageOf } from '@sluice/base';
import type { AdminRouter } from '@sluice/registry';
import { authorityOf, isConfinedCall, targetOf } from './call.ts';
import { logRefusal } from './front.ts';
import { sendError, sendText } from './http/send.ts';
import { ClientGone } from './http/body.ts';
import { respondByApi } from './http/express-response.ts';
import type { AllRoutes } from './all-routes.ts';
import type { ApiOptions } from './routes/changes.ts';
import { handleConfig, handleId } from './routes/config.ts';
import type { RouteTable } from './routes/contributed.ts';
import { handleUnknownAction } from './routes/history.ts';
import { refuseMethod } from './routes/method.ts';
import type { RouteRecorder } from './routes/route-recorder.ts';

/** Makes the application. Requests have passed the front, so their paths are clean and their clients allowed. */
export function createApp(api: ApiOptions, { routers, table }: AllRoutes): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple');
  app.enable('strict routing').enable('case sensitive routing');
  respondByApi(app.response);
  Object.defineProperty(app.request, 'by', { get: nameOf });
  Object.defineProperty(app.request, 'confined', { get: confinedOf });
  // By expressions, which have no parameters: an escaped slash is part of a key, and theirs to decode.
  app.all(/^\/config\//, (request, response) => handleConfig(request, response, api));
  app.all(/^\/id\//, (request, response) => handleId(request, response, api));
  for (const { router } of routers) app.use(withoutGuesses(routerOf(router)));
  refuseOthers(app, table);
  app.all('/history/:revision/:action', handleUnknownAction);
  app.use(respondToUnknownPath);
  app.use(errorHandler(api));
  return app;
}

function nameOf(this: IncomingMessage): string | null {
  return authorityOf(this).name;
}

function confinedOf(this: IncomingMessage): boolean {
  return isConfinedCall(this);
}

function routerOf(recorded: RouteRecorder): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  recorded.replay(router as AdminRouter);
  return router;
}

/** Express responds to HEAD by the routes of GET, and OPTIONS by itself. Here both are methods that a path does not have. */
function withoutGuesses(router: Router): RequestHandler {
  return (request, response, next) => {
    if (request.method === 'HEAD' || request.method === 'OPTIONS') next();
    else router(request, response, next);
  };
}

/** After all routes: whoever comes here asks for a method that the path does not have. */
function refuseOthers(app: Express, table: RouteTable): void {
  for (const [path, methods] of table) app.all(path, (request, response) => refuseMethod(request, response, methods));
}

/**
 * Clients that say what they take, as curl and `fetch` do, get an error like all others. One that sends no `Accept` is
 * served as by the reference, to the byte: libraries of other languages compare with that text.
 */
const respondToUnknownPath: RequestHandler = (request, response) => {
  if (request.headers.accept === undefined) sendText(response, 404, '404 page not found\n');
  else
    sendError(
      response,
      404,
      `there is nothing at ${targetOf(request).path}; GET /config/ is the configuration`,
      'ERR_ADMIN_PATH',
    );
};

/** Express tells an error handler by its four parameters. */
function errorHandler({ log }: ApiOptions): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    if (error instanceof ClientGone || (response.destroyed && isAboutClient(error))) return;
    const status = statusOf(error);
    if (isSluiceError(error) && error.code === 'ERR_ADMIN_FORBIDDEN') logRefusal(request, error.message, log);
    if (status >= 500) {
      const expected = isSluiceError(error);
      log.error('request error', {
        method: request.method,
        uri: request.originalUrl,
        error,
        ...(expected ? {} : { stack: (error as Error).stack }),
      });
    }
    // What has begun cannot become an error any more: the client has to see that it is not whole.
    if (response.headersSent) response.destroy();
    else sendError(response, status, messageOf(error), codeField(error).code);
  };
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
