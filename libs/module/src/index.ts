/**
 * What authors of modules import: one package, and all of it. The packages that it is made of are Sluice's own matter and may
 * change from one version to the next; what is exported here changes by the rules of semantic versioning.
 *
 * @example
 * import { defineModule, httpHandlers, options, string, type Registry } from '@sluice/module';
 *
 * const hello = defineModule(httpHandlers, {
 *   name: 'hello',
 *   help: 'Greets in plain text.',
 *   config: options({ name: string('Who is greeted.') }),
 *   provision: ({ name }) => ({ handle: ({ response }) => response.end(`Hello, ${name ?? 'world'}!\n`) }),
 * });
 *
 * export function register(registry: Registry): void {
 *   registry.add(hello);
 * }
 */
export * from './api-version.ts';
export * from './definitions.ts';
export * from './options.ts';
export * from './http.ts';
export * from './apps.ts';
export * from './threads.ts';
export * from './values.ts';
export * from './caddyfile.ts';
export * from './tls.ts';
export * from './fleet.ts';
