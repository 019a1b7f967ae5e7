/** The Express application of the admin API. The one file that knows Express. */
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express';
import { isSluiceError, messageOf } from '@sluice/base';
import { targetOf } from './call.ts';
import { logRefusal } from './front.ts';
import { answerError, answerText } from './http/answer.ts';
import { ClientGone } from './http/body.ts';
import type { ApiOptions } from './routes/changes.ts';
import { handleConfig, handleId } from './routes/config.ts';
import { handleContributed, type ContributedRoutes, type MethodHandlers } from './routes/contributed.ts';
import { handleHistory, handleRevision, handleRevisionAction } from './routes/history.ts';
import { handleAdapt, handleLoad } from './routes/load.ts';
import { schemaHandler } from './routes/schema.ts';
import { handleStop } from './routes/stop.ts';

type Route = (request: Request, response: Response, api: ApiOptions) => void | Promise<void>;

/** Makes the application. Requests have passed the front, so their paths are clean and their clients allowed. */
export function createApp(api: ApiOptions, routes: ContributedRoutes): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', false);
  app.enable('strict routing').enable('case sensitive routing');
  const with_ =
    (route: Route): RequestHandler =>
    (request, response) =>
      route(request, response, api);
  // Below these, segments are ours to decode: an escaped slash is part of a key.
  app.use('/config', with_(handleConfig));
  app.use('/id', with_(handleId));
  app.all('/load', with_(handleLoad));
  app.all('/adapt', with_(handleAdapt));
  app.all('/stop', with_(handleStop));
  app.all('/schema', schemaHandler(api));
  app.all('/history', with_(handleHistory));
  app.all('/history/:revision', with_(handleRevision));
  app.all('/history/:revision/:action', with_(handleRevisionAction));
  for (const [path, handlers] of routes) app.all(path, contributed(handlers, api));
  // A path with a slash at its end also answers for what is below it and of no other.
  for (const [path, handlers] of routes) if (path.endsWith('/')) app.use(path, contributed(handlers, api));
  app.use(answerUnknownPath);
  app.use(errorHandler(api));
  return app;
}

/**
 * Clients that say what they take, as curl and `fetch` do, get an error like all others. One that sends no `Accept` is
 * answered as by the reference, to the byte: libraries of other languages compare with that text.
 */
function answerUnknownPath(request: Request, response: Response): void {
  if (request.headers.accept === undefined) answerText(response, 404, '404 page not found\n');
  else answerError(response, 404, `there is nothing at ${targetOf(request).path}; GET /config/ is the configuration`);
}

function contributed(handlers: MethodHandlers, api: ApiOptions): RequestHandler {
  return (request, response) =>
    handleContributed(request, response, request.params as Record<string, string>, handlers, api);
}

/** Express tells an error handler by its four parameters. */
function errorHandler({ log }: ApiOptions): ErrorRequestHandler {
  return (error: unknown, request, response, _next) => {
    if (error instanceof ClientGone) return;
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
    if (response.headersSent) response.destroy();
    else answerError(response, status, messageOf(error));
  };
}

/** Errors of the router carry a status of their own, such as 400 for a parameter that can't be decoded. */
function statusOf(error: unknown): number {
  const status = (error as { status?: unknown } | null)?.status;
  return typeof status === 'number' && status >= 400 && status <= 599 ? status : 500;
}
