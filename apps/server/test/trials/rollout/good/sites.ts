/** Typical configurations, each with sample client requests. `<NAME>` stands for a port or an address. */

export interface Site {
  readonly name: string;
  readonly host: string;
  /** Caddyfile directives of the site. */
  readonly lines: string;
  /** Requests as method, path, and header fields. `#` stands for a number. */
  readonly requests: readonly string[];
}

const site = (name: string, lines: string, ...requests: string[]): Site => ({
  name,
  host: `${name.replaceAll(/[^a-z]+/g, '-')}.test`,
  lines,
  requests: requests.map((each) => (each.startsWith('/') ? `GET ${each}` : each)),
});

export const sites: readonly Site[] = [
  site('plain proxy', 'reverse_proxy <MAIN>', '/api/items/#', '/api/orders/#'),
  site(
    'proxy to a pool',
    'reverse_proxy <MAIN> <REPLICA> {\n\tlb_policy round_robin\n\tlb_retries 2\n}',
    '/api/items/#',
  ),
  site(
    'pool with health checks',
    'reverse_proxy <MAIN> <REPLICA> {\n\thealth_uri /healthz\n\thealth_interval 1s\n}',
    '/api/items/#',
    '/api/orders/#',
  ),
  site(
    'pool with passive health checks',
    'reverse_proxy <MAIN> <REPLICA> {\n\tfail_duration 5s\n\tmax_fails 3\n}',
    '/api/items/#',
    '/missing/#',
  ),
  site('static files', 'root * <DIR>/site\nencode gzip\nfile_server', '/', '/app.js', '/docs/readme.txt', '/missing/#'),
  site(
    'single-page application',
    'root * <DIR>/site\nheader *.js Cache-Control "max-age=60"\ntry_files {path} /index.html\nfile_server',
    '/',
    '/app.js',
    '/pages/#',
  ),
  site(
    'files and an API',
    'handle /api/* {\n\treverse_proxy <MAIN>\n}\nhandle {\n\troot * <DIR>/site\n\tfile_server\n}',
    '/api/items/#',
    '/',
    '/docs/',
  ),
  site(
    'API under a prefix',
    'handle_path /service/* {\n\treverse_proxy <MAIN>\n}\nhandle {\n\trespond "no service" 404\n}',
    '/service/api/items/#',
    '/other',
  ),
  site(
    'two services',
    'handle /api/* {\n\treverse_proxy <MAIN>\n}\nhandle /v2/* {\n\treverse_proxy <CATALOG>\n}\nhandle {\n\treverse_proxy <BACK>\n}',
    '/api/items/#',
    '/v2/items/#',
    '/home/#',
  ),
  site(
    'compression',
    'encode zstd gzip\nreverse_proxy <MAIN>',
    'GET /api/items/# Accept-Encoding:gzip',
    '/api/items/#',
  ),
  site(
    'security headers',
    'header {\n\tStrict-Transport-Security "max-age=31536000"\n\tX-Frame-Options DENY\n\t-Server\n}\nreverse_proxy <BACK>',
    '/home/#',
    '/about/#',
  ),
  site(
    'basic authentication',
    'basic_auth /admin/* {\n\tada <HASH>\n}\nreverse_proxy <BACK>',
    '/admin/users',
    'GET /admin/users Authorization:Basic_YWRhOnNlY3JldA==',
    '/home/#',
  ),
  site(
    'forwarded authentication',
    'forward_auth <BACK> {\n\turi /check\n\tcopy_headers X-User-Name\n}\nreverse_proxy <MAIN>',
    '/api/items/#',
    '/api/orders/#',
  ),
  site(
    'rate limit',
    'route {\n\trate_limit {\n\t\tzone all {\n\t\t\tkey {client_ip}\n\t\t\tevents 1000000\n\t\t\twindow 10s\n\t\t}\n\t}\n\treverse_proxy <MAIN>\n}',
    '/api/items/#',
  ),
  site('body limit', 'request_body {\n\tmax_size 1MB\n}\nreverse_proxy <MAIN>', 'POST /api/items/#', '/api/items/#'),
  site('cache', 'route {\n\tcache {\n\t\tttl 5s\n\t}\n\treverse_proxy <CATALOG>\n}', '/feed', '/v2/items/1'),
  site(
    'redirects',
    'redir /old/* /new{uri} 301\nredir /sale /offers 302\nreverse_proxy <BACK>',
    '/old/#',
    '/sale',
    '/home/#',
  ),
  site('rewrites', 'rewrite /items/* /v2{uri}\nreverse_proxy <CATALOG>', '/items/#', '/v2/items/#'),
  site(
    'regular expressions',
    '@version path_regexp version ^/v([0-9])/\nhandle @version {\n\treverse_proxy <BACK> {\n\t\theader_up X-Version {re.version.1}\n\t}\n}\nhandle {\n\trespond "unknown version" 404\n}',
    '/v1/items/#',
    '/v3/items/#',
    '/other',
  ),
  site(
    'CORS',
    '@preflight method OPTIONS\nhandle @preflight {\n\theader Access-Control-Allow-Origin https://front.test\n\trespond 204\n}\nhandle {\n\theader Access-Control-Allow-Origin https://front.test\n\treverse_proxy <MAIN>\n}',
    'OPTIONS /api/items/#',
    '/api/items/#',
  ),
  site(
    'internal network',
    '@outside not client_ip 127.0.0.0/8 10.0.0.0/8\nrespond @outside "forbidden" 403\nreverse_proxy <BACK>',
    '/home/#',
    'GET /home/# X-Forwarded-For:203.0.113.9',
  ),
  site(
    'canary by header',
    '@canary header X-Canary 1\nhandle @canary {\n\treverse_proxy <REPLICA>\n}\nhandle {\n\treverse_proxy <MAIN>\n}',
    '/api/items/#',
    'GET /api/items/# X-Canary:1',
  ),
  site(
    'canary by cookie',
    '@beta header_regexp Cookie beta=on\nhandle @beta {\n\treverse_proxy <REPLICA>\n}\nhandle {\n\treverse_proxy <MAIN>\n}',
    '/api/items/#',
    'GET /api/items/# Cookie:beta=on',
  ),
  site(
    'maintenance switch',
    '@down file {\n\troot <DIR>\n\ttry_files maintenance\n}\nhandle @down {\n\trespond "down" 503\n}\nhandle {\n\treverse_proxy <BACK>\n}',
    '/home/#',
  ),
  site(
    'error pages',
    'reverse_proxy <MAIN>\nhandle_errors {\n\trespond "error {err.status_code}"\n}',
    '/api/items/#',
    '/api/orders/#',
  ),
  site(
    'intercepted responses',
    'reverse_proxy <MAIN> {\n\t@missing status 404\n\thandle_response @missing {\n\t\trespond "nothing here" 404\n\t}\n}',
    '/api/items/#',
    '/missing/#',
  ),
  site(
    'map of tenants',
    'map {query.tenant} {tenant} {\n\tone 1\n\ttwo 2\n\tdefault 0\n}\nreverse_proxy <BACK> {\n\theader_up X-Version {tenant}\n}',
    '/home/#?tenant=one',
    '/home/#',
  ),
  site(
    'slow reports',
    'handle /reports/* {\n\treverse_proxy <BACK> {\n\t\ttransport http {\n\t\t\tresponse_header_timeout 5s\n\t\t}\n\t}\n}\nhandle {\n\treverse_proxy <BACK>\n}',
    '/reports/#',
    '/home/#',
    '/home/#',
  ),
  site('templates', 'root * <DIR>/site\ntemplates\nfile_server', '/', '/docs/'),
  site('failing upstream', 'reverse_proxy <BROKEN>', '/api/items/#', '/api/items/#', '/api/items/#', '/api/orders/#'),
];
