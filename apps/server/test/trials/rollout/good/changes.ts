/** Generates correct changes: mutations of a site whose effects match the author's claims. */
import type { Claim } from '../faults/faults.ts';

export interface GoodChange {
  readonly title: string;
  readonly lines: string;
  readonly claim: Claim;
  /** Differences that the rollout must expect. */
  readonly expect?: string;
}

/** Returns a changed version of the lines, or `null` if the mutation does not apply. */
type Mutation = (lines: string, host: string, random: () => number) => GoodChange | null;

const pick = <T>(all: readonly T[], random: () => number): T => all[Math.floor(random() * all.length)] as T;
const first =
  (title: string, line: string, claim: Claim): Mutation =>
  (lines) => ({ title, lines: `${line}\n${lines}`, claim });
const at = (host: string, path: string, ...may: string[]): Claim => ({ at: [`${host}${path}`], may });

/** Replaces the first match of a pattern. */
function replaced(
  title: string,
  pattern: RegExp,
  to: string | ((random: () => number) => string),
  ...may: string[]
): Mutation {
  return (lines, host, random) => {
    const text = typeof to === 'string' ? to : to(random);
    const changed = lines.replace(pattern, text);
    const claim: Claim = may.length === 0 ? 'same' : at(host, '', ...may);
    return changed === lines ? null : { title, lines: changed, claim };
  };
}

/** Returns a mutation that adds an option to the first `reverse_proxy` directive. */
function proxyOption(title: string, option: string, ...may: string[]): Mutation {
  return (lines, host) => {
    const match = /reverse_proxy( <\w+>)+( \{)?/.exec(lines);
    const [word = ''] = option.split(' ');
    if (match === null || lines.includes(word)) return null;
    const [head] = match;
    const block = head.endsWith('{') ? `${head}\n${option}` : `${head} {\n${option}\n}`;
    const claim: Claim = may.length === 0 ? 'same' : at(host, '', ...may);
    return { title, lines: lines.replace(head, block), claim };
  };
}

const upstreamAspects = ['upstream', 'handlers'];

export const mutations: readonly Mutation[] = [
  // Refactorings
  first('an access log', 'log {\n\toutput discard\n}', 'same'),
  replaced('a matcher with another name', /@(\w+)([\s\S]*)@\1/, '@renamed$2@renamed'),
  replaced('a status as a word', / 301$/m, ' permanent'),
  replaced('a duration in milliseconds', /\b(\d+)s\b/, '$1000ms'),
  replaced(
    'handle and strip_prefix',
    /handle_path \/service\/\* \{/,
    'handle /service/* {\n\turi strip_prefix /service',
  ),
  replaced('a redundant path', /handle \/api\/\* \{/, '@api path /api/* /api/more/*\nhandle @api {'),
  (lines) =>
    /^reverse_proxy[^\n]*$/.test(lines)
      ? { title: 'a route around the proxy', lines: `route {\n${lines}\n}`, claim: 'same' }
      : null,
  // New routes and header fields
  (lines, host, random) => {
    const path = `/new-${Math.floor(random() * 1e6)}`;
    return {
      title: 'a new page',
      lines: `handle ${path} {\n\trespond "new"\n}\n${lines}`,
      claim: at(
        host,
        path,
        'status',
        'header',
        'body',
        'upstream',
        'upstream_request',
        'handlers',
        'cache',
        'authentication',
        'rate_limit',
        'encoding',
        'redirect',
      ),
    };
  },
  (lines, host, random) => {
    const path = `/moved-${Math.floor(random() * 1e6)}`;
    return {
      title: 'a new redirect',
      lines: `redir ${path} /home 302\n${lines}`,
      claim: at(
        host,
        path,
        'status',
        'header',
        'body',
        'upstream',
        'upstream_request',
        'handlers',
        'cache',
        'authentication',
        'rate_limit',
        'encoding',
        'redirect',
      ),
    };
  },
  (lines, host, random) => {
    const name = `X-Version-${Math.floor(random() * 1000)}`;
    return {
      title: 'a new response field',
      lines: `header ${name} 1\n${lines}`,
      claim: at(host, '', `header ${name.toLowerCase()}`),
    };
  },
  (lines, host) => ({
    title: 'a referrer policy',
    lines: `header Referrer-Policy no-referrer\n${lines}`,
    claim: at(host, '', 'header referrer-policy'),
  }),
  proxyOption('a field for the upstream', 'header_up X-From edge', 'upstream_request header x-from'),
  proxyOption('a field that the proxy removes', 'header_down -X-Powered-By', 'handlers', 'header x-powered-by'),
  // Upstreams
  replaced(
    'a pool instead of one upstream',
    /reverse_proxy <MAIN>(?! <)/,
    'reverse_proxy <MAIN> <REPLICA>',
    ...upstreamAspects,
  ),
  replaced('a move to the replica', /reverse_proxy <MAIN>(?! <)/, 'reverse_proxy <REPLICA>', ...upstreamAspects),
  replaced('a smaller pool', /<MAIN> <REPLICA>/, (random) => pick(['<MAIN>', '<REPLICA>'], random), ...upstreamAspects),
  replaced('a pool in another order', /<MAIN> <REPLICA>/, '<REPLICA> <MAIN>', ...upstreamAspects),
  proxyOption('retries', 'lb_try_duration 2s\nlb_try_interval 100ms', ...upstreamAspects),
  proxyOption('least connections', 'lb_policy least_conn', ...upstreamAspects),
  proxyOption('a timeout of ten seconds', 'transport http {\nresponse_header_timeout 10s\n}', ...upstreamAspects),
  proxyOption('more idle connections', 'transport http {\nkeepalive_idle_conns_per_host 100\n}', ...upstreamAspects),
  proxyOption('a health check', 'health_uri /healthz\nhealth_interval 1s', ...upstreamAspects),
  proxyOption('a passive health check', 'fail_duration 10s\nmax_fails 50', ...upstreamAspects),
  proxyOption('immediate flushing', 'flush_interval -1', ...upstreamAspects),
  // Limits, compression, cache
  first('compression', 'encode gzip', {
    at: [''],
    may: ['encoding', 'header vary', 'header content-encoding', 'body', 'header etag', 'header accept-ranges'],
  }),
  replaced('a higher rate limit', /events 1000000/, 'events 2000000', 'rate_limit'),
  replaced('a higher body limit', /max_size 1MB/, 'max_size 5MB', 'handlers'),
  first('a body limit', 'request_body {\n\tmax_size 20MB\n}', { at: [''], may: ['handlers'] }),
  replaced('a longer cache lifetime', /ttl 5s/, 'ttl 8s', 'cache'),
  // Access
  (lines, host, random) => {
    const path = `/private-${Math.floor(random() * 1e6)}`;
    return {
      title: 'authentication of a new path',
      lines: `basic_auth ${path}/* {\n\tada <STRONG>\n}\n${lines}`,
      claim: at(
        host,
        path,
        'authentication',
        'status',
        'header',
        'body',
        'upstream',
        'upstream_request',
        'handlers',
        'cache',
        'rate_limit',
        'encoding',
        'redirect',
      ),
    };
  },
  (lines, host) =>
    lines.includes('/admin/*') || !lines.includes('<BACK>') || lines.includes('handle')
      ? null
      : {
          title: 'authentication of all pages',
          lines: `basic_auth {\n\tada <STRONG>\n}\n${lines}`,
          claim: at(
            host,
            '',
            'authentication',
            'status',
            'header',
            'body',
            'upstream',
            'upstream_request',
            'handlers',
            'encoding',
            'cache',
          ),
          expect: '4xx',
        },
  (lines, host) =>
    /redir|handle|respond/.test(lines)
      ? null
      : {
          title: 'a moved site',
          lines: `redir /home/* /start{uri} 302\n${lines}`,
          claim: at(
            host,
            '',
            'redirect',
            'status',
            'header',
            'body',
            'upstream',
            'upstream_request',
            'handlers',
            'encoding',
            'cache',
          ),
          expect: '3xx',
        },
];
