import { expect } from 'chai';
import { annotationTable, type AnnotationName } from '../../../src/kubernetes/ingress/annotations/table.ts';
import { configMap, ingress, secret } from './objects.ts';
import { translate, type TestObjects } from './translate.ts';

interface Case {
  readonly value: string;
  readonly with?: Partial<Record<AnnotationName, string>>;
  /** Strings that the HTTP configuration must contain. */
  readonly has?: readonly string[];
  readonly hasNot?: readonly string[];
  /** Strings that the HTTPS configuration must contain. */
  readonly httpsHas?: readonly string[];
  readonly warns?: RegExp;
  readonly path?: string;
  readonly objects?: Partial<TestObjects>;
}

const pem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
const authority = { secrets: [secret('ca', { 'ca.crt': pem })] };
const users = { secrets: [secret('users', { auth: 'ada:$apr1$lZL6V/ci$PR6QJXkRFUzdUuaYcwrI//\n' })] };
const basic = { 'auth-type': 'basic', 'auth-secret': 'users' } as const;
const canary = (annotations: Partial<Record<AnnotationName, string>>): Partial<TestObjects> => ({
  ingresses: [
    ingress('main'),
    ingress('canary', {
      paths: [{ service: 'other' }],
      annotations: { canary: 'true', ...annotations },
      created: '2026-02-01T00:00:00Z',
    }),
  ],
});
const twoEndpoints: Partial<TestObjects> = {
  ingresses: [],
  slices: [
    {
      metadata: { name: 'app-2', namespace: 'web', labels: { 'kubernetes.io/service-name': 'app' } },
      ports: [{ name: 'http', port: 8080 }],
      endpoints: [{ addresses: ['10.0.0.9'] }],
    },
  ],
};
const unsupported = (value = 'true'): Case => ({ value, warns: /not supported/ });
const ignored = (value: string): Case => ({ value, has: ['"dial":"10.0.0.1:8080"'] });
const snippets = { settings: { allowSnippets: true } };

/** One test case for each annotation. The type checker reports annotations without a test case. */
const cases: Readonly<Record<AnnotationName, Case>> = {
  affinity: {
    value: 'cookie',
    has: ['"selection_policy":{"policy":"cookie","name":"INGRESSCOOKIE"'],
    objects: twoEndpoints,
  },
  'affinity-canary-behavior': unsupported('legacy'),
  'affinity-mode': {
    value: 'persistent',
    with: { affinity: 'cookie' },
    has: ['"policy":"cookie"'],
    objects: twoEndpoints,
  },
  'allowlist-source-range': {
    value: '10.0.0.0/8',
    has: ['"not":[{"client_ip":{"ranges":["10.0.0.0/8"]}}]', '"status_code":403'],
  },
  'app-root': {
    value: '/app',
    has: [
      '"vars":{"{http.request.uri.path}":["/"]}',
      '"status_code":302',
      '{http.request.scheme}://{http.request.hostport}/app',
    ],
  },
  'auth-always-set-cookie': unsupported(),
  'auth-keepalive': ignored('10'),
  'enable-influxdb': unsupported(),
  'global-rate-limit-ignored-cidrs': unsupported('10.0.0.0/8'),
  'global-rate-limit-key': unsupported('$remote_addr'),
  'global-rate-limit-window': unsupported('1m'),
  'opentelemetry-operation-name': {
    value: '$request_method $host',
    with: { 'enable-opentelemetry': 'true' },
    has: ['"span":"{http.request.orig_method} {http.request.host}"'],
  },
  'opentracing-trust-incoming-span': { value: 'false', has: ['10.0.0.1'], warns: /always trusted/ },
  'secure-backends': { value: 'true', has: ['"tls":{"insecure_skip_verify":true}'] },
  'upstream-hash-by-subset-size': unsupported('3'),
  'auth-cache-duration': unsupported('200 5m'),
  'auth-cache-key': unsupported('$remote_user'),
  'auth-method': {
    value: 'POST',
    with: { 'auth-url': 'http://auth.test/check' },
    has: ['"rewrite":{"method":"POST","uri":"/check"}'],
  },
  'auth-proxy-set-headers': {
    value: 'fields',
    with: { 'auth-url': 'http://auth.test/' },
    has: ['"X-Team":["web {http.request.host}"]'],
    objects: { configMaps: [configMap('fields', { 'X-Team': 'web $host' })] },
  },
  'auth-realm': {
    value: 'Staff {env.HOME}',
    with: basic,
    has: [String.raw`"realm":"Staff \\{env.HOME\\}"`],
    objects: users,
  },
  'auth-request-redirect': {
    value: '/welcome',
    with: { 'auth-url': 'http://auth.test/' },
    has: ['"X-Auth-Request-Redirect":["/welcome"]'],
  },
  'auth-response-headers': {
    value: 'X-User, X-Email',
    with: { 'auth-url': 'http://auth.test/' },
    has: ['"request":{"delete":["X-User","X-Email"]}', '"X-User":["{http.reverse_proxy.header.X-User}"]'],
  },
  'auth-secret': {
    value: 'users',
    with: { 'auth-type': 'basic' },
    has: ['"accounts":[{"username":"ada"', '"hash":{"algorithm":"htpasswd"}'],
    objects: users,
  },
  'auth-secret-type': {
    value: 'auth-map',
    with: basic,
    has: ['"username":"grace"'],
    objects: { secrets: [secret('users', { grace: '{SHA}5en6G6MezRroT3XKqkdPOmY/BfQ=' })] },
  },
  'auth-signin': {
    value: 'https://login.test/start',
    with: { 'auth-url': 'http://auth.test/' },
    has: [
      '"Location":["https://login.test/start?rd={http.request.scheme}://{http.request.hostport}{http.request.uri_escaped}"]',
    ],
  },
  'auth-signin-redirect-param': {
    value: 'next',
    with: { 'auth-url': 'http://auth.test/', 'auth-signin': 'https://login.test/?a=1' },
    has: ['https://login.test/?a=1&next='],
  },
  'auth-snippet': {
    value: 'proxy_set_header Foo "a b";',
    with: { 'auth-url': 'http://auth.test/' },
    has: ['"Foo":["a b"]'],
    objects: snippets,
  },
  'auth-tls-error-page': unsupported('https://a.test/error'),
  'auth-tls-match-cn': {
    value: 'CN=client',
    with: { 'auth-tls-secret': 'web/ca' },
    httpsHas: ['"{http.request.tls.client.subject}":{"pattern":"(?:^|,)CN=client"}'],
    objects: authority,
  },
  'auth-tls-pass-certificate-to-upstream': {
    value: 'true',
    with: { 'auth-tls-secret': 'ca' },
    httpsHas: ['"ssl-client-cert":["{http.request.tls.client.certificate_pem}"]'],
    objects: authority,
  },
  'auth-tls-secret': {
    value: 'web/ca',
    httpsHas: [
      '"client_authentication":{"mode":"request","ca":{"provider":"inline","trusted_ca_certs":["AAAA"]}}',
      '"{http.request.tls.client.verify}":["SUCCESS"]',
      '"ssl-client-verify"',
      '"delete":["ssl-client-cert"]',
    ],
    objects: authority,
  },
  'auth-tls-verify-client': {
    value: 'optional',
    with: { 'auth-tls-secret': 'ca' },
    httpsHas: ['"{http.request.tls.client.verify}":["SUCCESS","NONE",""]'],
    objects: authority,
  },
  'auth-tls-verify-depth': unsupported('2'),
  'auth-type': { value: 'digest', has: ['"status_code":503'], hasNot: ['10.0.0.1'], warns: /rejected.*auth-type/ },
  'auth-url': {
    value: 'http://auth.web.svc:8080/check?a=1',
    has: ['"dial":"auth.web.svc:8080"', '"uri":"/check?a=1"', '"Host":["auth.web.svc:8080"]', '"status_code":[401]'],
  },
  'backend-protocol': {
    value: 'GRPCS',
    has: ['"transport":{"protocol":"http","tls":{"insecure_skip_verify":true},"versions":["2"]}'],
  },
  canary: { value: 'true', hasNot: ['10.0.0.1'], warns: /no other Ingress has the path a.test\// },
  'canary-by-cookie': {
    value: '',
    has: ['"{http.request.cookie.beta}":["always"]', '"{http.request.cookie.beta}":["never"]', '10.0.0.2'],
    objects: canary({ 'canary-by-cookie': 'beta' }),
  },
  'canary-by-header': {
    value: '',
    has: ['"{http.request.header.X-Beta}":["always"]', '"{http.request.header.X-Beta}":["never"]'],
    objects: canary({ 'canary-by-header': 'X-Beta' }),
  },
  'canary-by-header-pattern': {
    value: '',
    has: ['"header_regexp":{"X-Beta":{"pattern":"^yes$"}}'],
    objects: canary({ 'canary-by-header': 'X-Beta', 'canary-by-header-pattern': '^yes$' }),
  },
  'canary-by-header-value': {
    value: '',
    has: ['"{http.request.header.X-Beta}":["team"]'],
    hasNot: ['never'],
    objects: canary({ 'canary-by-header': 'X-Beta', 'canary-by-header-value': 'team' }),
  },
  'canary-weight': {
    value: '',
    has: ['"{http.request.uuid}":{"pattern":"^(?:[0123])"}'],
    objects: canary({ 'canary-weight': '25' }),
  },
  'canary-weight-total': {
    value: '',
    has: ['"{http.request.uuid}":{"pattern":"^(?:[01234567])"}'],
    objects: canary({ 'canary-weight': '500', 'canary-weight-total': '1000' }),
  },
  'client-body-buffer-size': ignored('1m'),
  'configuration-snippet': { value: 'proxy_set_header X-A b;', warns: /snippets are disabled/, has: ['10.0.0.1'] },
  'connection-proxy-header': { value: 'close', has: ['"keep_alive":{"enabled":false}'] },
  'cors-allow-credentials': {
    value: 'false',
    with: { 'enable-cors': 'true' },
    has: ['"Access-Control-Allow-Origin"'],
    hasNot: ['Allow-Credentials'],
  },
  'cors-allow-headers': {
    value: 'X-A, X-B',
    with: { 'enable-cors': 'true' },
    has: ['"Access-Control-Allow-Headers":["X-A, X-B"]'],
  },
  'cors-allow-methods': {
    value: 'GET',
    with: { 'enable-cors': 'true' },
    has: ['"Access-Control-Allow-Methods":["GET"]'],
  },
  'cors-allow-origin': {
    value: 'https://*.b.test',
    with: { 'enable-cors': 'true' },
    has: [String.raw`"Origin":{"pattern":"^(?:(?i)https://[^./]+\\.b\\.test)$"}`],
  },
  'cors-expose-headers': {
    value: 'X-A',
    with: { 'enable-cors': 'true' },
    has: ['"Access-Control-Expose-Headers":["X-A"]'],
  },
  'cors-max-age': { value: '60', with: { 'enable-cors': 'true' }, has: ['"Access-Control-Max-Age":["60"]'] },
  'custom-headers': {
    value: 'fields',
    has: ['"response":{"set":{"X-Frame":["deny"]},"deferred":true}'],
    objects: { configMaps: [configMap('fields', { 'X-Frame': 'deny' })] },
  },
  'custom-http-errors': {
    value: '404,503',
    with: { 'default-backend': 'errors' },
    has: [
      '"handle_response":[{"match":{"status_code":[404,503]}',
      '"dial":"10.0.0.3:8080"',
      '"X-Code":["{http.reverse_proxy.status_code}"]',
    ],
  },
  'default-backend': {
    value: 'errors',
    path: 'empty',
    has: ['"dial":"10.0.0.3:8080"'],
    objects: { services: [{ metadata: { name: 'empty', namespace: 'web' }, spec: { ports: [{ port: 80 }] } }] },
  },
  'denylist-source-range': {
    value: '192.0.2.1',
    has: ['"match":[{"client_ip":{"ranges":["192.0.2.1"]}}]', '"status_code":403'],
  },
  'disable-proxy-intercept-errors': {
    value: 'true',
    with: { 'custom-http-errors': '404', 'default-backend': 'errors' },
    hasNot: ['handle_response'],
  },
  'enable-access-log': { value: 'false', has: ['"handler":"vars","log_skip":true'] },
  'enable-cors': {
    value: 'true',
    has: ['"Access-Control-Allow-Origin":["*"]', '"Access-Control-Allow-Credentials":["true"]', '"status_code":204'],
  },
  'enable-global-auth': ignored('false'),
  'enable-modsecurity': unsupported(),
  'enable-opentelemetry': { value: 'true', has: ['"handler":"tracing"'] },
  'enable-opentracing': { value: 'true', has: ['"handler":"tracing"'] },
  'enable-owasp-core-rules': unsupported(),
  'enable-rewrite-log': unsupported(),
  'fastcgi-index': {
    value: 'index.php',
    with: { 'backend-protocol': 'FCGI' },
    has: ['"path_regexp":[{"find":"/$","replace":"/index.php"}]'],
  },
  'fastcgi-params-configmap': {
    value: 'params',
    with: { 'backend-protocol': 'FCGI' },
    has: ['"protocol":"fastcgi","root":"/srv","env":{"APP":"shop"}'],
    objects: { configMaps: [configMap('params', { SCRIPT_FILENAME: '/srv$fastcgi_script_name', APP: 'shop' })] },
  },
  'force-ssl-redirect': { value: 'true', has: ['"status_code":308', 'https://{http.request.host}{http.request.uri}'] },
  'from-to-www-redirect': {
    value: 'true',
    has: ['"host":["www.a.test"]', '"Location":["http://a.test{http.request.uri}"]'],
  },
  'global-rate-limit': unsupported('100'),
  'http2-push-preload': ignored('true'),
  'limit-burst-multiplier': { value: '2', with: { 'limit-rps': '10' }, has: ['"window":"2s","max_events":20'] },
  'limit-connections': {
    value: '10',
    has: ['"name":"ingress web/i limit-connections","key":"{http.vars.client_ip}","max":10'],
  },
  'limit-rate': unsupported('100'),
  'limit-rate-after': unsupported('100'),
  'limit-rpm': { value: '30', has: ['"window":"5m","max_events":150'] },
  'limit-rps': {
    value: '10',
    has: ['"ingress web/i limit-rps":{"key":"{http.vars.client_ip}","window":"5s","max_events":50}'],
  },
  'limit-whitelist': {
    value: '10.0.0.0/8',
    with: { 'limit-rps': '10' },
    has: ['"match":[{"not":[{"client_ip":{"ranges":["10.0.0.0/8"]}}]}]'],
  },
  'load-balance': { value: 'ewma', has: ['"selection_policy":{"policy":"least_conn"}'], objects: twoEndpoints },
  'mirror-host': {
    value: 'x-$host',
    with: { 'mirror-target': 'http://b.test' },
    has: ['"Host":["x-{http.request.host}"]', '"rewrite":{"uri":"{http.request.orig_uri}"}'],
  },
  'mirror-request-body': {
    value: 'off',
    with: { 'mirror-target': 'http://b.test/x' },
    has: ['"max_body_size":0', '"rewrite":{"uri":"/x"}'],
    warns: /with a body/,
  },
  'mirror-target': {
    value: 'https://b.test:8443/m$request_uri',
    has: [
      '{"handler":"mirror","upstreams":[{"dial":"b.test:8443"}],"transport":{"protocol":"http","tls":{}},' +
        '"headers":{"request":{"set":{"Host":["b.test:8443"]}}},"rewrite":{"uri":"/m{http.request.orig_uri}"}},' +
        '{"handler":"reverse_proxy"',
    ],
  },
  'modsecurity-snippet': unsupported('SecRuleEngine On'),
  'modsecurity-transaction-id': unsupported('$request_id'),
  'opentelemetry-trust-incoming-span': {
    value: 'false',
    with: { 'enable-opentelemetry': 'true' },
    has: ['"handler":"tracing"'],
    warns: /always trusted/,
  },
  'permanent-redirect': {
    value: 'https://b.test$request_uri',
    has: ['"status_code":301', '"Location":["https://b.test{http.request.orig_uri}"]'],
    hasNot: ['10.0.0.1'],
  },
  'permanent-redirect-code': {
    value: '308',
    with: { 'permanent-redirect': 'https://b.test' },
    has: ['"status_code":308'],
  },
  'preserve-trailing-slash': ignored('true'),
  'proxy-body-size': { value: '8m', has: ['"handler":"request_body","max_size":8388608'] },
  'proxy-buffer-size': ignored('8k'),
  'proxy-buffering': { value: 'off', has: ['"flush_interval":-1'] },
  'proxy-buffers-number': ignored('8'),
  'proxy-busy-buffers-size': ignored('16k'),
  'proxy-connect-timeout': { value: '2', has: ['"dial_timeout":"2s"'] },
  'proxy-cookie-domain': {
    value: 'old.test new.test',
    has: [String.raw`"search_regexp":"(?i)(;\\s*Domain=)old\\.test","replace":"${'${1}'}new.test"`],
  },
  'proxy-cookie-path': { value: '/old /new', has: [String.raw`"search_regexp":"(?i)(;\\s*Path=)/old"`] },
  'proxy-http-version': { value: '1.0', has: ['"versions":["1.1"]'], warns: /HTTP\/1.0 is not supported/ },
  'proxy-max-temp-file-size': ignored('0'),
  'proxy-next-upstream': { value: 'off', hasNot: ['retries'], has: ['10.0.0.9'], objects: twoEndpoints },
  'proxy-next-upstream-timeout': { value: '7', has: ['"try_duration":"7s"'], objects: twoEndpoints },
  'proxy-next-upstream-tries': { value: '5', has: ['"retries":4'], objects: twoEndpoints },
  'proxy-read-timeout': { value: '120', has: ['"read_timeout":"120s"'] },
  'proxy-redirect-from': {
    value: 'http://app/',
    with: { 'proxy-redirect-to': '/x/' },
    has: ['"Location":[{"search_regexp":"^http://app/","replace":"/x/"}]'],
  },
  'proxy-redirect-to': {
    value: '$scheme://$host/',
    with: { 'proxy-redirect-from': 'http://app/' },
    has: ['"replace":"{http.request.scheme}://{http.request.host}/"'],
  },
  'proxy-request-buffering': { value: 'on', has: ['"request_buffers":1048576'] },
  'proxy-send-timeout': { value: '30', has: ['"write_timeout":"30s"'] },
  'proxy-ssl-ciphers': unsupported('HIGH'),
  'proxy-ssl-name': { value: 'app.test', with: { 'backend-protocol': 'HTTPS' }, has: ['"server_name":"app.test"'] },
  'proxy-ssl-protocols': unsupported('TLSv1.3'),
  'proxy-ssl-secret': {
    value: 'web/ca',
    with: { 'backend-protocol': 'HTTPS' },
    has: ['"ca":{"provider":"inline","trusted_ca_certs":["AAAA"]}'],
    objects: authority,
  },
  'proxy-ssl-server-name': ignored('on'),
  'proxy-ssl-verify': {
    value: 'on',
    with: { 'backend-protocol': 'HTTPS' },
    has: ['"tls":{}'],
    hasNot: ['insecure_skip_verify'],
  },
  'proxy-ssl-verify-depth': unsupported('2'),
  'relative-redirects': { value: 'true', with: { 'app-root': '/app' }, has: ['"Location":["/app"]'] },
  'rewrite-target': {
    value: '/$2',
    path: '/api(/|$)(.*)',
    has: [
      '"path_regexp":[{"find":"(?is)^/api(/|$)(.*).*$","replace":"/$\\\\{2\\\\}"}]',
      '"path_regexp":{"pattern":"(?i)^/api(/|$)(.*)"}',
    ],
  },
  satisfy: {
    value: 'any',
    with: { ...basic, 'whitelist-source-range': '10.0.0.0/8' },
    has: [
      '"routes":[{"match":[{"not":[{"client_ip":{"ranges":["10.0.0.0/8"]}}]}],"handle":[{"handler":"authentication"',
    ],
    hasNot: ['"status_code":403'],
    objects: users,
  },
  'server-alias': { value: 'b.test, *.c.test', has: ['"host":["b.test"]', '"host":["*.c.test"]'] },
  'server-snippet': { value: 'return 403;', warns: /snippets are disabled/, has: ['10.0.0.1'] },
  'service-upstream': {
    value: 'true',
    path: 'cluster',
    has: ['"dial":"10.96.0.7:80"'],
    objects: {
      services: [
        { metadata: { name: 'cluster', namespace: 'web' }, spec: { clusterIP: '10.96.0.7', ports: [{ port: 80 }] } },
      ],
    },
  },
  'session-cookie-change-on-failure': ignored('true'),
  'session-cookie-conditional-samesite-none': unsupported(),
  'session-cookie-domain': {
    value: 'a.test',
    with: { affinity: 'cookie' },
    has: ['Domain=a.test'],
    objects: twoEndpoints,
  },
  'session-cookie-expires': {
    value: '3600',
    with: { affinity: 'cookie' },
    has: ['"max_age":"3600s"'],
    objects: twoEndpoints,
  },
  'session-cookie-max-age': {
    value: '60',
    with: { affinity: 'cookie', 'session-cookie-expires': '3600' },
    has: ['"max_age":"60s"'],
    objects: twoEndpoints,
  },
  'session-cookie-name': {
    value: 'route',
    with: { affinity: 'cookie' },
    has: ['"policy":"cookie","name":"route"'],
    objects: twoEndpoints,
  },
  'session-cookie-path': { value: '/shop', with: { affinity: 'cookie' }, has: ['Path=/shop'], objects: twoEndpoints },
  'session-cookie-samesite': {
    value: 'Strict',
    with: { affinity: 'cookie' },
    has: ['SameSite=Strict'],
    objects: twoEndpoints,
  },
  'session-cookie-secure': {
    value: 'true',
    with: { affinity: 'cookie' },
    has: ['${1}; Secure'],
    objects: twoEndpoints,
  },
  'ssl-ciphers': {
    value: 'ECDHE-RSA-AES128-GCM-SHA256:RC4-SHA',
    with: { 'auth-tls-secret': 'ca' },
    httpsHas: ['"cipher_suites":["TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"]'],
    warns: /are ignored: RC4-SHA/,
    objects: authority,
  },
  'ssl-passthrough': unsupported(),
  'ssl-prefer-server-ciphers': ignored('true'),
  'ssl-redirect': { value: 'false', hasNot: ['"status_code":308'], objects: { ingresses: [] } },
  'stream-snippet': unsupported('server {}'),
  'temporal-redirect': { value: 'https://b.test', has: ['"status_code":302', '"Location":["https://b.test"]'] },
  'temporal-redirect-code': {
    value: '307',
    with: { 'temporal-redirect': 'https://b.test' },
    has: ['"status_code":307'],
  },
  'upstream-hash-by': {
    value: '$http_x_user',
    has: ['"selection_policy":{"policy":"header","field":"x-user"}'],
    objects: twoEndpoints,
  },
  'upstream-hash-by-subset': unsupported(),
  'upstream-vhost': { value: 'internal.test', has: ['"request":{"set":{"Host":["internal.test"]}}'] },
  'use-regex': { value: 'true', path: '/a\\d+', has: [String.raw`"path_regexp":{"pattern":"(?i)^/a\\d+"}`] },
  'whitelist-source-range': {
    value: '10.0.0.0/24,172.10.0.1',
    has: ['"ranges":["10.0.0.0/24","172.10.0.1"]', '"status_code":403'],
  },
  'x-forwarded-prefix': { value: '/shop', has: ['"X-Forwarded-Prefix":["/shop"]'] },
};

describe('Ingress annotations', () => {
  for (const [name, each] of Object.entries(cases) as [AnnotationName, Case][])
    it(`the Ingress annotation ${name} is converted to its equivalent in the annotation table`, async () => {
      const { value, path = '/' } = each;
      const isPath = path.startsWith('/');
      const own = ingress('i', {
        paths: [isPath ? { path, type: 'ImplementationSpecific' } : { service: path }],
        annotations: { ...each.with, ...(value === '' ? {} : { [name]: value }) },
        ...(name === 'ssl-redirect' ? { spec: { tls: [{ hosts: ['a.test'] }] } } : {}),
      });
      const { ingresses = [], ...objects } = each.objects ?? {};
      const { http, https, warnings } = await translate({ ...objects, ingresses: value === '' ? ingresses : [own] });
      for (const text of each.has ?? []) expect(http).to.include(text);
      for (const text of each.hasNot ?? []) expect(http).not.to.include(text);
      for (const text of each.httpsHas ?? []) expect(https).to.include(text);
      const text = warnings.join('\n');
      if (each.warns === undefined) expect(text).to.equal('');
      else expect(text).to.match(each.warns);
      if (annotationTable[name].support === 'no') expect(text).to.include(annotationTable[name].counterpart);
    });

  it('an unknown Ingress annotation causes a warning', async () => {
    const { warnings } = await translate({ ingresses: [ingress('i', { annotations: { 'rewrite-targt': '/' } })] });
    expect(warnings).to.deep.equal(['rewrite-targt: unknown annotation']);
  });

  it('unsupported Ingress annotations cause no warning if their value disables the feature', async () => {
    const annotations = { 'enable-modsecurity': 'false', 'ssl-passthrough': 'false' };
    expect((await translate({ ingresses: [ingress('i', { annotations })] })).warnings).to.deep.equal([]);
  });
});
