/** The directives of this package. Routes of each stand after those of the one before. */
import {
  contributeHandlers,
  sequenceInverses,
  siteInverses,
  type HandlerDirective,
} from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const ordered: readonly HandlerDirective[] = [
  { name: 'tracing', load: async () => (await import('./tracing/caddyfile.ts')).tracing },
  { name: 'map', load: async () => (await import('./map/caddyfile.ts')).map },
  { name: 'vars', tried: 5, load: async () => (await import('./vars/caddyfile.ts')).vars },
  { name: 'fs', handler: 'vars', tried: 2, load: async () => (await import('./vars/caddyfile.ts')).fs },
  { name: 'root', handler: 'vars', tried: 1, load: async () => (await import('./vars/caddyfile.ts')).root },
  { name: 'log_append', load: async () => (await import('./log_append/caddyfile.ts')).logAppend },
  {
    name: 'skip_log',
    handler: 'vars',
    inverse: false,
    load: async () => (await import('./vars/caddyfile.ts')).skipLog,
  },
  { name: 'log_skip', handler: 'vars', tried: 3, load: async () => (await import('./vars/caddyfile.ts')).logSkip },
  { name: 'log_name', handler: 'vars', tried: 4, load: async () => (await import('./vars/caddyfile.ts')).logName },
  { name: 'header', handler: 'headers', load: async () => (await import('./headers/caddyfile.ts')).header },
  {
    name: 'copy_response_headers',
    load: async () => (await import('./copy_response_headers/caddyfile.ts')).copyResponseHeaders,
  },
  { name: 'request_body', load: async () => (await import('./request_body/caddyfile.ts')).requestBody },
  { name: 'timeouts', load: async () => (await import('./timeouts/caddyfile.ts')).timeouts },
  {
    name: 'redir',
    handler: 'static_response',
    tried: 1,
    load: async () => (await import('./static_response/caddyfile.ts')).redir,
  },
  { name: 'method', handler: 'rewrite', tried: 2, load: async () => (await import('./rewrite/caddyfile.ts')).method },
  { name: 'rewrite', load: async () => (await import('./rewrite/caddyfile.ts')).rewrite },
  { name: 'uri', handler: 'rewrite', tried: 3, load: async () => (await import('./rewrite/caddyfile.ts')).uri },
  {
    name: 'try_files',
    handler: 'rewrite',
    tried: 1,
    load: async () => (await import('./file_server/try-files.ts')).tryFiles,
  },
  {
    name: 'basicauth',
    handler: 'authentication',
    inverse: false,
    load: async () => (await import('./authentication/caddyfile.ts')).basicauth,
  },
  { name: 'rate_limit', load: async () => (await import('./rate_limit/caddyfile.ts')).rateLimit },
  {
    name: 'basic_auth',
    handler: 'authentication',
    load: async () => (await import('./authentication/caddyfile.ts')).basicAuth,
  },
  {
    name: 'forward_auth',
    handler: 'reverse_proxy',
    load: async () => (await import('./reverse_proxy/caddyfile/forward-auth.ts')).forwardAuth,
  },
  {
    name: 'request_header',
    handler: 'headers',
    load: async () => (await import('./headers/caddyfile.ts')).requestHeader,
  },
  { name: 'encode', load: async () => (await import('./encode/caddyfile.ts')).encode },
  {
    name: 'replace',
    handler: 'replace_response',
    load: async () => (await import('./replace_response/caddyfile.ts')).replace,
  },
  { name: 'push', load: async () => (await import('./push/caddyfile.ts')).push },
  { name: 'intercept', load: async () => (await import('./intercept/caddyfile.ts')).intercept },
  { name: 'templates', load: async () => (await import('./templates/caddyfile.ts')).templates },
  { name: 'invoke', load: async () => (await import('./invoke/caddyfile.ts')).invoke },
  { name: 'handle', handler: 'subroute', tried: 2, load: async () => (await import('./subroute/caddyfile.ts')).handle },
  {
    name: 'handle_path',
    handler: 'subroute',
    tried: 1,
    load: async () => (await import('./subroute/caddyfile.ts')).handlePath,
  },
  { name: 'route', handler: 'subroute', tried: 3, load: async () => (await import('./subroute/caddyfile.ts')).route },
  {
    name: 'abort',
    handler: 'static_response',
    tried: 2,
    load: async () => (await import('./static_response/caddyfile.ts')).abort,
  },
  { name: 'error', load: async () => (await import('./error/caddyfile.ts')).error },
  { name: 'copy_response', load: async () => (await import('./copy_response/caddyfile.ts')).copyResponse },
  {
    name: 'respond',
    handler: 'static_response',
    load: async () => (await import('./static_response/caddyfile.ts')).respond,
  },
  { name: 'metrics', load: async () => (await import('./metrics/caddyfile.ts')).metrics },
  { name: 'reverse_proxy', load: async () => (await import('./reverse_proxy/caddyfile.ts')).reverseProxy },
  {
    name: 'php_fastcgi',
    handler: 'subroute',
    described: { namespace: 'http.handlers', name: 'reverse_proxy' },
    load: async () => (await import('./reverse_proxy/caddyfile/php-fastcgi.ts')).phpFastcgi,
  },
  { name: 'file_server', load: async () => (await import('./file_server/caddyfile.ts')).fileServer },
  {
    name: 'acme_server',
    finishedBy: 'pki',
    load: async () => (await import('./acme_server/caddyfile.ts')).acmeServer,
  },
];

/** Adds the directives. */
export function registerDirectives(registry: Registry): void {
  const orders = ordered.map((each, at) => ({ ...each, order: { after: ordered[at - 1]?.name ?? '' } }));
  contributeHandlers(registry, ...orders.map((each, at) => (at === 0 ? { ...each, order: 'first' as const } : each)), {
    name: 'handle_errors',
    handler: 'subroute',
    inverse: false,
    load: async () => (await import('./subroute/caddyfile.ts')).handleErrors,
  });
  registry.contribute(
    sequenceInverses,
    {
      name: 'php_fastcgi',
      load: async () => (await import('./reverse_proxy/caddyfile/php-fastcgi.ts')).phpRoutes,
    },
    { name: 'try_files', load: async () => (await import('./file_server/try-files.ts')).tryFilesRoutes },
  );
  registry.contribute(siteInverses, {
    name: 'handle_errors',
    load: async () => (await import('./subroute/caddyfile.ts')).writeHandleErrors,
  });
}
