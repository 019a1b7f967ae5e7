/** Routes that modules contribute to the admin API, without knowing the web framework behind it. */
import type { RunningServer } from './running-server.ts';

/** A request of the admin API as a contributed route sees it. */
export interface AdminRequest {
  readonly method: string;
  /** Values of the `:name` segments of the route's path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** A request header by its lower-case name. */
  header(name: string): string | undefined;
  /** The whole request body; over the bound of the admin API it is an error of status 413. */
  body(): Promise<Buffer>;
  /** Aborted when the client goes away; for routes that stream. */
  readonly signal: AbortSignal;
}

/** What a contributed route answers. An iterable body is streamed chunk by chunk. */
export interface AdminResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | AsyncIterable<string | Buffer>;
  /** Answered as `application/json`, in place of `body`. */
  readonly json?: unknown;
}

/** Answers a request; an error thrown becomes `{"error": …}` with its status. */
export type AdminHandler = (request: AdminRequest, server: RunningServer) => AdminResponse | Promise<AdminResponse>;

/** One contributed route. */
export interface AdminRoute {
  /** `GET`, `POST` …; other methods of the same path answer 405. */
  readonly method: string;
  /** Path pattern: literal segments and `:name` segments, such as `/pki/ca/:id`. */
  readonly path: string;
  readonly handle: AdminHandler;
}

/** Collects contributed routes; given to the taps of `Registry.hooks.adminRoutes`. */
export interface AdminRoutes {
  add(route: AdminRoute): void;
}
