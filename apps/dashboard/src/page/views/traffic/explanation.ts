/** Types of the request and response of `POST /explain`. */
import type { Json } from '../../base/json.ts';

export interface ExplainRequest {
  readonly url: string;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly client?: string;
  readonly body?: string;
}

/** Outcome of an explained request. */
export interface Outcome {
  readonly kind: string;
  readonly status: number;
  readonly route: string | null;
  readonly handler?: string | null;
  readonly handler_id?: string | null;
  readonly body?: string | null;
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  readonly upstream?: {
    readonly address: string | null;
    readonly known: string;
    readonly candidates: readonly {
      readonly address: string;
      readonly chosen: boolean;
      /** True if the selection policy may choose this upstream. Older servers don't send this property. */
      readonly possible?: boolean;
      readonly why: string;
    }[];
  } | null;
  readonly sends?: { readonly to: string | null; readonly method: string; readonly uri: string | null } | null;
  readonly error?: { readonly status: number; readonly message: string } | null;
}

/** A matcher, handler or route that processes an explained request. */
export interface Step {
  readonly path: string;
  readonly id: string | null;
  readonly source?: { readonly file: string; readonly line: number } | null;
  readonly kind: string;
  readonly verdict: boolean | 'unknown' | null;
  readonly known: string;
  readonly wanted?: Json;
  readonly got?: Json;
  readonly changed?: Readonly<Record<string, readonly [Json, Json]>> | null;
  readonly ns?: number;
  readonly steps: readonly Step[];
}

/** Assumption under which a request takes one of its possible paths. */
export interface Assumption {
  readonly path: string;
  readonly fact: string;
  readonly verdict: boolean;
  /** Upstream that the handler is assumed to select. */
  readonly upstream?: string;
}

export interface Explanation {
  readonly request: { readonly method: string; readonly url: string; readonly server: string };
  readonly outcome: Outcome;
  readonly unknown: readonly string[];
  readonly paths: readonly {
    readonly assumed: readonly Assumption[];
    readonly outcome: Outcome;
    readonly steps: readonly Step[];
  }[];
  readonly truncated: string | null;
  readonly disagreement: readonly Json[];
  readonly ms: number;
}

/** Describes the outcome of a request in one sentence. */
export function outcomeText({ kind, status, sends, error, upstream }: Outcome): string {
  if (kind === 'outward') return `Proxied to ${sends?.to ?? upstream?.address ?? possibleText(upstream)}`;
  if (kind === 'error') return `Error ${error?.status ?? status}: ${error?.message ?? ''}`;
  if (kind === 'response') return status === 0 ? 'Responds with an unknown status code' : `Responds with ${status}`;
  if (kind === 'abort') return 'Closes the connection without a response';
  if (kind === 'refused') return 'No server listens on this address';
  if (kind === 'opaque') return 'Depends on a module that does not declare its effect';
  return 'Depends on unknown request properties';
}

/** Describes the upstreams from which the selection policy may choose. */
function possibleText(upstream: Outcome['upstream']): string {
  const possible = (upstream?.candidates ?? []).filter((candidate) => candidate.possible === true);
  return possible.length === 0 ? 'an upstream' : `one of ${possible.map(({ address }) => address).join(', ')}`;
}

/** Describes the assumption behind a possible path of a request. */
export function assumptionText({ fact, verdict, upstream }: Assumption): string {
  if (upstream !== undefined) return `${upstream} is selected`;
  return `${fact} ${verdict ? 'matches' : 'does not match'}`;
}
