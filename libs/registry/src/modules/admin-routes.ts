/**
 * Routes that modules contribute to the admin API, written as for Express: each package has a `Router` of its own. Only
 * the part of Express that routes need is declared here, as a structure, so that packages neither depend on Express nor
 * load it: the admin API makes the routers when it is first needed, in the control thread.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AdminOperations } from './admin-operations.ts';
import type { RunningServer } from './running-server.ts';

/** The values of a path such as `/pki/ca/:id` or `/pki/{*rest}`, decoded. */
export type AdminPathParams<Path extends string> = Path extends `${infer Before}{*${infer Name}}${infer After}`
  ? AdminPathParams<Before> & AdminPathParams<After> & { readonly [Key in Name]?: readonly string[] }
  : Path extends `${string}:${infer Name}/${infer After}`
    ? AdminPathParams<`/${After}`> & { readonly [Key in Name]: string }
    : Path extends `${string}:${infer Name}`
      ? { readonly [Key in Name]: string }
      : object;

/** A request of the admin API. Who may send it was checked before. */
export interface AdminRequest<Params = object> extends IncomingMessage {
  readonly params: Params;
  /** The query; a key that stands several times in it has an array. */
  readonly query: Readonly<Record<string, string | string[] | undefined>>;
  readonly path: string;
  readonly originalUrl: string;
  /** Name of the token of the client; `null` where clients need not say who they are. */
  readonly by: string | null;
  /** Whether text of the client may read neither files nor environment variables: run what evaluates it by `confine`. */
  readonly confined: boolean;
  /** The body, where {@link AdminRoutes.raw} has read it. */
  body?: Buffer;
  /** A header field. */
  get(name: string): string | undefined;
}

/** A response of the admin API. */
export interface AdminResponse extends ServerResponse {
  status(code: number): this;
  set(name: string, value: string): this;
  type(type: string): this;
  /** Ends the response with JSON. */
  json(value: unknown): this;
  /** Ends the response with a text or bytes. With a status of 400 or more the text becomes `{"error": …}`. */
  send(body: string | Buffer): this;
}

/**
 * Responds to a request, or gives it to the `next` handler. What it throws, rejects with or gives to `next` becomes
 * `{"error": …}` with the status of the error.
 */
export type AdminHandler<Params = object> = (
  request: AdminRequest<Params>,
  response: AdminResponse,
  next: (error?: unknown) => void,
) => unknown;

/**
 * A `Router` of Express, case-sensitive and strict about slashes at the end. Routes are for methods: other methods of a
 * path, `HEAD` and `OPTIONS` among them, get status 405. What is meant for every request (`use`, `all`, `param`) is
 * refused, as the router is one of many.
 */
export interface AdminRouter {
  get<Path extends string>(path: Path, ...handlers: AdminHandler<AdminPathParams<Path>>[]): unknown;
  post<Path extends string>(path: Path, ...handlers: AdminHandler<AdminPathParams<Path>>[]): unknown;
  put<Path extends string>(path: Path, ...handlers: AdminHandler<AdminPathParams<Path>>[]): unknown;
  patch<Path extends string>(path: Path, ...handlers: AdminHandler<AdminPathParams<Path>>[]): unknown;
  delete<Path extends string>(path: Path, ...handlers: AdminHandler<AdminPathParams<Path>>[]): unknown;
}

/**
 * Given to the taps of `Registry.hooks.adminRoutes`:
 *
 *     registry.hooks.adminRoutes.tap('hello', ({ router, server }) => {
 *       router.get('/hello/:name', (request, response) => response.json({ hello: request.params.name }));
 *     });
 */
export interface AdminRoutes {
  /** The router of this tap. */
  readonly router: AdminRouter;
  /** Stands before a handler and reads the whole body; over the bound of the admin API it is an error of status 413. */
  readonly raw: AdminHandler;
  /** Says how to load what the routes of this tap are for; without it `GET /openapi.json` has their paths alone. */
  readonly describe: (load: () => Promise<AdminOperations>) => void;
  /** The server that runs: configurations come and go, so that handlers ask it for apps each time. */
  readonly server: RunningServer;
}
