/**
 * The package that module authors import. It contains everything they need. The other packages are internal and can change with any
 * version. The exports of this package follow semantic versioning.
 *
 * @example
 * import { defineModule, httpHandlers, options, string, type Registry } from '@sluice/module';
 *
 * const hello = defineModule(httpHandlers, {
 *   name: 'hello',
 *   help: 'Greets in plain text.',
 *   config: options({ name: string('Name to greet.') }),
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
export * from './layer4.ts';
export * from './providers.ts';
