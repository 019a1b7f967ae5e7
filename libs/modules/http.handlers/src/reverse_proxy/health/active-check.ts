/** Resolved options of active health checks: the request to send and the expected response. */
import { HeaderMap } from '@sluice/http1';
import {
  parseDialAddress,
  resolveGlobalText,
  timeOption,
  type DialAddress,
  type HealthProbe,
  type Transport,
} from '@sluice/http-app';
import { compileRegExp, joinHostPort, type SafeRegExp } from '@sluice/base';
import type { Context } from '@sluice/registry';
import type { ActiveConfig } from '../options.ts';
import { askUpstream, type HealthResponse, type HealthQuestion } from './health-request.ts';

const defaultInterval = 30_000;
const defaultTimeout = 5000;
const maxRedirects = 10;

/** An active health check. All upstreams of a proxy share it. */
export class ActiveCheck {
  readonly interval: number;
  readonly timeout: number;
  /** Number of consecutive successes (`passes`) or failures (`fails`) that change the health state. */
  readonly passes: number;
  readonly fails: number;
  readonly #config: ActiveConfig;
  readonly #expression: SafeRegExp | null;
  readonly #maxSize: number;
  readonly #rawPath: string;
  readonly #query: string | null;

  constructor(config: ActiveConfig, context: Context) {
    const at = ['health_checks', 'active'];
    this.#config = config;
    this.interval = timeOption(config.interval, defaultInterval, context, ...at, 'interval');
    this.timeout = timeOption(config.timeout, defaultTimeout, context, ...at, 'timeout');
    this.passes = Math.max(1, config.passes ?? 1);
    this.fails = Math.max(1, config.fails ?? 1);
    this.#expression = config.expect_body ? expression(config.expect_body, context) : null;
    this.#maxSize = this.#expression === null ? 0 : config.max_size || Number.POSITIVE_INFINITY;
    const uri = config.uri || config.path || '/';
    if (/^:|[\0-\x20\x7f]/.test(uri) || /%(?![\da-f]{2})/i.test(uri))
      throw context.error(
        `${JSON.stringify(uri)} is not a path with an optional query`,
        ...at,
        config.uri ? 'uri' : 'path',
      );
    const target = uri.startsWith('/') ? uri : `/${uri}`;
    const mark = target.indexOf('?');
    this.#rawPath = mark < 0 ? target : target.slice(0, mark);
    this.#query = mark < 0 ? null : target.slice(mark + 1);
  }

  /** Reports whether the options enable active health checks. */
  static isWanted({ uri, path, port }: ActiveConfig): boolean {
    return Boolean(uri || path || port);
  }

  /** Returns the address to which an upstream's health checks are sent: the configured address, or the upstream's address. */
  addressFor(dial: string): DialAddress {
    const { upstream, port } = this.#config;
    const address = parseDialAddress(resolveGlobalText(upstream || dial));
    if (!port || address.network === 'unix') return address;
    return parseDialAddress(`${address.network}/${joinHostPort(address.host, port)}`);
  }

  /** Returns a health check that sends its requests with a transport. */
  through(transport: Transport): HealthProbe {
    const { interval, passes, fails } = this;
    return { interval, passes, fails, problem: (dial) => this.problem(transport, dial) };
  }

  /** Sends a health check request. Returns the problem with the response, or `null` if the check passed. */
  async problem(transport: Transport, dial: string): Promise<string | null> {
    let address = this.addressFor(dial);
    let question = this.#question();
    for (let redirects = 0; ; redirects++) {
      const response = await askUpstream(transport, address, question, {
        maxSize: this.#maxSize,
        timeout: this.timeout,
      });
      const location = response.headers.get('location');
      if (
        this.#config.follow_redirects !== true ||
        response.status < 300 ||
        response.status > 399 ||
        location === undefined
      )
        return this.#judge(response);
      if (redirects === maxRedirects) return `more than ${maxRedirects} redirects`;
      const target = new URL(location, `http://${address.hostPort}${question.rawPath}`);
      if (/^https?:\/\//i.test(location))
        address = parseDialAddress(`${target.hostname}:${target.port || (target.protocol === 'https:' ? 443 : 80)}`);
      const method =
        response.status === 307 || response.status === 308 || question.method === 'HEAD' ? question.method : 'GET';
      question = {
        ...question,
        method,
        rawPath: target.pathname,
        query: target.search === '' ? null : target.search.slice(1),
        body: method === question.method ? question.body : '',
      };
    }
  }

  #question(): HealthQuestion {
    const headers = new HeaderMap();
    let host = '';
    for (const [name, values] of Object.entries(this.#config.headers ?? {})) {
      const lower = name.toLowerCase();
      for (const value of values ?? []) {
        if (lower === 'host') host = resolveGlobalText(value);
        else headers.append(lower, resolveGlobalText(value));
      }
    }
    if (!headers.has('user-agent')) headers.append('user-agent', 'Sluice-Health-Check');
    return {
      method: this.#config.method || 'GET',
      rawPath: this.#rawPath,
      query: this.#query,
      host,
      headers,
      body: this.#config.body ?? '',
    };
  }

  #judge({ status, body }: HealthResponse): string | null {
    const expected = this.#config.expect_status || 2;
    if (status !== expected && (expected >= 10 || Math.trunc(status / 100) !== expected))
      return `status code ${status}`;
    return this.#expression === null || this.#expression.test(body) ? null : 'response body does not match expect_body';
  }
}

function expression(source: string, context: Context): SafeRegExp {
  try {
    return compileRegExp(source);
  } catch (error) {
    throw context.error((error as Error).message, 'health_checks', 'active', 'expect_body');
  }
}
