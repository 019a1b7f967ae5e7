/** Generates random nginx configurations and requests from a seed. */
import type { Case, CaseRequest } from './cases.ts';

/** A seeded pseudorandom number generator (mulberry32). */
class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed, 0x9e3779b1) >>> 0;
  }

  /** Returns a number in the range [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)] as T;
  }

  upTo(count: number): number {
    return Math.floor(this.next() * (count + 1));
  }
}

const targets = [
  '/',
  '/?a=b',
  '/index.html',
  '/about',
  '/about.html',
  '/blog',
  '/blog?x=1&y=2',
  '/blog/',
  '/blog/post',
  '/blog/post.html',
  '/blog/nothing',
  '/css',
  '/css/app.css',
  '/css/app.css?v=3',
  '/img/',
  '/img/logo.png',
  '/img/logo.unknown',
  '/img/none.png',
  '/empty',
  '/empty/',
  '/empty/file.txt',
  '/admin',
  '/admin/',
  '/admin/users.html',
  '/private/doc.txt',
  '/private/',
  '/missing/',
  '/nothing',
  '/nothing/',
  '/nothing/deep.html',
  '/.env',
  '/.well-known/x.txt',
  '/a%20b.txt',
  '/%62log/',
  '/blog%2Fpost.html',
  '//blog//post.html',
  '/blog/../css/app.css',
  '/blog/./post.html',
  '/robots.txt',
  '/doc.txt',
  '/sub/deep.txt',
  '/index.php',
  '/info.php?a=1',
  '/Blog/',
  '/data.json',
  '/big.txt',
  '/percent%2541.txt',
  '/blogs',
  '/blog.html',
];

const paths = [
  '/blog/',
  '/blog',
  '/css/',
  '/img/',
  '/empty/',
  '/admin/',
  '/admin',
  '/private/',
  '/nothing',
  '/sub/',
  '/b',
];

const expressions = [
  String.raw`\.css$`,
  String.raw`\.(png|txt)$`,
  String.raw`^/blog/(.*)$`,
  String.raw`^/(admin|private)/`,
  String.raw`/\.`,
  String.raw`\.html$`,
  String.raw`^/(?!blog|css).+\.html$`,
  String.raw`^/(?<first>\w+)/(?<second>.*)$`,
  String.raw`\.php$`,
  '/$',
];

/** Context in which a directive is generated. */
interface Place {
  readonly random: Random;
  readonly kind: 'server' | 'location' | 'if';
  /** Path of a prefix location, or `null` in other contexts. */
  readonly prefix: string | null;
  /** Number of capture groups in the location's regular expression. */
  readonly groups: number;
}

type Write = (place: Place) => string;

const value: Write = ({ random, groups }) =>
  random.pick([
    'fixed',
    '$uri',
    '$request_uri',
    '$args',
    '$arg_a',
    '$http_x_custom',
    '$cookie_c',
    '$host',
    '$scheme',
    '$request_method',
    '$mapped',
    '$is_args$args',
    '$document_root',
    '$request_filename',
    '$http_x_none',
    '$sent_http_x_none',
    '$upstream_http_x_status',
    '$upstream_http_x_none',
    '$remote_addr',
    '$server_name',
    '$server_protocol',
    '$https',
    '$content_type',
    ...(groups > 0 ? ['$1', 'a$1b'] : []),
  ]);

/** Sluice handles errors with the client's original target, whereas rewrites may change the target in nginx. Such values are excluded. */
const plainValue: Write = (place) => {
  const text = value(place);
  return /\$(?:args|is_args|arg_a|request_method|request_filename)/.test(text) ? 'fixed' : text;
};

/** Directives that control responses, access and files. A context may contain any number of them. */
const modifiers: readonly Write[] = [
  (place) => `add_header X-Added "${value(place)}";`,
  (place) => `add_header X-Second "<${plainValue(place)}>" always;`,
  ({ random }) => `expires ${random.pick(['1h', 'max', 'off', '-1', 'epoch'])};`,
  ({ random }) => `default_type ${random.pick(['text/plain', 'application/octet-stream'])};`,
  ({ kind, random }) =>
    kind === 'if'
      ? ''
      : `index ${random.pick(['index.html', 'none.html post.html', 'file.txt index.html', 'index.php /about.html'])};`,
  ({ kind }) => (kind === 'if' ? '' : 'autoindex on;'),
  ({ kind, random }) =>
    kind === 'if' ? '' : random.pick(['deny all;', 'allow 127.0.0.1; deny all;', 'deny 10.0.0.0/8;']),
  ({ kind, random }) =>
    kind === 'if'
      ? ''
      : `error_page 404 ${random.pick(['/404.html', '=200 /404.html', '= /about.html', '=302 http://other.test/', '@named', '=418 /none.html'])};`,
  ({ kind, random }) =>
    kind === 'if' ? '' : `error_page 403 502 ${random.pick(['/403.html', '=200 /about.html', '@named'])};`,
  ({ kind }) => (kind === 'if' ? '' : 'auth_basic "area"; auth_basic_user_file users;'),
  // In nginx, server rewrites also apply to the auth_request subrequest. In Sluice, they do not.
  ({ kind, random }) => (kind === 'location' ? `auth_request ${random.pick(['/auth', '/auth-silent'])};` : ''),
  ({ kind }) => (kind === 'location' ? 'internal;' : ''),
  ({ kind }) => (kind === 'location' ? 'limit_except GET { deny all; }' : ''),
  (place) => (place.kind === 'if' ? '' : `proxy_set_header X-Custom "${value(place)}";`),
  (place) =>
    place.kind === 'if'
      ? ''
      : `proxy_set_header X-Twice "${value(place)}"; proxy_set_header x-twice "${value(place)}";`,
  ({ kind }) => (kind === 'if' ? '' : 'proxy_intercept_errors on;'),
  ({ kind }) => (kind === 'if' ? '' : 'proxy_hide_header X-Status;'),
  ({ kind }) => (kind === 'if' ? '' : 'absolute_redirect off;'),
  ({ kind }) => (kind === 'if' ? '' : 'satisfy any;'),
  ({ kind }) => (kind === 'if' ? '' : 'types { text/css css; text/html html; }'),
  ({ kind }) => (kind === 'if' ? '' : 'charset utf-8;'),
];

/** Directives of nginx's rewrite module. */
const scripts: readonly Write[] = [
  (place) => `set $one "${value(place)}"; add_header X-One $one;`,
  ({ random }) =>
    `rewrite ^/blog/(.*)$ /${random.pick(['css', 'blog', 'x'])}/$1${random.pick(['', ' last', ' break', ' redirect', ' permanent'])};`,
  ({ random }) =>
    `rewrite ^/nothing(.*)$ /about.html${random.pick(['', '?', '?q=$1', '?q=1&'])}${random.pick([' last', ' break', ''])};`,
  ({ random }) =>
    `rewrite ^ ${random.pick(['/index.html', '/about.html?', 'http://other.test$request_uri?'])}${random.pick([' break', ' redirect'])};`,
  (place) => `if ($arg_a = b) { ${inIf(place)} }`,
  (place) => `if ($request_method = POST) { ${inIf(place)} }`,
  (place) => `if (!-e $request_filename) { ${inIf(place)} }`,
  (place) => `if (-d $request_filename) { ${inIf(place)} }`,
  (place) => `if (-f $request_filename) { ${inIf(place)} }`,
  (place) => `if ($uri ~ ^/(blog|css)(.*)$) { ${inIf({ ...place, groups: 2 })} }`,
  (place) => `if ($http_x_custom) { ${inIf(place)} }`,
];

const returned: Write = (place) =>
  place.random.pick([
    'return 204;',
    'return 403;',
    'return 404;',
    'return 503;',
    `return 200 "[${value(place)}]";`,
    `return 201 "${value(place)} ${value(place)}";`,
    'return 301 /about.html;',
    'return 302 https://$host$request_uri;',
    'return 307 $scheme://other.test$uri;',
    'return 418;',
  ]);

function inIf(place: Place): string {
  const inner: Place = { ...place, kind: 'if' };
  if (place.kind === 'server' || place.random.chance(0.5))
    return place.random.chance(0.6) ? returned(inner) : 'rewrite ^ /about.html last;';
  return place.random.pick([
    `add_header X-If "${value(inner)}";`,
    'proxy_pass http://127.0.0.1:@two@;',
    'expires 1d;',
    'set $one changed;',
    'break;',
    'rewrite ^/blog/(.*)$ /css/$1 break;',
  ]);
}

/** Content handlers. A location has at most one. */
const contents: readonly Write[] = [
  returned,
  ({ random }) =>
    `try_files ${random.pick(['$uri', '$uri $uri/', '$uri $uri.html $uri/', '$uri/index.html $uri', '/none$uri $uri/'])} ${random.pick(['=404', '/index.html', '/about.html?$args', '@named', '/nothing/$uri', '=403', '/index.php?q=$uri'])};`,
  ({ prefix, random }) =>
    prefix === null
      ? 'proxy_pass http://127.0.0.1:@one@;'
      : `proxy_pass http://127.0.0.1:@one@${random.pick(['', '/', '/v1/', '/v1', '/status/404', '/redirect', '/status/500/', '/cookie', '/relative'])};`,
  () => 'proxy_pass http://127.0.0.1:@one@$request_uri;',
  () => 'proxy_pass http://backend;',
  () => 'proxy_pass http://127.0.0.1:@gone@;',
  ({ prefix, random }) =>
    prefix === null || prefix === '/'
      ? 'root @folder@/other;'
      : `alias @folder@/${random.pick(['www/', 'other/', 'www/blog/', 'www/blog', 'www/css', 'none/'])};`,
  ({ random }) => `root @folder@/${random.pick(['other', 'www', 'www/', 'none'])};`,
  () => 'root @folder@/other; try_files $uri $uri/ /index.html;',
];

function body(place: Place, depth: number): string {
  const { random } = place;
  const lines: string[] = [];
  const add = (write: Write): void => {
    const text = write(place);
    const [name] = text.split(' ');
    // Most directives may occur only once per context.
    const key = name === 'add_header' ? text.slice(0, 18) : `${name} `;
    const repeated = /^(?:set|if|rewrite|error_page|return|allow|deny)$/.test(name ?? '');
    if (text !== '' && (repeated || !lines.some((line) => line.startsWith(key) || line === text))) lines.push(text);
  };
  for (let i = random.upTo(3); i > 0; i--) add(random.pick(modifiers));
  if (random.chance(0.35)) add(random.pick(scripts));
  if (place.kind === 'location' && random.chance(0.85)) add(random.pick(contents));
  if (depth > 0 && !lines.some((line) => line.startsWith('limit_except')) && random.chance(0.2))
    lines.push(...locations(place, depth - 1, 2));
  // In nginx, the captures of a location are lost after another regular expression has been evaluated.
  const captured = lines.some((line) => /rewrite|\$uri ~/.test(line));
  const kept = captured
    ? lines.map((line) => (/^(?:rewrite|if)/.test(line) ? line : line.replaceAll('$1', 'one')))
    : lines;
  return kept.join('\n    ');
}

function locations(outer: Place, depth: number, max: number): string[] {
  const { random } = outer;
  const seen = new Set<string>();
  const list: string[] = [];
  for (let i = 1 + random.upTo(max - 1); i > 0; i--) {
    const regex = random.chance(0.35) || (outer.kind === 'location' && outer.prefix === null);
    const sign = regex ? random.pick(['~', '~', '~*']) : random.pick(['', '', '', '', '^~', '=']);
    const nested = outer.kind === 'location' && outer.prefix !== null;
    const prefix = nested
      ? `${outer.prefix}${random.pick(['post', '/', 'x/', 'app.css'])}`.replaceAll('//', '/')
      : random.pick(sign === '=' ? ['/', '/about', '/robots.txt', ...paths] : ['/', ...paths]);
    const text = regex ? random.pick(expressions) : prefix;
    const key = `${sign === '^~' ? '' : sign}${text}`;
    if (!regex && seen.has(key)) continue;
    seen.add(key);
    const groups = regex ? (text.match(/\((?!\?[:!])/g) ?? []).length : outer.groups;
    const place: Place = { random, kind: 'location', prefix: regex ? null : text, groups };
    list.push(`location ${sign} ${text} {\n    ${body(place, sign === '=' ? 0 : depth)}\n  }`);
  }
  return list;
}

/** Generates a configuration and requests for it. */
export function generateCase(seed: number): Case {
  const random = new Random(seed);
  const place: Place = { random, kind: 'server', prefix: null, groups: 0 };
  const own = body(place, 0);
  // In nginx, rewrite directives of the server also run for the auth_request subrequest. In Sluice, they do not.
  const scripted = /rewrite|if \(/.test(own);
  const root = random.chance(0.9) ? 'root @folder@/www;' : 'root @folder@/other/;';
  const text = `upstream backend { server 127.0.0.1:@one@; ${random.chance(0.5) ? 'keepalive 4; keepalive_timeout 30s;' : ''} }
map $http_x_custom $mapped { default ${random.pick(['none', '""', '$host'])}; ~^v(.*)$ "is-$1"; value known; }
server {
  listen 127.0.0.1:@main@;
  server_name first.test;
  ${root}
  ${random.chance(0.5) ? 'include mime.types;' : ''}
  ${own}
  ${random.chance(0.06) ? 'try_files $uri $uri/ =404;' : ''}
  location = /auth { internal; proxy_pass http://127.0.0.1:@one@/check; proxy_pass_request_body off; proxy_set_header Content-Length ""; }
  location = /auth-silent { internal; proxy_pass http://127.0.0.1:@one@/silent; proxy_pass_request_body off; proxy_set_header Content-Length ""; }
  location @named { ${random.pick(['return 200 named;', 'root @folder@/other;', 'proxy_pass http://127.0.0.1:@two@;', 'try_files /about.html =404;'])} }
  ${locations(place, 1, 5).join('\n  ')}
}
${random.chance(0.3) ? `server { listen 127.0.0.1:@main@; server_name second.test *.wild.test; root @folder@/other; ${body(place, 0)} }` : ''}
`;
  // Removes headers that an `if` adds before a `return`, because they do not apply to that `return`.
  const plain = text.replaceAll(/(?:add_header X-If|expires 1d)[^;]*;(?= \}[^}]*return )/g, '');
  const clean = scripted ? plain.replaceAll(/ *auth_request [^;]*;/g, '') : plain;
  return { name: `random-${seed}`, text: clean, requests: Array.from({ length: 12 }, () => requestOf(random)) };
}

function requestOf(random: Random): CaseRequest {
  const method = random.pick(['GET', 'GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'DELETE']);
  const target = random.pick(targets);
  const headers: Record<string, string> = {
    ...(random.chance(0.15) ? { Host: random.pick(['first.test', 'second.test', 'a.wild.test']) } : {}),
    ...(random.chance(0.2) ? { 'X-Custom': random.pick(['value', 'v12', 'other', 'a b']) } : {}),
    ...(random.chance(0.2) ? { 'X-Token': random.pick(['good', 'bad']) } : {}),
    ...(random.chance(0.2)
      ? { Authorization: `Basic ${Buffer.from(random.pick(['ann:secret', 'ann:wrong'])).toString('base64')}` }
      : {}),
    ...(random.chance(0.1) ? { Cookie: 'c=1; d=2' } : {}),
  };
  const fields = Object.entries(headers).map(([name, text]) => ` | ${name}: ${text}`);
  return {
    source: `${method} ${target}${fields.join('')}`,
    method,
    target,
    headers,
    port: 'main',
    body: method === 'POST' ? 3 : 0,
    sni: null,
    client: '',
    tls: 'TLSv1.3',
    http2: false,
  };
}
