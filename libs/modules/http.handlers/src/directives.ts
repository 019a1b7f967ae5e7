/** Caddyfile directives of this package, in routing order. The routes of each directive follow those of the preceding directive. */
import { contributeHandlers, type HandlerDirective } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

type More = Omit<HandlerDirective, 'name' | 'load'>;

const of = (name: string, load: HandlerDirective['load'], more: More = {}): HandlerDirective => ({
  name,
  load,
  ...more,
});
const proxy = { namespace: 'http.handlers', name: 'reverse_proxy' };

const ordered: readonly HandlerDirective[] = [
  of('coraza_waf', async () => (await import('./waf/caddyfile.ts')).corazaWaf, { handler: 'waf' }),
  of('tracing', async () => (await import('./tracing/caddyfile.ts')).tracing),
  of('map', async () => (await import('./map/caddyfile.ts')).map),
  of('vars', async () => (await import('./vars/caddyfile.ts')).vars, { tried: 5 }),
  of('fs', async () => (await import('./vars/caddyfile.ts')).fs, { handler: 'vars', tried: 2 }),
  of('root', async () => (await import('./vars/caddyfile.ts')).root, { handler: 'vars', tried: 1 }),
  of('log_append', async () => (await import('./log_append/caddyfile.ts')).logAppend),
  of('skip_log', async () => (await import('./vars/caddyfile.ts')).logSkip, { handler: 'vars', oldNameOf: 'log_skip' }),
  of('log_skip', async () => (await import('./vars/caddyfile.ts')).logSkip, { handler: 'vars', tried: 3 }),
  of('log_name', async () => (await import('./vars/caddyfile.ts')).logName, { handler: 'vars', tried: 4 }),
  of('header', async () => (await import('./headers/caddyfile.ts')).header, { handler: 'headers' }),
  of('copy_response_headers', async () => (await import('./copy_response_headers/caddyfile.ts')).copyResponseHeaders),
  of('request_body', async () => (await import('./request_body/caddyfile.ts')).requestBody),
  of('timeouts', async () => (await import('./timeouts/caddyfile.ts')).timeouts),
  of('redir', async () => (await import('./static_response/caddyfile.ts')).redir, {
    handler: 'static_response',
    tried: 1,
  }),
  of('method', async () => (await import('./rewrite/caddyfile.ts')).method, { handler: 'rewrite', tried: 2 }),
  of('cache', async () => (await import('./cache/caddyfile.ts')).cache),
  of('rewrite', async () => (await import('./rewrite/caddyfile.ts')).rewrite),
  of('uri', async () => (await import('./rewrite/caddyfile.ts')).uri, { handler: 'rewrite', tried: 3 }),
  of('try_files', async () => (await import('./file_server/try-files.ts')).tryFiles, {
    handler: 'rewrite',
    tried: 1,
    writeRoutes: async () => (await import('./file_server/try-files.ts')).tryFilesRoutes,
  }),
  of('basicauth', async () => (await import('./authentication/caddyfile.ts')).basicAuth, {
    handler: 'authentication',
    oldNameOf: 'basic_auth',
  }),
  of('rate_limit', async () => (await import('./rate_limit/caddyfile.ts')).rateLimit),
  of('concurrency_limit', async () => (await import('./concurrency_limit/caddyfile.ts')).concurrencyLimit),
  of('basic_auth', async () => (await import('./authentication/caddyfile.ts')).basicAuth, {
    handler: 'authentication',
  }),
  of('forward_auth', async () => (await import('./reverse_proxy/caddyfile/forward-auth.ts')).forwardAuth, {
    handler: 'reverse_proxy',
  }),
  of('request_header', async () => (await import('./headers/caddyfile.ts')).requestHeader, { handler: 'headers' }),
  of('encode', async () => (await import('./encode/caddyfile.ts')).encode),
  of('replace', async () => (await import('./replace_response/caddyfile.ts')).replace, { handler: 'replace_response' }),
  of('push', async () => (await import('./push/caddyfile.ts')).push),
  of('intercept', async () => (await import('./intercept/caddyfile.ts')).intercept),
  of('templates', async () => (await import('./templates/caddyfile.ts')).templates),
  of('mirror', async () => (await import('./mirror/caddyfile.ts')).mirror),
  of('invoke', async () => (await import('./invoke/caddyfile.ts')).invoke),
  of('handle', async () => (await import('./subroute/caddyfile.ts')).handle, { handler: 'subroute', tried: 2 }),
  of('handle_path', async () => (await import('./subroute/caddyfile.ts')).handlePath, {
    handler: 'subroute',
    tried: 1,
  }),
  of('route', async () => (await import('./subroute/caddyfile.ts')).route, { handler: 'subroute', tried: 3 }),
  of('abort', async () => (await import('./static_response/caddyfile.ts')).abort, {
    handler: 'static_response',
    tried: 2,
  }),
  of('error', async () => (await import('./error/caddyfile.ts')).error),
  of('copy_response', async () => (await import('./copy_response/caddyfile.ts')).copyResponse),
  of('respond', async () => (await import('./static_response/caddyfile.ts')).respond, { handler: 'static_response' }),
  of('metrics', async () => (await import('./metrics/caddyfile.ts')).metrics),
  of('reverse_proxy', async () => (await import('./reverse_proxy/caddyfile.ts')).reverseProxy),
  of('php_fastcgi', async () => (await import('./reverse_proxy/caddyfile/php-fastcgi.ts')).phpFastcgi, {
    handler: 'subroute',
    described: proxy,
    writeRoutes: async () => (await import('./reverse_proxy/caddyfile/php-fastcgi.ts')).phpRoutes,
  }),
  of('file_server', async () => (await import('./file_server/caddyfile.ts')).fileServer),
  of('acme_server', async () => (await import('./acme_server/caddyfile.ts')).acmeServer, { finishedBy: 'pki' }),
];

export function registerDirectives(registry: Registry): void {
  const orders = ordered.map((each, at) => ({ ...each, order: { after: ordered[at - 1]?.name ?? '' } }));
  contributeHandlers(
    registry,
    ...orders.map((each, at) => (at === 0 ? { ...each, order: 'first' as const } : each)),
    of('webdav', async () => (await import('./webdav/caddyfile.ts')).webdav),
    of('handle_errors', async () => (await import('./subroute/caddyfile.ts')).handleErrors, {
      handler: 'subroute',
      inverse: false,
      writeSite: async () => (await import('./subroute/caddyfile.ts')).writeHandleErrors,
    }),
  );
}
