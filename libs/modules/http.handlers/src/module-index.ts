/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import type { ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = [
  {
    namespace: 'http.handlers',
    name: 'acme_server',
    load: async () => (await import('./acme_server/index.ts')).acmeServerModule,
  },
  {
    namespace: 'http.handlers',
    name: 'authentication',
    load: async () => (await import('./authentication/index.ts')).authenticationModule,
  },
  {
    namespace: 'http.handlers',
    name: 'copy_response',
    load: async () => (await import('./copy_response/index.ts')).copyResponseModule,
  },
  {
    namespace: 'http.handlers',
    name: 'copy_response_headers',
    load: async () => (await import('./copy_response_headers/index.ts')).copyResponseHeadersModule,
  },
  {
    namespace: 'http.handlers',
    name: 'encode',
    load: async () => (await import('./encode/index.ts')).encodeModule,
  },
  {
    namespace: 'http.handlers',
    name: 'error',
    load: async () => (await import('./error/index.ts')).errorModule,
  },
  {
    namespace: 'http.handlers',
    name: 'file_server',
    load: async () => (await import('./file_server/index.ts')).fileServerModule,
  },
  {
    namespace: 'http.handlers',
    name: 'headers',
    load: async () => (await import('./headers/index.ts')).headersModule,
  },
  {
    namespace: 'http.handlers',
    name: 'intercept',
    load: async () => (await import('./intercept/index.ts')).interceptModule,
  },
  {
    namespace: 'http.handlers',
    name: 'invoke',
    load: async () => (await import('./invoke/index.ts')).invokeModule,
  },
  {
    namespace: 'http.handlers',
    name: 'log_append',
    load: async () => (await import('./log_append/index.ts')).logAppendModule,
  },
  {
    namespace: 'http.handlers',
    name: 'map',
    load: async () => (await import('./map/index.ts')).mapModule,
  },
  {
    namespace: 'http.handlers',
    name: 'metrics',
    load: async () => (await import('./metrics/index.ts')).metricsModule,
  },
  {
    namespace: 'http.handlers',
    name: 'push',
    load: async () => (await import('./push/index.ts')).pushModule,
  },
  {
    namespace: 'http.handlers',
    name: 'replace_response',
    load: async () => (await import('./replace_response/index.ts')).replaceResponseModule,
  },
  {
    namespace: 'http.handlers',
    name: 'request_body',
    load: async () => (await import('./request_body/index.ts')).requestBodyModule,
  },
  {
    namespace: 'http.handlers',
    name: 'rewrite',
    load: async () => (await import('./rewrite/index.ts')).rewriteModule,
  },
  {
    namespace: 'http.handlers',
    name: 'static_response',
    load: async () => (await import('./static_response/index.ts')).staticResponseModule,
  },
  {
    namespace: 'http.handlers',
    name: 'subroute',
    load: async () => (await import('./subroute/index.ts')).subrouteModule,
  },
  {
    namespace: 'http.handlers',
    name: 'templates',
    load: async () => (await import('./templates/index.ts')).templatesModule,
  },
  {
    namespace: 'http.handlers',
    name: 'timeouts',
    load: async () => (await import('./timeouts/index.ts')).timeoutsModule,
  },
  {
    namespace: 'http.handlers',
    name: 'tracing',
    load: async () => (await import('./tracing/index.ts')).tracingModule,
  },
  {
    namespace: 'http.handlers',
    name: 'vars',
    load: async () => (await import('./vars/index.ts')).varsModule,
  },
];
