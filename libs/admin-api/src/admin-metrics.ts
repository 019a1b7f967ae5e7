/** Admin API request metrics, with the same names and labels as Caddy's. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { declareCounter, type Family, type Metrics } from '@sluice/telemetry';
import { knownTarget, methodOf } from './call.ts';

/** HTTP methods used as label values. Other methods are counted as `OTHER`, so clients cannot create new time series. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE']);

/** Path prefixes that are missing from the route table because their routes have no parameters. */
const trees = ['/config/', '/id/'];

export const adminMetrics = {
  requests: declareCounter(
    'caddy_admin_http_requests_total',
    "Counter of requests made to the Admin API's HTTP endpoints.",
    ['code', 'handler', 'method', 'path'],
  ),
  errors: declareCounter(
    'caddy_admin_http_request_errors_total',
    'Number of requests resulting in middleware errors.',
    ['handler', 'method', 'path'],
  ),
};

/** Counts admin requests that reach a route. Rejected requests and requests for unknown paths are not counted. */
export class AdminMetrics {
  readonly #requests: Family;
  readonly #errors: Family;
  readonly #exact: ReadonlySet<string>;
  readonly #trees: readonly string[];

  /** `patterns` lists route patterns, such as `/pki/ca/:id`. The part before the first parameter becomes the label. */
  constructor(metrics: Metrics, patterns: readonly string[]) {
    this.#requests = metrics.family(adminMetrics.requests);
    this.#errors = metrics.family(adminMetrics.errors);
    const paths = [...trees, ...patterns.map((path) => path.slice(0, path.search(/[:{]/) >>> 0))];
    this.#exact = new Set(paths);
    // Use the shortest matching prefix as the label: `/pki/` for all paths below `/pki/`.
    this.#trees = paths.filter((path) => path.endsWith('/')).sort((a, b) => a.length - b.length);
  }

  /** Counts the request when its response is complete. */
  count(request: IncomingMessage, response: ServerResponse): void {
    const path = this.#labelOf(knownTarget(request)?.path);
    if (path === undefined) return;
    const method = methods.has(methodOf(request)) ? methodOf(request) : 'OTHER';
    this.#requests.with(String(response.statusCode), 'admin', method, path).add();
    if (response.statusCode >= 400) this.#errors.with('admin', method, path).add();
  }

  #labelOf(path: string | undefined): string | undefined {
    if (path === undefined) return undefined;
    return this.#exact.has(path) ? path : this.#trees.find((tree) => path.startsWith(tree));
  }
}
