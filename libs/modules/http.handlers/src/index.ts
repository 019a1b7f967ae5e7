/** The handlers of the HTTP app: namespace `http.handlers`. */
import { references, type Registry } from '@sluice/registry';
import { acmeServerModule } from './acme_server/index.ts';
import { authenticationModule } from './authentication/index.ts';
import { encodeModule } from './encode/index.ts';
import { checks } from './checks.ts';
import { copyResponseModule } from './copy_response/index.ts';
import { copyResponseHeadersModule } from './copy_response_headers/index.ts';
import { registerDirectives } from './directives.ts';
import { errorModule } from './error/index.ts';
import { fileServerModule } from './file_server/index.ts';
import { headersModule } from './headers/index.ts';
import { interceptModule } from './intercept/index.ts';
import { registerInverses } from './inverses.ts';
import { invokeModule } from './invoke/index.ts';
import { logAppendModule } from './log_append/index.ts';
import { mapModule } from './map/index.ts';
import { metricsModule } from './metrics/index.ts';
import { pushModule } from './push/index.ts';
import { requestBodyModule } from './request_body/index.ts';
import { registerReverseProxy } from './reverse_proxy/index.ts';
import { rewriteModule } from './rewrite/index.ts';
import { staticResponseModule } from './static_response/index.ts';
import { subrouteModule } from './subroute/index.ts';
import { templatesModule } from './templates/index.ts';
import { timeoutsModule } from './timeouts/index.ts';
import { tracingModule } from './tracing/index.ts';
import { varsModule } from './vars/index.ts';

export { validationNetworkToken } from './acme_server/open-server.ts';
export { listingPageTemplate } from './file_server/browse/page-template.ts';
export { templateFunctions } from './templates/function-set.ts';

/** Adds the modules of this package. */
export function register(registry: Registry): void {
  registry.add(acmeServerModule);
  registry.add(authenticationModule);
  registry.add(encodeModule);
  registry.add(copyResponseModule);
  registry.add(copyResponseHeadersModule);
  registry.add(errorModule);
  registry.add(fileServerModule);
  registry.add(headersModule);
  registry.add(interceptModule);
  registry.add(invokeModule);
  registry.add(logAppendModule);
  registry.add(mapModule);
  registry.add(metricsModule);
  registry.add(pushModule);
  registry.add(requestBodyModule);
  registerReverseProxy(registry);
  registry.add(rewriteModule);
  registry.add(staticResponseModule);
  registry.add(subrouteModule);
  registry.add(templatesModule);
  registry.add(timeoutsModule);
  registry.add(tracingModule);
  registry.add(varsModule);
  for (const check of checks) registry.addCheck(check);
  registerDirectives(registry);
  registerInverses(registry);
  registry.contribute(references, {
    name: '@sluice/http.handlers',
    load: async () => (await import('./reference.ts')).reference,
  });
}
