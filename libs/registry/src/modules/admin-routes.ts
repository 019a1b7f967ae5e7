/**
 * Admin API routes of modules, in the style of Express: each package gets its own `Router`.
 *
 * Only the parts of Express that routes need are declared here, as structural types, so packages don't depend on Express. The
 * admin API creates the routers when an endpoint first listens, in the control thread.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AdminOperations } from './admin-operations.ts';
import type { RunningServer } from './running-server.ts';

/** Decoded parameters of a path such as `/pki/ca/:id` or `/pki/{*rest}`. */
export type AdminPathParams<Path extends string> = Path extends `${infer Before}{*${infer Name}}${infer After}`
  ? AdminPathParams<Before> & AdminPathParams<After> & { readonly [Key in Name]?: readonly string[] }
  : Path extends `${string}:${infer Name}/${infer After}`
    ? AdminPathParams<`/${After}`> & { readonly [Key in Name]: string }
    : Path extends `${string}:${infer Name}`
      ? { readonly [Key in Name]: string }
      : object;

/** A request to the admin API, already authorized. */
export interface AdminRequest<Params = object> extends IncomingMessage {
  readonly params: Params;
  /** Query parameters; repeated keys have an array. */
  readonly query: Readonly<Record<string, string | string[] | undefined>>;
  readonly path: string;
  readonly originalUrl: string;
  /** Name of the client's token; `null` if authentication is disabled. */
  readonly by: string | null;
  /** True if the client must not read files or environment variables. Evaluate the client's text within `confine`. */
  readonly confined: boolean;
  /** The body, if {@link AdminRoutes.raw} has read it. */
  body?: Buffer;
  /** Returns a header field. */
  get(name: string): string | undefined;
}

export interface AdminResponse extends ServerResponse {
  status(code: number): this;
  set(name: string, value: string): this;
  /** Sets `Content-Type` to a media type. */
  type(type: string): this;
  /** Sends a JSON response. */
  json(value: unknown): this;
  /** Sends a string or bytes. With a status of 400 or more, a string becomes `{"error": …}`. */
  send(body: string | Buffer): this;
}

/**
 * Responds to a request, or calls `next`. Thrown errors, rejections and errors passed to `next` become `{"error": …}` with the error's
 * status.
 */
export type AdminHandler<Params = object> = (
  request: AdminRequest<Params>,
  response: AdminResponse,
  next: (error?: unknown) => void,
) => unknown;

/**
 * An Express `Router`, case-sensitive and strict about trailing slashes. Other methods of a path, including `HEAD` and
 * `OPTIONS`, get status 405.
 *
 * Many routers share the API, so `use`, `all` and `param` are rejected.
 */
export interface AdminRouter {
  get<Path extends string>(path: Path, ...handlers: AdminHandler<AdminPathParams<Path>>[]): unknown;
  post<Path extends string>(path: Path, ...handlers: AdminHandler<AdminPathParams<Path>>[]): unknown;
  put<Path extends string>(path: Path, ...handlers: AdminHandler<AdminPathParams<Path>>[]): unknown;
  patch<Path extends string>(path: Path, ...handlers: AdminHandler<AdminPathParams<Path>>[]): unknown;
  delete<Path extends string>(path: Path, ...handlers: AdminHandler<AdminPathParams<Path>>[]): unknown;
}

/**
 * Argument of the taps of `Registry.hooks.adminRoutes`:
 *
 *     registry.hooks.adminRoutes.tap('hello', ({ router, server }) => {
 *       router.get('/hello/:name', (request, response) => response.json({ hello: request.params.name }));
 *     });
 */
export interface AdminRoutes {
  /** The router for this tap. */
  readonly router: AdminRouter;
  /** Middleware that reads the whole body. Bodies above the size limit of the admin API fail with status 413. */
  readonly raw: AdminHandler;
  /** Sets the loader of the route descriptions. If not called, `GET /openapi.json` contains only the paths. */
  readonly describe: (load: () => Promise<AdminOperations>) => void;
  /** The running server. Handlers must look up apps for each request, because configurations change. */
  readonly server: RunningServer;
}
