/** Metrics of admin API requests, with Caddy's names and labels. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { declareCounter, type Family, type Metrics } from '@sluice/telemetry';
import { knownTarget, methodOf } from './call.ts';

/** Methods used as labels. Other methods become `OTHER`, so that clients can't create series. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE']);

/** Path prefixes that are not in the route table, because they have no parameters. */
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

/** Counts requests that reached a route. Requests that were rejected earlier, or with an unknown path, do not count. */
export class AdminMetrics {
  readonly #requests: Family;
  readonly #errors: Family;
  readonly #exact: ReadonlySet<string>;
  readonly #trees: readonly string[];

  /** `patterns` lists route paths, for example `/pki/ca/:id`. The part before the first parameter is the label. */
  constructor(metrics: Metrics, patterns: readonly string[]) {
    this.#requests = metrics.family(adminMetrics.requests);
    this.#errors = metrics.family(adminMetrics.errors);
    const paths = [...trees, ...patterns.map((path) => path.slice(0, path.search(/[:{]/) >>> 0))];
    this.#exact = new Set(paths);
    // The label is the shortest matching prefix: `/pki/` for all paths below it.
    this.#trees = paths.filter((path) => path.endsWith('/')).sort((a, b) => a.length - b.length);
  }

  /** Counts a request after the end of the response. */
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
