/**
 * Adapts an nginx configuration from another machine to this machine. Replaces addresses, directories, upstreams and certificates with
 * those of the test site. The routing does not change.
 */
import type { Case, CaseRequest } from './cases.ts';

/** Directives that are machine-specific, or that docs/reference/nginx.md documents as unsupported. */
const dropped = [
  'access_log error_log log_format user pid worker_\\w+ load_module resolver\\w* daemon lock_file thread_pool',
  'ssl ssl_(?!verify_client)\\w+ http2 http3 quic_\\w+ server_tokens server_names_hash\\w* types_hash\\w* variables_hash\\w*',
  '(?:proxy|fastcgi|uwsgi)_(?:no_)?cache\\w* (?:proxy|fastcgi)_temp_path client_body_temp_path limit_\\w+ add_trailer',
  'proxy_ssl_\\w+ set_real_ip_from real_ip_\\w+ auth_delay expires_active open_file_cache\\w* aio stub_status',
].join(' ');
const drop = new RegExp(String.raw`(^|[;{}\s])(?:${dropped.split(' ').join('|')})\s[^;{}]*;`, 'g');

/** Requests that are sent for every configuration. */
const defaultRequests = [
  'GET /',
  'GET /?a=b',
  'HEAD /',
  'POST /',
  'GET /blog',
  'GET /blog/',
  'GET /blog/post.html',
  'GET /about.html',
  'GET /about',
  'GET /.env',
  'GET /.well-known/x.txt',
  'GET /nothing',
  'GET /nothing/deep.html',
  'GET /nothing.png',
  'GET /a%20b.txt',
  'GET /%62log/',
  'GET //blog//post.html',
  'GET /index.php',
  'GET /index.php?a=b',
  'GET /info.php',
  'GET /none.php',
  'GET /css/app.css',
  'GET /img/',
  'GET /img/logo.png',
  'GET /data.json',
  'GET /robots.txt',
  'GET /favicon.ico',
  'DELETE /about.html',
];

/** Returns the content of the `http` block in a configuration, or otherwise the whole text. Adds a `server` block if there is none. */
function contentOf(text: string): string {
  const start = /(?:^|[\s;}])http\s*\{/.exec(text);
  const before = start === null ? '' : text.slice(0, start.index);
  const content = start === null ? text : block(text, start.index + start[0].length);
  const rest = content.replaceAll(/(?:^|\s)events\s*\{[^}]*\}/g, ' ');
  const kept = before.replaceAll(/(?:^|\s)events\s*\{[^}]*\}/g, ' ');
  return /(?:^|[\s;}])server\s*\{/.test(rest) ? kept + rest : `${kept}\nserver {\nroot /srv;\n${rest}\n}`;
}

function block(text: string, from: number): string {
  let depth = 1;
  let at = from;
  for (; at < text.length && depth > 0; at++) depth += text[at] === '{' ? 1 : text[at] === '}' ? -1 : 0;
  return text.slice(from, at - 1);
}

/** Adapts a configuration to the test site. Include files are in the directory of the configuration. */
export function tame(name: string, source: string): Case {
  const bare = source.replaceAll(/(^|[\s;{}])#.*$/gm, '$1');
  let text = contentOf(bare);
  for (let before = ''; before !== text;) {
    before = text;
    text = text.replaceAll(drop, '$1');
  }
  const groups = new Set([...text.matchAll(/(?:^|[\s;}])upstream\s+(\S+)\s*\{/g)].map(([, group = '']) => group));
  text = text
    .replaceAll(/(^|[\s;{}])listen\s+([^;]*);/g, (_, before: string, address: string) => before + listen(address))
    .replaceAll(/(^|[\s;}])server\s*\{(?![^{}]*listen )/g, '$1server { listen 127.0.0.1:@main@;')
    .replaceAll(/(^|[\s;{}])root\s+([^;$]*|"[^;$]*");/g, '$1root @folder@/www;')
    .replaceAll(/(^|[\s;{}])alias\s+[^;$]*?(\/?);/g, '$1alias @folder@/other$2;')
    .replaceAll(/(^|[\s;{}])set\s+\$(\w*(?:root|public|folder|dir)\w*)\s+["']?\/[^;]*;/gi, '$1set $$$2 @folder@/www;')
    .replaceAll(/(^|[\s;{}])set\s+\$upstream_app\s+[^;]*;/g, '$1set $$upstream_app 127.0.0.1;')
    .replaceAll(/(^|[\s;{}])set\s+\$upstream_port\s+[^;]*;/g, '$1set $$upstream_port @one@;')
    .replaceAll(/(^|[\s;{}])set\s+\$upstream_proto\s+[^;]*;/g, '$1set $$upstream_proto http;')
    .replaceAll(/(^|[\s;{}])auth_basic_user_file\s+[^;]*;/g, '$1auth_basic_user_file users;')
    .replaceAll(/(^|[\s;{}])fastcgi_pass\s+([^;]*);/g, (all: string, before: string, to: string) =>
      groups.has(to.trim()) ? all : `${before}fastcgi_pass 127.0.0.1:@php@;`,
    )
    .replaceAll(/(^|[\s;{}])proxy_pass\s+["']?https?:\/\/([^/;$\s"']+)/g, (_, before: string, host: string) =>
      groups.has(host) ? `${before}proxy_pass http://${host}` : `${before}proxy_pass http://127.0.0.1:@one@`,
    )
    .replaceAll(/proxy_pass\s+["']?https:/g, 'proxy_pass http:');
  const isPhp = (group: string): boolean => new RegExp(String.raw`fastcgi_pass\s+${group}\s*;`).test(text);
  text = text.replaceAll(
    /((?:^|[\s;}])upstream\s+(\S+)\s*\{)([^}]*)\}/g,
    (_, head: string, group: string, rest: string) => {
      let count = 0;
      const port = (): string => (isPhp(group) ? '@php@' : count++ === 0 ? '@one@' : '@two@');
      return `${head}${rest.replaceAll(/(^|[\s;])server\s+\S+?(\s[^;]*)?;/g, (_all, before: string, more = '') => `${before}server 127.0.0.1:${port()}${String(more)};`)}}`;
    },
  );
  // Absolute includes are resolved in the same directory as relative includes.
  text = text.replaceAll(
    /include\s+["']?\/(?!\S*(?:mime\.types|fastcgi_params|fastcgi\.conf))([^\s;"']+)["']?\s*;/g,
    'include $1;',
  );
  text = text.replaceAll(/include\s+\S*?(mime\.types|fastcgi_params|fastcgi\.conf)\S*?;/g, 'include /etc/nginx/$1;');
  // After the addresses are merged, several servers on one address may be marked as the default.
  let defaults = 0;
  text = text.replaceAll(/ default_server;/g, () => (defaults++ === 0 ? ' default_server;' : ';'));
  return { name, text, requests: requestsOf(text) };
}

function listen(address: string): string {
  if (/^\[|^unix:/.test(address) || /quic/.test(address)) return '';
  const tls = /\bssl\b|443/.test(address);
  return `listen 127.0.0.1:@${tls ? 'second' : 'main'}@${/\bdefault(?:_server)?\b/.test(address) ? ' default_server' : ''};`;
}

function requestsOf(text: string): CaseRequest[] {
  const prefixes = [...text.matchAll(/location\s+(?:=|\^~)?\s*["']?(\/[\w./-]*)["']?\s*\{/g)].map(
    ([, path = '']) => path,
  );
  const own = [...new Set(prefixes)]
    .slice(0, 25)
    .flatMap((path) => [`GET ${path}`, `GET ${path.replace(/\/$/, '')}/x.html`, `GET ${path.replace(/\/$/, '')}/`]);
  const hosts = [...text.matchAll(/server_name\s+([^;]*);/g)]
    .flatMap(([, names = '']) => names.trim().split(/\s+/))
    .filter((host) => /^[\w-][\w.-]*\w(?:\.\*)?$/.test(host))
    .map((host) => host.replace('.*', '.test'));
  const ports = ['main', 'second'].filter((port) => text.includes(`@${port}@`) && /listen/.test(text));
  const many = [...new Set(['', ...hosts])].slice(0, 4);
  return ports.flatMap((port) =>
    many.flatMap((host, i) =>
      [
        ...new Set([...defaultRequests.slice(0, i === 0 || ports.length * many.length < 5 ? undefined : 10), ...own]),
      ].map((line) => {
        const [method = 'GET', target = '/'] = line.split(' ');
        const headers: Record<string, string> = host === '' ? {} : { Host: host };
        return {
          source: `${line} on ${port} for ${host}`,
          method,
          target,
          headers,
          port,
          body: 0,
          sni: null,
          client: '',
          tls: 'TLSv1.3',
          http2: false,
        };
      }),
    ),
  );
}
