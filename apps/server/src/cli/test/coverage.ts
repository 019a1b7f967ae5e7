/** Measures test coverage: the routes that test cases reached, and the observed results of each matcher. */
import { formatWhere, isObject, type Json } from '@sluice/base';
import type { PartPlace, RoutePlace } from '@sluice/http-app';
import type { Seen } from '../../test-cases/test-probe.ts';
import type { TestedDocument } from '../../test-cases/tested-server.ts';

/** A route and the number of requests that reached it. */
export interface CoveredRoute {
  readonly path: string;
  /** Source location such as `Caddyfile:12`, or `null` if unknown. */
  readonly source: string | null;
  reached: number;
}

/** A matcher, with the number of times it matched and did not match. */
export interface CoveredMatcher {
  readonly path: string;
  readonly source: string | null;
  true: number;
  false: number;
}

/** Coverage of one configuration. It is included in the output of `--coverage-json`. */
export interface CoverageReport {
  readonly config: string;
  /** Coverage percentage, computed over reached routes and observed matcher results. */
  readonly percent: number;
  readonly routes: readonly CoveredRoute[];
  readonly matchers: readonly CoveredMatcher[];
}

/** Coverage counters for one configuration, shared by all servers created from it. */
export class Coverage implements Seen {
  readonly #config: string;
  readonly #tested: TestedDocument;
  readonly #routes = new Map<string, CoveredRoute>();
  readonly #matchers = new Map<string, CoveredMatcher>();

  /** `config` is the name under which reports list the configuration. */
  constructor(config: string, tested: TestedDocument) {
    this.#config = config;
    this.#tested = tested;
  }

  route(place: RoutePlace): () => void {
    if (isAutomatic(place)) return () => {};
    const { path } = place;
    const where = formatWhere(path);
    const covered = this.#routes.get(where) ?? { path: where, source: this.#sourceOf(path), reached: 0 };
    this.#routes.set(where, covered);
    return () => void covered.reached++;
  }

  matcher(place: PartPlace): (verdict: boolean) => void {
    if (isAutomatic(place.route)) return () => {};
    const path = this.#pathOf(place);
    const where = formatWhere(path);
    const covered = this.#matchers.get(where) ?? { path: where, source: this.#sourceOf(path), true: 0, false: 0 };
    this.#matchers.set(where, covered);
    return (verdict) => void covered[verdict ? 'true' : 'false']++;
  }

  report(): CoverageReport {
    const routes = [...this.#routes.values()];
    const matchers = [...this.#matchers.values()];
    const seen = routes.filter(({ reached }) => reached > 0).length + sum(matchers.map(verdictsOf));
    const all = routes.length + 2 * matchers.length;
    return { config: this.#config, percent: all === 0 ? 100 : Math.floor((1000 * seen) / all) / 10, routes, matchers };
  }

  /**
   * Returns the path in the document. For a matcher, a number in the path is its index in the matcher set, whose matchers are sorted by
   * key.
   */
  #pathOf({ path }: PartPlace): readonly string[] {
    let node: Json | undefined = this.#tested.document;
    return path.map((segment) => {
      const keys: readonly string[] = isObject(node) ? Object.keys(node).filter((key) => key !== '@id') : [];
      const name = typeof segment === 'string' ? segment : (keys[segment] ?? String(segment));
      node = Array.isArray(node) ? node[Number(name)] : isObject(node) ? node[name] : undefined;
      return name;
    });
  }

  #sourceOf(path: readonly string[]): string | null {
    const { document, sources } = this.#tested;
    const place = sources?.placeOf(path, document) ?? null;
    return place === null ? null : `${place.file}:${place.line}`;
  }
}

/** Reports whether the server added a route automatically. Such routes do not need test cases. */
function isAutomatic({ route }: RoutePlace): boolean {
  return route.places.length === 0;
}

/** Formats a coverage report as text. */
export function coverageText({ config, percent, routes, matchers }: CoverageReport): string {
  const missed = routes.filter(({ reached }) => reached === 0);
  const lines = [
    `coverage of ${config}: ${percent} %, ${routes.length - missed.length} of ${routes.length} routes, ` +
      `${sum(matchers.map(verdictsOf))} of ${2 * matchers.length} matcher results`,
    ...missed.map((each) => `never reached: ${textOf(each)}`),
    ...matchers.filter((each) => each.true === 0).map((each) => `  never true: ${textOf(each)}`),
    ...matchers.filter((each) => each.false === 0).map((each) => `  never false: ${textOf(each)}`),
  ];
  return `${lines.join('\n')}\n`;
}

function verdictsOf(matcher: CoveredMatcher): number {
  return (matcher.true > 0 ? 1 : 0) + (matcher.false > 0 ? 1 : 0);
}

function textOf({ path, source }: Pick<CoveredRoute, 'path' | 'source'>): string {
  return source === null ? path : `${path} (${source})`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
