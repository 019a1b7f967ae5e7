/** A set of labels, with the requests to compare. */
import type { Health } from '../../support/container-engine.ts';
import type { CaseRequest } from './compare.ts';

/** Labels without the prefix `traefik.http.`, except labels that begin with `traefik.` or `com.`. */
export type ShortLabels = Readonly<Record<string, string>>;

export interface CaseContainer {
  /** `{main}`, `{other}` and `{h2c}` in values are ports of the upstreams. */
  readonly labels: ShortLabels;
  /** Default: 127.0.0.1. */
  readonly address?: string;
  readonly health?: Health;
}

export interface LabelCase {
  readonly title: string;
  readonly containers: Readonly<Record<string, CaseContainer>>;
  readonly requests: readonly CaseRequest[];
  /** Upstreams that respond to `/up` with 503, such as `127.0.0.2 main`. */
  readonly unhealthy?: readonly string[];
  /** Time for health checks before the requests, in milliseconds. */
  readonly delay?: number;
  /** Reason for each deliberate difference from Traefik, by the name of the differing value. */
  readonly differs?: Readonly<Record<string, string>>;
}

/** Returns a case with one container. */
export function single(
  title: string,
  labels: ShortLabels,
  requests: readonly (CaseRequest | string)[],
  differs?: LabelCase['differs'],
): LabelCase {
  return {
    title,
    containers: { app: { labels } },
    requests: requests.map((each) => (typeof each === 'string' ? { path: each } : each)),
    ...(differs === undefined ? {} : { differs }),
  };
}

/** Returns a case with one router. */
export function rule(
  text: string,
  requests: readonly (CaseRequest | string)[],
  differs?: LabelCase['differs'],
): LabelCase {
  return single(text, { 'routers.r.rule': text }, requests, differs);
}

/** Returns a case with one middleware `m` on a router that matches all requests to a.test. */
export function middleware(
  title: string,
  options: ShortLabels,
  requests: readonly (CaseRequest | string)[],
  differs?: LabelCase['differs'],
): LabelCase {
  const own = Object.entries(options).map(([name, value]) => [`middlewares.m.${name}`, value] as const);
  const router = { 'routers.r.rule': 'Host(`a.test`)', 'routers.r.middlewares': 'm' };
  return single(title, { ...router, ...Object.fromEntries(own) }, requests, differs);
}
