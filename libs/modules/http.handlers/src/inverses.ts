/** How the handlers of this package are written as directives again. */
import {
  directiveInverses,
  sequenceInverses,
  siteInverses,
  type DirectiveInverse,
  type SequenceInverse,
  type WriteDirective,
} from '@sluice/caddyfile/contribute';
import type { Registry } from '@sluice/registry';

type Load = () => Promise<WriteDirective>;

function inverse(handler: string, name: string, load: Load): DirectiveInverse {
  return { name, handler, load };
}

const contributions: readonly DirectiveInverse[] = [
  inverse('static_response', 'respond', async () => (await import('./static_response/inverse.ts')).respond),
  inverse('static_response', 'redir', async () => (await import('./static_response/inverse.ts')).redir),
  inverse('static_response', 'abort', async () => (await import('./static_response/inverse.ts')).abort),
  inverse('file_server', 'file_server', async () => (await import('./file_server/inverse.ts')).fileServer),
  inverse('headers', 'header', async () => (await import('./headers/inverse.ts')).header),
  inverse('headers', 'request_header', async () => (await import('./headers/inverse.ts')).requestHeader),
  inverse('rewrite', 'rewrite', async () => (await import('./rewrite/inverse.ts')).rewrite),
  inverse('rewrite', 'try_files', async () => (await import('./file_server/try-files-inverse.ts')).tryFiles),
  inverse('rewrite', 'method', async () => (await import('./rewrite/inverse.ts')).method),
  inverse('rewrite', 'uri', async () => (await import('./rewrite/inverse.ts')).uri),
  inverse('subroute', 'php_fastcgi', async () => {
    return (await import('./reverse_proxy/php-fastcgi-inverse.ts')).phpSubroute;
  }),
  inverse('subroute', 'handle_path', async () => (await import('./subroute/inverse.ts')).handlePath),
  inverse('subroute', 'handle', async () => (await import('./subroute/inverse.ts')).handle),
  inverse('subroute', 'route', async () => (await import('./subroute/inverse.ts')).route),
  inverse('vars', 'root', async () => (await import('./vars/inverse.ts')).root),
  inverse('vars', 'fs', async () => (await import('./vars/inverse.ts')).fs),
  inverse('vars', 'log_skip', async () => (await import('./vars/inverse.ts')).logSkip),
  inverse('vars', 'log_name', async () => (await import('./vars/inverse.ts')).logName),
  inverse('vars', 'vars', async () => (await import('./vars/inverse.ts')).vars),
  inverse('encode', 'encode', async () => (await import('./encode/inverse.ts')).encode),
  inverse('request_body', 'request_body', async () => (await import('./request_body/inverse.ts')).requestBody),
  inverse('rate_limit', 'rate_limit', async () => (await import('./rate_limit/inverse.ts')).rateLimit),
  inverse('templates', 'templates', async () => (await import('./templates/inverse.ts')).templates),
  inverse('error', 'error', async () => (await import('./error/inverse.ts')).error),
  inverse('authentication', 'basic_auth', async () => (await import('./authentication/inverse.ts')).basicAuth),
  inverse('invoke', 'invoke', async () => (await import('./invoke/inverse.ts')).invoke),
  inverse('map', 'map', async () => (await import('./map/inverse.ts')).map),
  inverse('acme_server', 'acme_server', async () => (await import('./acme_server/inverse.ts')).acmeServer),
  inverse('reverse_proxy', 'forward_auth', async () => {
    return (await import('./reverse_proxy/forward-auth-inverse.ts')).forwardAuth;
  }),
  inverse('reverse_proxy', 'reverse_proxy', async () => (await import('./reverse_proxy/inverse.ts')).reverseProxy),
  inverse('log_append', 'log_append', async () => (await import('./log_append/inverse.ts')).logAppend),
  inverse('tracing', 'tracing', async () => (await import('./tracing/inverse.ts')).tracing),
  inverse('push', 'push', async () => (await import('./push/inverse.ts')).push),
  inverse('intercept', 'intercept', async () => (await import('./intercept/inverse.ts')).intercept),
  inverse('timeouts', 'timeouts', async () => (await import('./timeouts/inverse.ts')).timeouts),
  inverse('copy_response', 'copy_response', async () => (await import('./copy_response/inverse.ts')).copyResponse),
  inverse(
    'copy_response_headers',
    'copy_response_headers',
    async () => (await import('./copy_response_headers/inverse.ts')).copyResponseHeaders,
  ),
  inverse('metrics', 'metrics', async () => (await import('./metrics/inverse.ts')).metrics),
];

const sequences: readonly SequenceInverse[] = [
  {
    name: 'php_fastcgi',
    load: async () => (await import('./reverse_proxy/php-fastcgi-inverse.ts')).phpRoutes,
  },
  { name: 'try_files', load: async () => (await import('./file_server/try-files-inverse.ts')).tryFilesRoutes },
];

/** Adds the inverses. */
export function registerInverses(registry: Registry): void {
  registry.contribute(directiveInverses, ...contributions);
  registry.contribute(sequenceInverses, ...sequences);
  registry.contribute(siteInverses, {
    name: 'handle_errors',
    load: async () => (await import('./subroute/inverse.ts')).handleErrors,
  });
}
