/** Types for requests and responses of `explain` and `POST /explain`. */
import type { Json, JsonObject } from '@sluice/base';
import type { UpstreamCandidate } from '@sluice/http-app';

/** Simulated upstream response. The explanation uses this response and sends no request to the upstream. */
export interface DeclaredUpstream {
  /** Dial address of the upstream. Default: any upstream. */
  readonly upstream?: string | undefined;
  /** Configuration path of the handler that proxies the request. Default: any handler. */
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  readonly headers?: FieldValues | undefined;
  readonly body?: string | undefined;
  /** Error that the upstream simulates instead of a response. */
  readonly error?: 'refused' | 'reset' | 'timeout' | undefined;
}

/** Headers. Each value is a string, or a list of strings for a header with several lines. */
export type FieldValues = Readonly<Record<string, string | readonly string[]>>;

/** TLS facts about the client's connection. */
export interface ExplainTls {
  readonly version?: string | undefined;
  readonly cipher_suite?: string | undefined;
  readonly server_name?: string | undefined;
  readonly protocol?: string | undefined;
  readonly resumed?: boolean | undefined;
  readonly handshake_complete?: boolean | undefined;
  /** Client certificate in PEM format. `null` if the client sent none. */
  readonly client_certificate?: string | null | undefined;
}

/** A request to explain. If facts about the client, TLS, time, or randomness are missing, they are unknown. */
export interface ExplainRequest {
  /** Absolute URL as the client wrote it. The path is not normalized. */
  readonly url: string;
  readonly method?: string | undefined;
  readonly headers?: FieldValues | undefined;
  readonly body?: string | { readonly base64: string } | undefined;
  /** `HTTP/1.0`, `HTTP/1.1`, `HTTP/2.0`. */
  readonly protocol?: string | undefined;
  /** IP address of the peer, with or without a port. */
  readonly client?: string | undefined;
  readonly tls?: ExplainTls | boolean | undefined;
  /** Server name. Default: the server that listens on the port in the URL. */
  readonly server?: string | undefined;
  /** Destination port of the request. Default: the port in the URL. */
  readonly port?: number | undefined;
  /** RFC 3339. */
  readonly time?: string | undefined;
  /** Value for random choices, from 0 (inclusive) to 1 (exclusive). */
  readonly random?: number | undefined;
  readonly responses?: readonly DeclaredUpstream[] | undefined;
}

/**
 * Source of a verdict: evaluation (`evaluated`), facts that the client provided (`given`), or an assumption (`assumed`). `opaque` means
 * that the verdict is unknown.
 */
export type Known = 'evaluated' | 'given' | 'assumed' | 'opaque';

/** Part of the configuration that a step belongs to. */
export type StepKind = 'route' | 'matcher' | 'handler' | 'index' | 'group' | 'redirect' | 'error' | 'upstream';

/** A step in the processing of a request. */
export interface Step {
  /** Configuration path, such as `apps.http.servers.s.routes[0].handle[1]`. */
  path: string;
  id: string;
  source: { readonly file: string; readonly line: number } | null;
  kind: StepKind;
  /**
   * Result of the step. For a matcher, this is the match result. For a route, true if the route was reached. For a handler, true if the
   * handler called the next handler.
   */
  verdict: boolean | 'unknown' | null;
  known: Known;
  /** Configured values of a matcher. */
  wanted: Json;
  /** Values that the matcher or handler has read. */
  got: Json;
  /** Changes to the request, as pairs of the old and the new value. */
  changed: Readonly<Record<string, readonly [Json, Json]>> | null;
  /** Duration in nanoseconds, excluding subsequent handlers. */
  ns: number;
  steps: Step[];
}

/** Final result of a request. */
export interface Outcome {
  /**
   * Kind of result. `response`: a handler responded, or the request reached the end of the routes. `error`: no route handled an error.
   * `outward`: the request would be sent to an upstream for which no response is declared. `abort`: the connection is closed. `refused`: no
   * server listens on the address. `opaque`: a module does not declare its effects. `unknown`: see {@link Explanation.unknown}, or the
   * evaluation took too long.
   */
  readonly kind: 'response' | 'error' | 'outward' | 'abort' | 'refused' | 'opaque' | 'unknown';
  /** 0 if unknown. */
  readonly status: number;
  /** Response headers as the client receives them, without `Date` and connection headers. `null` represents an unknown value. */
  readonly headers: JsonObject;
  /** Beginning of a text body. `null` if the body is missing or is not text. */
  readonly body: string | null;
  /** `null` if unknown. */
  readonly size: number | null;
  /** Route whose handler ended the request. `null` if there is none. */
  readonly route: string | null;
  /** All routes that the request reached, in order. */
  readonly routes: readonly string[];
  readonly handler: string | null;
  readonly handler_id: string | null;
  readonly upstream: UpstreamOutcome | null;
  readonly sends: JsonObject | null;
  readonly error: { readonly status: number; readonly message: string } | null;
  /** Unknown facts that affect the response but not the path through the routes. */
  readonly depends_on: readonly string[];
}

/** Upstream selection. */
export interface UpstreamOutcome {
  /** Address of the upstream. `null` if the address is unknown, or if upstreams are resolved for each request. */
  readonly address: string | null;
  /**
   * Source of the selected upstream. `assumed`: the policy may select one of several upstreams, each with a separate path. `unknown`: the
   * outcome combines these paths.
   */
  readonly known: 'evaluated' | 'assumed' | 'unknown';
  readonly candidates: readonly UpstreamCandidate[];
}

/** Assumed verdict. */
export interface Assumption {
  readonly path: string;
  readonly fact: string;
  readonly verdict: boolean;
  /** Upstream that the handler is assumed to select. Missing for decisions of matchers and modules. */
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
  /** Final result, if all evaluation paths agree. */
  readonly outcome: Outcome;
  /** Unknown facts that determine which evaluation path applies. */
  readonly unknown: readonly string[];
  /** Up to eight evaluation paths, most likely first. */
  readonly paths: readonly ExplainedPath[];
  readonly more_paths: boolean;
  readonly truncated: 'steps' | 'time' | null;
  /** Routes that match although the index skips them. Such a route indicates a bug in the server. */
  readonly disagreement: readonly string[];
  readonly ms: number;
}
