/** Matchers of the `http` app, in the namespace `http.matchers`. */
import { flows } from '@sluice/http-app';
import { references, type Registry } from '@sluice/registry';
import { fileRootCheck } from './file/check.ts';
import { registerLint } from './lint/register.ts';
import { modules } from './module-index.ts';
import { registerSyntaxes } from './syntaxes.ts';

export function register(registry: Registry): void {
  registry.add(...modules);
  registry.addCheck(fileRootCheck);
  registerSyntaxes(registry);
  registerLint(registry);
  registry.contribute(flows, { name: '@sluice/http.matchers', load: () => import('./facts.ts') });
  registry.contribute(references, { name: '@sluice/http.matchers', load: () => import('./reference.ts') });
}
