/**
 * Admin API endpoints of modules, in the style of Express. Each package gets a separate `Router`.
 *
 * Only the parts of Express that endpoints need are declared here, as structural types, so packages don't depend on Express. The admin API
 * creates the routers in the control thread, when an endpoint first listens.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AdminOperations } from './admin-operations.ts';
import type { RunningServer } from './running-server.ts';

/** Types of the decoded parameters in a path such as `/pki/ca/:id` or `/pki/{*rest}`. */
export type AdminPathParams<Path extends string> = Path extends `${infer Before}{*${infer Name}}${infer After}`
  ? AdminPathParams<Before> & AdminPathParams<After> & { readonly [Key in Name]?: readonly string[] }
  : Path extends `${string}:${infer Name}/${infer After}`
    ? AdminPathParams<`/${After}`> & { readonly [Key in Name]: string }
    : Path extends `${string}:${infer Name}`
      ? { readonly [Key in Name]: string }
      : object;

/** A request to the admin API that has already been authorized. */
export interface AdminRequest<Params = object> extends IncomingMessage {
  readonly params: Params;
  /** Query parameters by name. The value of a repeated parameter is an array. */
  readonly query: Readonly<Record<string, string | string[] | undefined>>;
  readonly path: string;
  readonly originalUrl: string;
  /** Name of the client's token; `null` if authentication is disabled. */
  readonly by: string | null;
  /** True if the client must not read files or environment variables. Text from this client must be evaluated within `confine`. */
  readonly confined: boolean;
  /** Request body, if {@link AdminRoutes.raw} has read it. */
  body?: Buffer;
  /** Returns a request header field. */
  get(name: string): string | undefined;
}

export interface AdminResponse extends ServerResponse {
  status(code: number): this;
  set(name: string, value: string): this;
  /** Sets `Content-Type` to a media type. */
  type(type: string): this;
  json(value: unknown): this;
  /** Sends a string or bytes. If the status is 400 or higher, a string is sent as `{"error": …}`. */
  send(body: string | Buffer): this;
}

/**
 * Responds to a request, or calls `next`. A thrown error, a rejection or an error passed to `next` is sent as `{"error": …}` with the
 * error's status.
 */
export type AdminHandler<Params = object> = (
  request: AdminRequest<Params>,
  response: AdminResponse,
  next: (error?: unknown) => void,
) => unknown;

/**
 * An Express `Router` that is case-sensitive and strict about trailing slashes. Requests with a method that isn't registered for the path,
 * including `HEAD` and `OPTIONS`, get status 405.
 *
 * Many routers share the API, so `use`, `all` and `param` are not allowed.
 */
export interface AdminRouter {
  get<Path extends string>(path: Path, ...handlers: AdminHandler<AdminPathParams<Path>>[]): unknown;
  post<Path extends string>(path: Path, ...handlers: AdminHandler<AdminPathParams<Path>>[]): unknown;
  put<Path extends string>(path: Path, ...handlers: AdminHandler<AdminPathParams<Path>>[]): unknown;
  patch<Path extends string>(path: Path, ...handlers: AdminHandler<AdminPathParams<Path>>[]): unknown;
  delete<Path extends string>(path: Path, ...handlers: AdminHandler<AdminPathParams<Path>>[]): unknown;
}

/** Method and path of a route, such as `GET /hello/:name`. */
export type AdminRouteName = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`;

/**
 * Argument of the taps of `Registry.hooks.adminRoutes`:
 *
 *     registry.hooks.adminRoutes.tap('hello', ({ router, server }) => {
 *       router.get('/hello/:name', (request, response) => response.json({ hello: request.params.name }));
 *     });
 */
export interface AdminRoutes {
  /** Router for this tap. */
  readonly router: AdminRouter;
  /** Middleware that reads the entire request body. If the body exceeds the admin API's size limit, the request fails with status 413. */
  readonly raw: AdminHandler;
  /** Sets the loader of the endpoint descriptions. If this is not called, `GET /openapi.json` contains only the paths. */
  readonly describe: (load: () => Promise<AdminOperations>) => void;
  /**
   * Declares routes whose code is loaded by the first request to one of them, or by `GET /openapi.json`. `load` returns the function that
   * adds these routes, and only these, to the router in its argument. If loading fails, the next request tries again.
   *
   *     registry.hooks.adminRoutes.tap('hello', ({ lazy }) =>
   *       lazy(['GET /hello/:name'], async () => (await import('./admin-routes.ts')).addHelloRoutes),
   *     );
   */
  readonly lazy: (routes: readonly AdminRouteName[], load: () => Promise<(routes: AdminRoutes) => void>) => void;
  /** The running server. Handlers must look up apps for each request, because the configuration may change. */
  readonly server: RunningServer;
}
