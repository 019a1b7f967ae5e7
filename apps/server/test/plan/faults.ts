/** A text edit: the text to replace, and its replacement. */
export type Replacement = readonly [from: string, to: string];

interface Fault {
  readonly title: string;
  readonly edit: readonly Replacement[];
  /** Pattern for a summary in the report. */
  readonly report: RegExp;
}

const fault = (title: string, report: RegExp, ...edit: Replacement[]): Fault => ({ title, report, edit });

export const faults: readonly Fault[] = [
  fault('a typo in a host', /shop\.test.* get status|shop\.test.*instead|shop\.test.*no longer/, [
    '\nshop.test {',
    '\nshpo.test {',
  ]),
  fault('a host in the wrong domain', /app\.test/, ['\napp.test {', '\napp.text {']),
  fault('a host missing from a list', /docs\.example/, ['docs.test, docs.example {', 'docs.test {']),
  fault('a wildcard that is one label too deep', /tenant\.test/, ['*.tenant.test {', '*.app.tenant.test {']),
  fault('a typo in a host matcher', /one\.tenant\.test.*go to 10\.0\.3\.2:8080 instead of 10\.0\.3\.1:8080/, [
    '@one host one.tenant.test',
    '@one host 0ne.tenant.test',
  ]),
  fault('a plain HTTP site that becomes HTTPS', /status\.test/, ['http://status.test {', 'status.test {']),
  fault('an HTTPS site that becomes plain HTTP', /docs\.test/, [
    'docs.test, docs.example {',
    'http://docs.test, http://docs.example {',
  ]),
  fault('disabled redirects to HTTPS', /http:\/\/shop\.test|shop\.test.*no longer redirected|shop\.test.*status/, [
    'auto_https disable_certs',
    'auto_https off',
  ]),
  fault('a wrong upstream', /10\.0\.1\.15:8080 instead of 10\.0\.1\.5:8080/, ['10.0.1.5:8080', '10.0.1.15:8080']),
  fault(
    'swapped upstreams',
    /10\.0\.3\.2:8080 instead of 10\.0\.3\.1:8080/,
    ['reverse_proxy 10.0.3.1:8080\n', 'reverse_proxy 10.0.3.2:8080\n'],
    ['reverse_proxy 10.0.3.2:8080 {', 'reverse_proxy 10.0.3.1:8080 {'],
  ),
  fault('a wrong upstream port', /10\.0\.0\.3:900 instead of 10\.0\.0\.3:9000/, ['10.0.0.3:9000', '10.0.0.3:900']),
  fault('an upstream missing from a pool', /10\.0\.0\.1:8080/, ['10.0.0.1:8080 10.0.0.2:8080', '10.0.0.1:8080']),
  fault('a different load balancing policy', /api\//, ['lb_policy round_robin', 'lb_policy first']),
  fault('a missing Host override in the upstream request', /unknown value: upstream request: host/, [
    'header_up Host api.internal\n',
    '\n',
  ]),
  fault('a missing header field in the upstream request', /no header x-api-client/, [
    'header_up X-Api-Client web\n',
    '\n',
  ]),
  fault('an upstream without TLS', /shop\.test\/api/, ['\t\t\timport tls_upstream\n', '\n']),
  fault('a wrong TLS server name for an upstream', /shop\.test\/api/, [
    'tls_server_name api.internal',
    'tls_server_name shop.test',
  ]),
  fault('a missing tenant field', /no header x-tenant/, [' {\n\t\t\theader_up X-Tenant {vars.tenant}\n\t\t}', '']),
  fault('a tenant field with the wrong label', /x-tenant/, ['vars tenant {labels.2}', 'vars tenant {labels.1}']),
  fault('a wrong capture group', /x-version/, ['{re.version.1}', '{re.version.0}']),
  fault('a wrong FastCGI upstream', /127\.0\.0\.1:9000 instead of 127\.0\.0\.1:9009/, [
    '127.0.0.1:9009',
    '127.0.0.1:9000',
  ]),
  fault('a response field that the proxy no longer removes', /server|shop\.test\/api/, ['header_down -Server\n', '\n']),
  fault('upstream cookies without Secure', /shop\.test\/api/, ['header_down Set-Cookie "^(.*)$" "$1; Secure"\n', '\n']),
  fault('missing retries', /app\.test/, [' {\n\t\t\tlb_retries 1\n\t\t}', '']),
  fault('removed authentication', /no longer require authentication/, [
    'basic_auth /admin/* {',
    'basic_auth /administration/* {',
  ]),
  fault('authentication that no longer covers subpaths', /no longer require authentication/, [
    'basic_auth /admin/* {',
    'basic_auth /admin {',
  ]),
  fault('removed forward authentication', /no longer run through reverse_proxy/, [
    'forward_auth 10.0.2.1:4000 {\n\t\t\turi /check\n\t\t\tcopy_headers X-User\n\t\t}\n',
    '\n',
  ]),
  fault('forward authentication with a wrong URI', /items/, ['uri /check', 'uri /']),
  fault('forward authentication without its user field', /items/, ['copy_headers X-User\n', '\n']),
  fault('a route for write requests that lacks a method', /items.*no longer run through reverse_proxy/, [
    'method POST PUT DELETE',
    'method POST PUT',
  ]),
  fault('tokens accepted from any issuer', /authenticated differently/, ['issuer_whitelist https://id.test\n', '\n']),
  fault('removed token authentication', /no longer require authentication/, [
    'jwtauth {\n\t\t\tsign_key c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0\n\t\t\tissuer_whitelist https://id.test\n\t\t}\n',
    '\n',
  ]),
  fault(
    'a proxy before authentication',
    /admin\/users.*no longer require authentication/,
    ['basic_auth /admin/* {\n\t\tada HASH\n\t}\n', '\n'],
    [
      'handle /admin/* {\n\t\treverse_proxy 10.0.0.3:9000\n',
      'handle /admin/* {\n\t\troute {\n\t\t\treverse_proxy 10.0.0.3:9000\n\t\t\tbasic_auth {\n\t\t\t\tada HASH\n\t\t\t}\n\t\t}\n',
    ],
  ),
  fault('internal paths with an inverted client check', /internal.*status/, [
    'not client_ip 10.1.0.0/16',
    'client_ip 10.1.0.0/16',
  ]),
  fault('a client check with a network that is too large', /internal/, [
    'not client_ip 10.1.0.0/16',
    'not client_ip 0.0.0.0/0',
  ]),
  fault('missing trusted proxies', /internal.*status 403/, ['trusted_proxies static 10.0.0.0/8\n', '\n']),
  fault('a check of the peer address instead of the client address', /internal.*status 403/, [
    'not client_ip 10.1.0.0/16',
    'not remote_ip 10.1.0.0/16',
  ]),
  fault('a path matcher without *', /admin/, ['handle /admin/* {', 'handle /admin {']),
  fault('a path matcher without its slash', /catalog/, ['handle /catalog/* {', 'handle /catalog* {']),
  fault('a matcher that shadows later ones', /app\.test/, ['handle /upload/* {', 'handle /* {']),
  fault('a path prefix that reaches the upstream', /uri \/api\/|uri \{path\}/, [
    'handle_path /api/* {',
    'handle /api/* {',
  ]),
  fault('a path prefix stripped by mistake', /10\.0\.1\.5|catalog.*uri/, [
    'handle /catalog/* {',
    'handle_path /catalog/* {',
  ]),
  fault('a rewrite that replaces the whole path', /catalog.*uri \//, [
    'handle /catalog/* {',
    'handle /catalog/* {\n\t\trewrite * /',
  ]),
  fault('a regular expression without an anchor', /app\.test\/other\/v0\/.*x-version/, ['^/v([0-9]+)/', '/v([0-9]+)/']),
  fault('a regular expression that matches too few digits', /app\.test/, ['^/v([0-9]+)/', '^/v([01])/']),
  fault('a path prefix that is no longer stripped', /docs\.test/, ['uri strip_prefix /docs\n', '\n']),
  fault('a route for a misspelled path', /upload/, ['handle /upload/* {', 'handle /uploads/* {']),
  fault('a wrong query matcher', /search.*(status|10\.0\.1\.6)/, ['@empty query q=\n', '@empty query q=*\n']),
  fault('a missing fallback of a single-page application', /shop\.test.*status 404/, [
    '\t\ttry_files {path} /index.html\n',
    '\n',
  ]),
  fault('a wrong fallback of a single-page application', /offers|shop\.test/, [
    'try_files {path} /index.html',
    'try_files {path} /app.html',
  ]),
  fault('a wrong site root', /shop\.test/, [
    'handle {\n\t\troot * ROOT\n\t\ttry_files',
    'handle {\n\t\troot * ROOT/old\n\t\ttry_files',
  ]),
  fault('a file server with a directory listing', /data/, [
    'header Content-Disposition attachment\n\t\tfile_server',
    'header Content-Disposition attachment\n\t\tfile_server browse',
  ]),
  fault('a WebSocket route that no longer matches upgrades', /ws.*status 426/, [
    'header Upgrade websocket',
    'header Upgrade Websocket-13',
  ]),
  fault('a WebSocket route with a path that is too narrow', /ws/, ['handle /ws/* {', 'handle /ws {']),
  fault('a canary route with a wrong header value', /10\.0\.1\.1:8080 instead of 10\.0\.1\.2:8080/, [
    'X-Canary 1',
    'X-Canary true',
  ]),
  fault('a canary route for everyone', /10\.0\.1\.2:8080 instead of/, ['@canary header X-Canary 1', '@canary path *']),
  fault('a canary route with a wrong cookie', /depends on|app\.test/, ['beta=on(;|$)', 'gamma=on(;|$)']),
  fault('a maintenance page for everyone', /app\.test.*status 503/, ['@down file', '@down not file']),
  fault('a path that responds instead of aborting', /wp-admin/, ['abort /wp-admin/*\n', '\n']),
  fault('a site that aborts all requests', /get no response/, ['abort /wp-admin/*', 'abort']),
  fault('a wrong status', /status 307 instead of 302/, ['/offers/summer 302', '/offers/summer 307']),
  fault('a wrong redirect target', /redirected to/, ['redir /sale /offers/summer', 'redir /sale /offer/summer']),
  fault('a redirect loop', /www\.shop\.test.*redirected to/, [
    'redir https://shop.test{uri} permanent',
    'redir https://www.shop.test{uri} permanent',
  ]),
  fault('a redirect that loses the path', /www\.shop\.test.*redirected to/, [
    'redir https://shop.test{uri} permanent',
    'redir https://shop.test permanent',
  ]),
  fault('a redirect that loses the query', /help.*redirected to/, [
    'https://help.test{uri}',
    'https://help.test{path}',
  ]),
  fault('a redirect that no longer covers subpaths', /old/, ['@old path /old /old/*', '@old path /old']),
  fault('a missing map entry', /2019/, ['\t\t/2019/first /posts/first\n', '\n']),
  fault('a missing Strict-Transport-Security field', /no header strict-transport-security/, [
    'header Strict-Transport-Security "max-age=31536000; includeSubDomains"\n',
    '\n',
  ]),
  fault('a shorter max-age in Strict-Transport-Security', /header strict-transport-security max-age=3600/, [
    'max-age=31536000; includeSubDomains',
    'max-age=3600',
  ]),
  fault('a missing Cache-Control field', /no header cache-control/, [
    'header /account/* Cache-Control no-store\n',
    '\n',
  ]),
  fault('Cache-Control for too many files', /cache-control public/, ['@assets path *.js *.css', '@assets path *']),
  fault('a wrong CORS origin', /access-control-allow-origin/, [
    'Access-Control-Allow-Origin https://front.test',
    'Access-Control-Allow-Origin https://front.example',
  ]),
  fault('a CORS matcher with a wrong origin', /access-control/, [
    '@cors header Origin https://front.test',
    '@cors header Origin http://front.test',
  ]),
  fault('a preflight response with fewer methods', /access-control-allow-methods/, ['"GET, PUT"', 'GET']),
  fault('a missing preflight route', /items.*(status|10\.0\.1\.1)/, ['method OPTIONS', 'method HEAD']),
  fault('a missing Vary field', /vary/, ['+Vary Origin\n', '\n']),
  fault('a cookie without HttpOnly', /set-cookie/, ['Secure; HttpOnly;', 'Secure;']),
  fault('a missing Content-Disposition field', /content-disposition/, [
    'header Content-Disposition attachment\n',
    '\n',
  ]),
  fault('a changed error page', /get 11 bytes instead of 9/, [
    'respond "error {err.status_code}"',
    'respond "failure {err.status_code}"',
  ]),
  fault('error pages for the wrong status', /docs\.example/, ['handle_errors 404 {', 'handle_errors 403 {']),
  fault('an error page with status 200', /status 200 instead of 404/, [
    'respond "error {err.status_code}"',
    'respond "error {err.status_code}" 200',
  ]),
  fault('a changed health check body', /healthz/, ['respond /healthz "ok"', 'respond /healthz "OK"']),
  fault('a health check at the wrong path', /healthz/, ['respond /healthz', 'respond /health']),
  fault('a rate limit that is too low', /different rate limit/, ['events 600', 'events 6']),
  fault('a rate limit with a shared key', /different rate limit/, ['key {client_ip}', 'key all']),
  fault('a body limit that is too low', /request_body/, ['max_size 1MB', 'max_size 1KB']),
  fault('a body limit in a named route that is too low', /upload.*request_body/, ['max_size 10MB', 'max_size 10KB']),
  fault('missing compression', /no longer compressed/, ['encode zstd gzip\n', '\n']),
  fault('a removed cache', /no longer cached/, ['cache {\n\t\t\tttl 1m\n\t\t}\n', '\n']),
  fault('a cache for authenticated responses', /can be cached/, ['handle /token/* {', 'handle /token/* {\n\t\tcache']),
  fault('a cache for too many paths', /can be cached/, ['\t@version path_regexp', '\tcache\n\t@version path_regexp']),
  // Connections
  fault('newly required client certificates', /blog\.test.* require a client certificate/, [
    'blog.test {',
    'blog.test {\n\ttls {\n\t\tclient_auth {\n\t\t\tmode require\n\t\t}\n\t}',
  ]),
  fault('disabled HTTP/1.1', /no longer accepted with HTTP\/1\.1/, ['\tservers {', '\tservers {\n\t\tprotocols h2']),
  fault('a cache with a longer lifetime', /cached differently/, ['ttl 1m', 'ttl 1h']),
];

/** A mistake that a comparison of behavior cannot find. */
interface Miss {
  readonly title: string;
  readonly edit: readonly Replacement[];
}

const miss = (title: string, ...edit: Replacement[]): Miss => ({ title, edit });

export const misses: readonly Miss[] = [
  // The order of upstreams in a pool affects only the state of the load balancing policy.
  miss('an upstream pool in another order', ['10.0.0.1:8080 10.0.0.2:8080', '10.0.0.2:8080 10.0.0.1:8080']),
  // Clients also support newer TLS versions, so allowing an older version has no effect on them.
  miss('an older allowed TLS version', ['blog.test {', 'blog.test {\n\ttls {\n\t\tprotocols tls1.2\n\t}']),
  // A comparison does not cover connections and their timeouts.
  miss('a short connection timeout', ['\tservers {', '\tservers {\n\t\ttimeouts {\n\t\t\tidle 1ms\n\t\t}']),
];
