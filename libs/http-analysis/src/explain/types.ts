/** Requests and responses of `explain` and `POST /explain`. */
import type { Json, JsonObject } from '@sluice/base';
import type { UpstreamCandidate } from '@sluice/http-app';

/** Declared response of an upstream, used instead of sending a request. */
export interface DeclaredUpstream {
  /** Dial address of the upstream. Default: any. */
  readonly upstream?: string | undefined;
  /** Path of the proxying handler. Default: any. */
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  readonly headers?: FieldValues | undefined;
  readonly body?: string | undefined;
  /** Upstream error instead of a response. */
  readonly error?: 'refused' | 'reset' | 'timeout' | undefined;
}

/** Header fields: a value, or several lines. */
export type FieldValues = Readonly<Record<string, string | readonly string[]>>;

/** TLS facts of a client's connection. */
export interface ExplainTls {
  readonly version?: string | undefined;
  readonly cipher_suite?: string | undefined;
  readonly server_name?: string | undefined;
  readonly protocol?: string | undefined;
  readonly resumed?: boolean | undefined;
  readonly handshake_complete?: boolean | undefined;
  /** PEM certificate; `null` if the client sent none. */
  readonly client_certificate?: string | null | undefined;
}

/** Request to explain. Omitted facts about client, TLS, time and randomness are unknown. */
export interface ExplainRequest {
  /** Absolute URL as written by the client. The path is not normalized. */
  readonly url: string;
  readonly method?: string | undefined;
  readonly headers?: FieldValues | undefined;
  readonly body?: string | { readonly base64: string } | undefined;
  /** `HTTP/1.0`, `HTTP/1.1`, `HTTP/2.0`. */
  readonly protocol?: string | undefined;
  /** Peer address, with or without a port. */
  readonly client?: string | undefined;
  readonly tls?: ExplainTls | boolean | undefined;
  /** Server name. Default: the server that listens on the URL's port. */
  readonly server?: string | undefined;
  /** Destination port of the request. Default: the URL port. */
  readonly port?: number | undefined;
  /** RFC 3339. */
  readonly time?: string | undefined;
  /** Value for random choices, from 0 (inclusive) to 1 (exclusive). */
  readonly random?: number | undefined;
  readonly responses?: readonly DeclaredUpstream[] | undefined;
}

/** How a verdict is known: by evaluation, from facts that the client provided, by assumption, or not at all. */
export type Known = 'evaluated' | 'given' | 'assumed' | 'opaque';

/** Subject of a step. */
export type StepKind = 'route' | 'matcher' | 'handler' | 'index' | 'group' | 'redirect' | 'error' | 'upstream';

/** A step in a request's path. */
export interface Step {
  /** Path in the document: `apps.http.servers.s.routes[0].handle[1]`. */
  path: string;
  id: string;
  source: { readonly file: string; readonly line: number } | null;
  kind: StepKind;
  /** Matcher: its result. Route: true if reached. Handler: true if it called the next handler. */
  verdict: boolean | 'unknown' | null;
  known: Known;
  /** Matchers: the configured values. */
  wanted: Json;
  /** Values that it read. */
  got: Json;
  /** Changes of the request, as pairs of old and new values. */
  changed: Readonly<Record<string, readonly [Json, Json]>> | null;
  /** Duration in nanoseconds, without later handlers. */
  ns: number;
  steps: Step[];
}

/** Final result of a request. */
export interface Outcome {
  /**
   * `response`: a handler, or the end of the routes, responded. `error`: no route handled an error. `outward`: the
   * request would be sent to an upstream without a declared response. `abort`: the connection is closed. `refused`: no
   * server listens on the address. `opaque`: a module does not declare its effects. `unknown`: see {@link
   * Explanation.unknown}, or the evaluation took too long.
   */
  readonly kind: 'response' | 'error' | 'outward' | 'abort' | 'refused' | 'opaque' | 'unknown';
  /** 0 if unknown. */
  readonly status: number;
  /** Response fields as a client receives them, without Date and connection fields. `null`: unknown value. */
  readonly headers: JsonObject;
  /** Beginning of a text body; `null` for other or missing bodies. */
  readonly body: string | null;
  /** `null` if unknown. */
  readonly size: number | null;
  /** Route of the handler that ended the request; `null` if there was none. */
  readonly route: string | null;
  /** All reached routes, in order. */
  readonly routes: readonly string[];
  readonly handler: string | null;
  readonly handler_id: string | null;
  readonly upstream: UpstreamOutcome | null;
  readonly sends: JsonObject | null;
  readonly error: { readonly status: number; readonly message: string } | null;
  /** Unknown facts that affect the response, but not the path through the routes. */
  readonly depends_on: readonly string[];
}

/** Upstream selection. */
export interface UpstreamOutcome {
  /** `null` if unknown, or if upstreams are resolved per request. */
  readonly address: string | null;
  /**
   * `assumed`: one of several upstreams that the policy may select, with a path for each. `unknown`: combines these
   * paths.
   */
  readonly known: 'evaluated' | 'assumed' | 'unknown';
  readonly candidates: readonly UpstreamCandidate[];
}

/** Assumed verdict. */
export interface Assumption {
  readonly path: string;
  readonly fact: string;
  readonly verdict: boolean;
  /** Upstream that the handler is assumed to select. Absent for matchers and modules. */
  readonly upstream?: string;
}

export interface ExplainedPath {
  readonly assumed: readonly Assumption[];
  readonly outcome: Outcome;
  readonly steps: readonly Step[];
}

/** Response of `POST /explain`. */
export interface Explanation {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly server: string;
    readonly server_known: Known;
  };
  /** Final result, if all paths agree. */
  readonly outcome: Outcome;
  /** Facts that decide between the paths. */
  readonly unknown: readonly string[];
  /** Paths, most likely first, at most eight. */
  readonly paths: readonly ExplainedPath[];
  readonly more_paths: boolean;
  readonly truncated: 'steps' | 'time' | null;
  /** Routes that match although the index skips them. This indicates a bug of the server. */
  readonly disagreement: readonly string[];
  readonly ms: number;
}
