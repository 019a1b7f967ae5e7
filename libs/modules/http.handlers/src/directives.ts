/** The directives of this package, and where their routes stand among those of others. */
import { directives, type Description, type Directive, type DirectiveContribution } from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

const after = (name: string): { after: string } => ({ after: name });

function directive(
  name: string,
  order: DirectiveContribution['order'],
  load: () => Promise<Directive>,
  describe?: () => Promise<Description>,
): DirectiveContribution {
  return { name, load, ...(order === undefined ? {} : { order }), ...(describe === undefined ? {} : { describe }) };
}

const contributions: readonly DirectiveContribution[] = [
  directive(
    'tracing',
    'first',
    async () => (await import('./tracing/caddyfile.ts')).tracing,
    async () => (await import('./tracing/describe.ts')).tracing,
  ),
  directive(
    'map',
    after('tracing'),
    async () => (await import('./map/caddyfile.ts')).map,
    async () => (await import('./map/describe.ts')).map,
  ),
  directive(
    'vars',
    after('map'),
    async () => (await import('./vars/caddyfile.ts')).vars,
    async () => (await import('./vars/describe.ts')).vars,
  ),
  directive(
    'fs',
    after('vars'),
    async () => (await import('./vars/caddyfile.ts')).fs,
    async () => (await import('./vars/describe.ts')).fs,
  ),
  directive(
    'root',
    after('fs'),
    async () => (await import('./vars/caddyfile.ts')).root,
    async () => (await import('./vars/describe.ts')).root,
  ),
  directive(
    'log_append',
    after('root'),
    async () => (await import('./log_append/caddyfile.ts')).logAppend,
    async () => (await import('./log_append/describe.ts')).logAppend,
  ),
  directive(
    'skip_log',
    after('log_append'),
    async () => (await import('./vars/caddyfile.ts')).logSkip,
    async () => (await import('./vars/describe.ts')).skipLog,
  ),
  directive(
    'log_skip',
    after('skip_log'),
    async () => (await import('./vars/caddyfile.ts')).logSkip,
    async () => (await import('./vars/describe.ts')).logSkip,
  ),
  directive(
    'log_name',
    after('log_skip'),
    async () => (await import('./vars/caddyfile.ts')).logName,
    async () => (await import('./vars/describe.ts')).logName,
  ),
  directive(
    'header',
    after('log_name'),
    async () => (await import('./headers/caddyfile.ts')).header,
    async () => (await import('./headers/describe.ts')).header,
  ),
  directive(
    'copy_response_headers',
    after('header'),
    async () => (await import('./copy_response_headers/caddyfile.ts')).copyResponseHeaders,
    async () => (await import('./copy_response_headers/describe.ts')).copyResponseHeaders,
  ),
  directive(
    'request_body',
    after('copy_response_headers'),
    async () => (await import('./request_body/caddyfile.ts')).requestBody,
    async () => (await import('./request_body/describe.ts')).requestBody,
  ),
  directive(
    'timeouts',
    after('request_body'),
    async () => (await import('./timeouts/caddyfile.ts')).timeouts,
    async () => (await import('./timeouts/describe.ts')).timeouts,
  ),
  directive(
    'redir',
    after('timeouts'),
    async () => (await import('./static_response/caddyfile.ts')).redir,
    async () => (await import('./static_response/describe.ts')).redir,
  ),
  directive(
    'method',
    after('redir'),
    async () => (await import('./rewrite/caddyfile.ts')).method,
    async () => (await import('./rewrite/describe.ts')).method,
  ),
  directive(
    'rewrite',
    after('method'),
    async () => (await import('./rewrite/caddyfile.ts')).rewrite,
    async () => (await import('./rewrite/describe.ts')).rewrite,
  ),
  directive(
    'uri',
    after('rewrite'),
    async () => (await import('./rewrite/caddyfile.ts')).uri,
    async () => (await import('./rewrite/describe.ts')).uri,
  ),
  directive(
    'try_files',
    after('uri'),
    async () => (await import('./file_server/try-files.ts')).tryFiles,
    async () => (await import('./file_server/describe.ts')).tryFiles,
  ),
  directive(
    'basicauth',
    after('try_files'),
    async () => (await import('./authentication/caddyfile.ts')).basicAuth,
    async () => (await import('./authentication/describe.ts')).basicauth,
  ),
  directive(
    'rate_limit',
    after('basicauth'),
    async () => (await import('./rate_limit/caddyfile.ts')).rateLimit,
    async () => (await import('./rate_limit/describe.ts')).rateLimit,
  ),
  directive(
    'basic_auth',
    after('rate_limit'),
    async () => (await import('./authentication/caddyfile.ts')).basicAuth,
    async () => (await import('./authentication/describe.ts')).basicAuth,
  ),
  directive(
    'forward_auth',
    after('basic_auth'),
    async () => (await import('./reverse_proxy/caddyfile/forward-auth.ts')).forwardAuth,
    async () => (await import('./reverse_proxy/describe.ts')).forwardAuth,
  ),
  directive(
    'request_header',
    after('forward_auth'),
    async () => (await import('./headers/caddyfile.ts')).requestHeader,
    async () => (await import('./headers/describe.ts')).requestHeader,
  ),
  directive(
    'encode',
    after('request_header'),
    async () => (await import('./encode/caddyfile.ts')).encode,
    async () => (await import('./encode/describe.ts')).encode,
  ),
  directive(
    'push',
    after('encode'),
    async () => (await import('./push/caddyfile.ts')).push,
    async () => (await import('./push/describe.ts')).push,
  ),
  directive(
    'intercept',
    after('push'),
    async () => (await import('./intercept/caddyfile.ts')).intercept,
    async () => (await import('./intercept/describe.ts')).intercept,
  ),
  directive(
    'templates',
    after('intercept'),
    async () => (await import('./templates/caddyfile.ts')).templates,
    async () => (await import('./templates/describe.ts')).templates,
  ),
  directive(
    'invoke',
    after('templates'),
    async () => (await import('./invoke/caddyfile.ts')).invoke,
    async () => (await import('./invoke/describe.ts')).invoke,
  ),
  directive(
    'handle',
    after('invoke'),
    async () => (await import('./subroute/caddyfile.ts')).handle,
    async () => (await import('./subroute/describe.ts')).handle,
  ),
  directive(
    'handle_path',
    after('handle'),
    async () => (await import('./subroute/caddyfile.ts')).handlePath,
    async () => (await import('./subroute/describe.ts')).handlePath,
  ),
  directive(
    'route',
    after('handle_path'),
    async () => (await import('./subroute/caddyfile.ts')).route,
    async () => (await import('./subroute/describe.ts')).route,
  ),
  directive(
    'abort',
    after('route'),
    async () => (await import('./static_response/caddyfile.ts')).abort,
    async () => (await import('./static_response/describe.ts')).abort,
  ),
  directive(
    'error',
    after('abort'),
    async () => (await import('./error/caddyfile.ts')).error,
    async () => (await import('./error/describe.ts')).error,
  ),
  directive(
    'copy_response',
    after('error'),
    async () => (await import('./copy_response/caddyfile.ts')).copyResponse,
    async () => (await import('./copy_response/describe.ts')).copyResponse,
  ),
  directive(
    'respond',
    after('copy_response'),
    async () => (await import('./static_response/caddyfile.ts')).respond,
    async () => (await import('./static_response/describe.ts')).respond,
  ),
  directive(
    'metrics',
    after('respond'),
    async () => (await import('./metrics/caddyfile.ts')).metrics,
    async () => (await import('./metrics/describe.ts')).metrics,
  ),
  directive(
    'reverse_proxy',
    after('metrics'),
    async () => (await import('./reverse_proxy/caddyfile.ts')).reverseProxy,
    async () => (await import('./reverse_proxy/describe.ts')).reverseProxy,
  ),
  directive(
    'php_fastcgi',
    after('reverse_proxy'),
    async () => (await import('./reverse_proxy/caddyfile/php-fastcgi.ts')).phpFastcgi,
    async () => (await import('./reverse_proxy/describe.ts')).phpFastcgi,
  ),
  directive(
    'file_server',
    after('php_fastcgi'),
    async () => (await import('./file_server/caddyfile.ts')).fileServer,
    async () => (await import('./file_server/describe.ts')).fileServer,
  ),
  {
    name: 'acme_server',
    order: after('file_server'),
    load: async () => (await import('./acme_server/caddyfile.ts')).acmeServer,
    describe: async () => (await import('./acme_server/describe.ts')).acmeServer,
    finishedBy: 'pki',
  },
  directive(
    'handle_errors',
    undefined,
    async () => (await import('./subroute/caddyfile.ts')).handleErrors,
    async () => (await import('./subroute/describe.ts')).handleErrors,
  ),
];

/** Adds the directives. */
export function registerDirectives(registry: Registry): void {
  registry.contribute(directives, ...contributions);
}
