/** What `explain` is asked, and what it tells; the shapes of `POST /explain`. */
import type { Json, JsonObject } from '@sluice/base';
import type { UpstreamCandidate } from '@sluice/http-app';

/** What an upstream is declared to respond, where a request would be sent to one. */
export interface DeclaredUpstream {
  /** Dial address of the upstream; absent: any. */
  readonly upstream?: string | undefined;
  /** Path of the handler that asks; absent: any. */
  readonly path?: string | undefined;
  readonly status?: number | undefined;
  readonly headers?: FieldValues | undefined;
  readonly body?: string | undefined;
  /** Instead of a response. */
  readonly error?: 'refused' | 'reset' | 'timeout' | undefined;
}

/** Header fields: a value, or several lines. */
export type FieldValues = Readonly<Record<string, string | readonly string[]>>;

/** Facts of TLS that a client has brought with its connection. */
export interface ExplainTls {
  readonly version?: string | undefined;
  readonly cipher_suite?: string | undefined;
  readonly server_name?: string | undefined;
  readonly protocol?: string | undefined;
  readonly resumed?: boolean | undefined;
  readonly handshake_complete?: boolean | undefined;
  /** PEM; `null`: the client has shown none. */
  readonly client_certificate?: string | null | undefined;
}

/** A request to be explained. What is not given of client, TLS, time and chance is unknown. */
export interface ExplainRequest {
  /** Absolute, as the client wrote it; the path is taken as it stands. */
  readonly url: string;
  readonly method?: string | undefined;
  readonly headers?: FieldValues | undefined;
  readonly body?: string | { readonly base64: string } | undefined;
  /** `HTTP/1.0`, `HTTP/1.1`, `HTTP/2.0`. */
  readonly protocol?: string | undefined;
  /** Address of the peer, with its port or without. */
  readonly client?: string | undefined;
  readonly tls?: ExplainTls | boolean | undefined;
  /** Name of the server; absent: the one that listens on the port of the URL. */
  readonly server?: string | undefined;
  /** Port that the request arrives at; absent: that of the URL. */
  readonly port?: number | undefined;
  /** RFC 3339. */
  readonly time?: string | undefined;
  /** From 0 to below 1: what random choices are made with. */
  readonly random?: number | undefined;
  readonly responses?: readonly DeclaredUpstream[] | undefined;
}

/** How a verdict is known: by running the code, by that and facts of the client, by assumption, or not at all. */
export type Known = 'evaluated' | 'given' | 'assumed' | 'opaque';

/** What a step is about. */
export type StepKind = 'route' | 'matcher' | 'handler' | 'index' | 'group' | 'redirect' | 'error' | 'upstream';

/** One step of the way of a request. */
export interface Step {
  /** In the document: `apps.http.servers.s.routes[0].handle[1]`. */
  path: string;
  /** Id of the module; empty for what is not a module. */
  id: string;
  source: { readonly file: string; readonly line: number } | null;
  kind: StepKind;
  /** A matcher: what it said; a route: whether it was reached; a handler: whether it passed the request on. */
  verdict: boolean | 'unknown' | null;
  known: Known;
  /** What the configuration asks for, of matchers. */
  wanted: Json;
  /** What was found: the values that it looked at. */
  got: Json;
  /** What it changed of the request: before and after. */
  changed: Readonly<Record<string, readonly [Json, Json]>> | null;
  /** How long it took without what came after it, in nanoseconds. */
  ns: number;
  steps: Step[];
}

/** How a request ends. */
export interface Outcome {
  /**
   * `response`: a handler responded, or none did; `error`: an error that no route responded to; `outward`: it would be sent
   * to an upstream whose response is not declared; `abort`: the connection is cut; `refused`: no server listens there; `opaque`: a module that says nothing of what
   * it does; `unknown`: see {@link Explanation.unknown}, or it took too long.
   */
  readonly kind: 'response' | 'error' | 'outward' | 'abort' | 'refused' | 'opaque' | 'unknown';
  /** 0 where it is not known. */
  readonly status: number;
  /** Fields as the client receives them, without Date and those of the connection. `null`: the value is not known. */
  readonly headers: JsonObject;
  /** The beginning of a body of text; `null` for other bodies and for none. */
  readonly body: string | null;
  /** `null` where it is not known. */
  readonly size: number | null;
  /** The route whose handler ended it; `null`: none did. */
  readonly route: string | null;
  /** All routes that were reached, in order. */
  readonly routes: readonly string[];
  readonly handler: string | null;
  readonly handler_id: string | null;
  readonly upstream: UpstreamOutcome | null;
  readonly sends: JsonObject | null;
  readonly error: { readonly status: number; readonly message: string } | null;
  /** Facts that are not known and that the response, though not the way to it, depends on. */
  readonly depends_on: readonly string[];
}

/** The choice of an upstream. */
export interface UpstreamOutcome {
  /** `null` where upstreams are found while requests come, and where it is not known. */
  readonly address: string | null;
  /** `assumed`: one of several that the policy may select; each of them has a path. `unknown`: of all these paths together. */
  readonly known: 'evaluated' | 'assumed' | 'unknown';
  readonly candidates: readonly UpstreamCandidate[];
}

/** A verdict that was assumed. */
export interface Assumption {
  readonly path: string;
  readonly fact: string;
  readonly verdict: boolean;
  /** The upstream that the handler is assumed to select. Absent for matchers and modules. */
  readonly upstream?: string;
}

/** One way that a request may take. */
export interface ExplainedPath {
  readonly assumed: readonly Assumption[];
  readonly outcome: Outcome;
  readonly steps: readonly Step[];
}

/** What `POST /explain` responds with. */
export interface Explanation {
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly server: string;
    readonly server_known: Known;
  };
  /** How it ends, if all paths agree on it. */
  readonly outcome: Outcome;
  /** Facts that would decide between the paths. */
  readonly unknown: readonly string[];
  /** The likeliest first, at most eight. */
  readonly paths: readonly ExplainedPath[];
  readonly more_paths: boolean;
  readonly truncated: 'steps' | 'time' | null;
  /** Routes that the index leaves out though they match: a defect of the server. */
  readonly disagreement: readonly string[];
  readonly ms: number;
}
