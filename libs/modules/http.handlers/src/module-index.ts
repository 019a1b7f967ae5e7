/** The modules of this package, each loaded when a configuration has it. Made by `npm run module-index`. */
import { listed, type ListedModule } from '@sluice/registry';

/** Sorted by ID. */
export const modules: readonly ListedModule[] = listed('http.handlers', {
  acme_server: async () => (await import('./acme_server/index.ts')).acmeServerModule,
  authentication: async () => (await import('./authentication/index.ts')).authenticationModule,
  copy_response: async () => (await import('./copy_response/index.ts')).copyResponseModule,
  copy_response_headers: async () => (await import('./copy_response_headers/index.ts')).copyResponseHeadersModule,
  encode: async () => (await import('./encode/index.ts')).encodeModule,
  error: async () => (await import('./error/index.ts')).errorModule,
  file_server: async () => (await import('./file_server/index.ts')).fileServerModule,
  headers: async () => (await import('./headers/index.ts')).headersModule,
  intercept: async () => (await import('./intercept/index.ts')).interceptModule,
  invoke: async () => (await import('./invoke/index.ts')).invokeModule,
  log_append: async () => (await import('./log_append/index.ts')).logAppendModule,
  map: async () => (await import('./map/index.ts')).mapModule,
  metrics: async () => (await import('./metrics/index.ts')).metricsModule,
  push: async () => (await import('./push/index.ts')).pushModule,
  replace_response: async () => (await import('./replace_response/index.ts')).replaceResponseModule,
  request_body: async () => (await import('./request_body/index.ts')).requestBodyModule,
  rewrite: async () => (await import('./rewrite/index.ts')).rewriteModule,
  static_response: async () => (await import('./static_response/index.ts')).staticResponseModule,
  subroute: async () => (await import('./subroute/index.ts')).subrouteModule,
  templates: async () => (await import('./templates/index.ts')).templatesModule,
  timeouts: async () => (await import('./timeouts/index.ts')).timeoutsModule,
  tracing: async () => (await import('./tracing/index.ts')).tracingModule,
  vars: async () => (await import('./vars/index.ts')).varsModule,
});
