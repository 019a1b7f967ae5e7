/** HTTP handlers: namespace `http.handlers`. */
import { flows } from '@sluice/http-app';
import { references, type Registry } from '@sluice/registry';
import { registerCache } from './cache/index.ts';
import { checks } from './checks.ts';
import { registerConcurrencyLimit } from './concurrency_limit/index.ts';
import { registerDirectives } from './directives.ts';
import { registerLint } from './lint/register.ts';
import { registerMirror } from './mirror/index.ts';
import { modules } from './module-index.ts';
import { registerRateLimit } from './rate_limit/index.ts';
import { registerReverseProxy } from './reverse_proxy/index.ts';
import { registerWaf } from './waf/index.ts';
import { registerWebdav } from './webdav/index.ts';

export { validationNetworkToken } from './acme_server/open-server.ts';
export { listingPageTemplate } from './file_server/browse/page-template.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  registerCache(registry);
  registerConcurrencyLimit(registry);
  registerRateLimit(registry);
  registerMirror(registry, registerReverseProxy(registry));
  registerWaf(registry);
  registerWebdav(registry);
  for (const check of checks) registry.addCheck(check);
  registerDirectives(registry);
  registerLint(registry);
  registry.contribute(flows, { name: '@sluice/http.handlers', load: () => import('./flows.ts') });
  registry.contribute(references, { name: '@sluice/http.handlers', load: () => import('./reference.ts') });
}
