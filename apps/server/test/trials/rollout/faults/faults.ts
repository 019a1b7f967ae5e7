/** Mistakes in edits of `site.ts`, each with the changes that its author claims. */

/** A text edit: the text to replace, and its replacement. */
export type Replacement = readonly [from: string, to: string];

/**
 * Effect that the author of a change claims. `same` is a refactoring. Otherwise, only requests with the given hosts and path prefixes may
 * change, and only in the given aspects: `status`, `header x-name`, `upstream_request`, …
 */
export type Claim = 'same' | { readonly at: readonly string[]; readonly may: readonly string[] };

export interface Fault {
  readonly title: string;
  readonly claim: Claim;
  readonly edit: readonly Replacement[];
}

const fault = (title: string, claim: Claim, ...edit: Replacement[]): Fault => ({ title, claim, edit });
const at = (place: string, ...may: string[]): Claim => ({ at: [place], may });

const adminSites = 'handle /admin/* {\n\t\treverse_proxy <BACK>';

export const faults: readonly Fault[] = [
  // Hosts and listeners
  fault('typo in a host', 'same', ['http://api.test:', 'http://apj.test:']),
  fault(
    'wildcard with one label too many',
    at('eu.api.test', 'status', 'header', 'body', 'upstream', 'upstream_request', 'handlers', 'cache'),
    ['http://api.test:', 'http://*.api.test:'],
  ),
  fault('host moved to another port', 'same', ['http://app.test:<HTTP>', 'http://app.test:<FREE>']),
  fault('TLS port that supports only HTTP/2', 'same', ['	servers {', '	servers {\n		protocols h2']),
  // Upstreams
  fault(
    'swapped upstreams',
    at('shop.test/admin', 'upstream'),
    ['		rewrite * /v2{uri}\n		reverse_proxy <CATALOG>', '		rewrite * /v2{uri}\n		reverse_proxy <BACK>'],
    [adminSites, adminSites.replace('BACK', 'CATALOG')],
  ),
  fault('upstream of a different application', at('shop.test/catalog', 'upstream'), [
    '		rewrite * /v2{uri}\n		reverse_proxy <CATALOG>',
    '		rewrite * /v2{uri}\n		reverse_proxy <OTHER>',
  ]),
  fault('upstream on a closed port', at('shop.test/admin', 'upstream'), [
    adminSites,
    'handle /admin/* {\n		reverse_proxy 127.0.0.1:9',
  ]),
  fault('slow upstream', at('shop.test/api', 'upstream'), ['<MAIN> <REPLICA>', '<SLOW>']),
  fault('one slow upstream in a pool', at('shop.test/api', 'upstream'), ['<MAIN> <REPLICA>', '<MAIN> <SLOW>']),
  fault('upstream that returns 500 for some paths', at('shop.test/api', 'upstream'), ['<MAIN> <REPLICA>', '<BROKEN>']),
  fault('upstream with a memory leak', at('shop.test/api', 'upstream'), ['<MAIN> <REPLICA>', '<LEAKING>']),
  fault('wrong health check path', at('shop.test/api', 'handlers'), ['health_uri /healthz', 'health_uri /health']),
  fault('wrong expected health status', at('shop.test/api', 'handlers'), [
    'health_interval 500ms',
    'health_interval 500ms\n			health_status 204',
  ]),
  fault('passive health check with a threshold below normal latency', at('app.test/reports', 'handlers'), [
    '			transport http {\n				response_header_timeout 3s',
    '			fail_duration 10s\n			unhealthy_latency 20ms\n			transport http {\n				response_header_timeout 3s',
  ]),
  fault(
    'no retries although a pool member is unreachable',
    at('shop.test/api', 'upstream', 'handlers'),
    ['<MAIN> <REPLICA>', '<MAIN> 127.0.0.1:9'],
    ['			lb_retries 1\n			health_uri /healthz\n			health_interval 500ms\n', ''],
  ),
  fault('site moved to a closed port', at('app.test', 'handlers', 'upstream'), [
    '		reverse_proxy <BACK> {\n			lb_retries 1',
    '		reverse_proxy 127.0.0.1:9 {\n			lb_retries 1',
  ]),
  fault('HTTP/2 connection to an HTTP/1.1 upstream', at('shop.test/api', 'handlers'), [
    '				dial_timeout 1s',
    '				dial_timeout 1s\n				versions h2c',
  ]),
  fault('TLS connection to a plaintext upstream', at('shop.test/api', 'handlers', 'upstream_request'), [
    '				dial_timeout 1s',
    '				dial_timeout 1s\n				tls\n				tls_insecure_skip_verify',
  ]),
  fault('PROXY protocol to an upstream that does not support it', at('shop.test/api', 'handlers'), [
    '				dial_timeout 1s',
    '				dial_timeout 1s\n				proxy_protocol v2',
  ]),
  fault('response timeout too short', at('app.test/reports', 'handlers'), [
    'response_header_timeout 3s',
    'response_header_timeout 30ms',
  ]),
  fault('dial timeout too short', at('shop.test/api', 'handlers'), [
    '				dial_timeout 1s',
    '				dial_timeout 1us\n				keepalive off',
  ]),
  fault('response header limit too low', at('shop.test/api', 'handlers'), [
    '				dial_timeout 1s',
    '				dial_timeout 1s\n				max_response_header 60B',
  ]),
  // Requests to upstreams
  fault('header field not sent to the upstream', at('shop.test/api', 'upstream_request'), [
    '<MAIN> <REPLICA> {\n			header_up X-Client web',
    '<MAIN> <REPLICA> {\n			header_up -X-Client',
  ]),
  fault('missing tenant field in upstream requests', at('shop.test/account', 'upstream_request'), [
    '			header_up X-Tenant shop\n',
    '',
  ]),
  fault('wrong Host field in upstream requests', at('app.test/reports', 'upstream_request'), [
    '			transport http {\n				response_header_timeout 3s',
    '			header_up Host {upstream_hostport}\n			transport http {\n				response_header_timeout 3s',
  ]),
  fault('rewrite that omits a prefix', at('shop.test/catalog', 'upstream_request'), [
    'rewrite * /v2{uri}',
    'rewrite * {uri}',
  ]),
  fault('rewrite that drops the path', at('shop.test/catalog', 'upstream_request'), [
    'rewrite * /v2{uri}',
    'rewrite * /v2/?{query}',
  ]),
  fault('prefix no longer stripped for the upstream', 'same', ['handle_path /catalog/* {', 'handle /catalog/* {']),
  fault('version prefix no longer stripped', at('api.test/v1', 'upstream_request'), ['		uri strip_prefix /v1\n', '']),
  fault('rewritten method', at('shop.test/search', 'upstream_request'), [
    '	handle /search {',
    '	handle /search {\n		method POST\n		rewrite * /find',
  ]),
  // Access
  fault('authentication removed', 'same', ['basic_auth /admin/* {', 'basic_auth /admin {']),
  fault('different password', at('shop.test/admin', 'authentication'), [
    'ada <HASH>',
    'ada $2a$04$5e1BLF6wZzg7VgbcVNVpMOqfRaWJpzEzCbXr0VvNJTXaW7LSgJ5Oi',
  ]),
  fault('authentication required for a whole site', at('shop.test/admin', 'authentication', 'status'), [
    'basic_auth /admin/* {',
    'basic_auth {',
  ]),
  fault(
    'proxy that runs before authentication',
    'same',
    [
      '	order rate_limit before basic_auth\n',
      '	order rate_limit before basic_auth\n	order basic_auth after reverse_proxy\n',
    ],
    ['	basic_auth /admin/* {\n		ada <HASH>\n	}\n', ''],
    [adminSites, 'handle /admin/* {\n		basic_auth {\n			ada <HASH>\n		}\n		reverse_proxy <BACK>'],
  ),
  fault('no trusted proxies', 'same', ['		trusted_proxies static 127.0.0.0/8\n', '']),
  fault('inverted network check', at('app.test/internal', 'status'), [
    'not client_ip 10.1.0.0/16',
    'client_ip 10.1.0.0/16',
  ]),
  fault('network check that uses the peer address instead of the client address', 'same', [
    'not client_ip 10.1.0.0/16',
    'not remote_ip 10.1.0.0/16',
  ]),
  fault('cookie check with a typo', at('shop.test/account', 'handlers'), ['Cookie *sid=*', 'Cookie *SID=*']),
  // Limits
  fault('rate limit too low', at('shop.test/search', 'rate_limit'), ['events 100000', 'events 20']),
  fault('body limit too low', at('shop.test/upload', 'handlers'), ['max_size 1MB', 'max_size 10KB']),
  fault('body limit for all routes', at('shop.test/upload', 'handlers'), [
    '	redir /sale',
    '	request_body {\n		max_size 5B\n	}\n	redir /sale',
  ]),
  fault('request header limit too low', 'same', ['	servers {', '	servers {\n		max_header_size 1KB']),
  fault('read timeout of 1 ms', 'same', [
    '	servers {',
    '	servers {\n		timeouts {\n			read_header 1ms\n			idle 1ms\n		}',
  ]),
  fault('concurrency limit too low', at('shop.test/api', 'rate_limit'), [
    '	handle /api/* {',
    '	handle /api/* {\n		concurrency_limit {\n			max 1\n			queue 0\n		}',
  ]),
  // Routes
  fault('matcher that shadows other routes', at('shop.test/upload', 'handlers'), ['handle /upload/* {', 'handle /* {']),
  fault('path matcher without *', 'same', ['handle /account/* {', 'handle /account {']),
  fault('typo in a path', 'same', ['handle /reports/* {', 'handle /report/* {']),
  fault('regular expression with a typo', 'same', ['^/v([2-9])/', '^/v([2-6])/']),
  fault('wrong order of routes', at('api.test/v2', 'upstream_request'), ['	handle @version {', '	handle /v* {']),
  fault('redirect for a whole site', at('app.test/maintenance', 'redirect', 'status'), [
    '	handle @internal',
    '	redir * /maintenance 302\n	handle @internal',
  ]),
  // Responses
  fault('redirect loop', at('www.shop.test', 'redirect'), ['redir http://shop.test:', 'redir http://www.shop.test:']),
  fault('wrong status of a redirect', 'same', ['/offers/summer.html 302', '/offers/summer.html 301']),
  fault('redirect that loses the path', 'same', [
    'redir http://shop.test:<HTTP>{uri} permanent',
    'redir http://shop.test:<HTTP> permanent',
  ]),
  fault('CORS removed', at('api.test/v1', 'upstream_request'), [
    '	handle /v1/* {\n		header Access-Control-Allow-Origin https://front.test\n',
    '	handle /v1/* {\n',
  ]),
  fault('CORS with a different origin', 'same', [
    '		header Access-Control-Allow-Origin https://front.test\n		respond 204',
    '		header Access-Control-Allow-Origin http://front.test\n		respond 204',
  ]),
  fault('cookie removed from responses', at('shop.test/login', 'header x-internal'), [
    '	handle /login {\n		reverse_proxy <MAIN> {',
    '	handle /login {\n		reverse_proxy <MAIN> {\n			header_down -*',
  ]),
  fault('wrong content type', at('shop.test/docs', 'header content-type'), [
    '	header Strict',
    '	header *.js Content-Type text/plain\n	header Strict',
  ]),
  fault('compression broken for some clients', at('shop.test/app.js', 'header content-encoding'), [
    '	header Strict',
    '	header /app.js Content-Encoding gzip\n	header Strict',
  ]),
  fault('compression removed', 'same', ['	encode gzip\n', '']),
  fault('security header removed', 'same', [
    '	header Strict-Transport-Security "max-age=31536000"\n	redir',
    '	redir',
  ]),
  fault('wrong root directory', at('shop.test', 'body'), ['root * <DIR>/site', 'root * <DIR>/old']),
  fault('wrong index file', 'same', ['		file_server\n', '		file_server {\n			index home.html\n		}\n']),
  fault('fallback file removed', 'same', ['		try_files {path} {path}/ /index.html\n', '']),
  fault('error page with status 200', at('api.test', 'body'), [
    'respond "no such page" 404',
    'respond "No such page" 200',
  ]),
  fault('cache for personal pages', at('shop.test/account', 'cache'), [
    '	handle /account/* {',
    '	handle /account/* {\n		cache {\n			ttl 1m\n			key {\n				disable_query\n			}\n		}',
  ]),
  // TLS and other mistakes
  fault('certificate for a different name', 'same', [
    '<DIR>/secure.test.crt <DIR>/secure.test.key',
    '<DIR>/other.test.crt <DIR>/other.test.key',
  ]),
  fault('minimum TLS version too high', 'same', [
    '<DIR>/secure.test.key',
    '<DIR>/secure.test.key {\n		protocols tls1.3\n	}',
  ]),
  fault('client certificates required', 'same', [
    '<DIR>/secure.test.key',
    '<DIR>/secure.test.key {\n		client_auth {\n			mode require\n		}\n	}',
  ]),
  fault('access log to a pipe without a reader', 'same', [
    '	header Strict',
    '	log {\n		output file <DIR>/pipe\n	}\n	header Strict',
  ]),
];
