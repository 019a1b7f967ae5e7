/** A third-party package of modules: it exports `register`, and its package.json describes what it registers. */
import {
  compileText,
  defineModule,
  directiveInverses,
  directives,
  flows,
  globalOptions,
  httpHandlers,
  lintChecks,
  options,
  string,
  type Exchange,
  type HttpHandler,
  type Registry,
} from '@sluice/module';

/** `{"handler": "hello", "name": "you"}` */
const helloModule = defineModule(httpHandlers, {
  name: 'hello',
  help: 'Greets in plain text.',
  config: options({ name: string('Who is greeted. May contain placeholders.', { default: 'world' }) }),
  provision({ name }): HttpHandler {
    const text = compileText(`Hello, ${name ?? 'world'}!\n`, 'empty');
    return {
      handle(exchange: Exchange) {
        exchange.response.headers.set('content-type', 'text/plain; charset=utf-8');
        exchange.response.end(text.expand(exchange));
      },
    };
  },
});

/** Adds the modules of this package to a server. */
export function register(registry: Registry): void {
  registry.add(helloModule);
  // In the Caddyfile: loaded when a file has it. Its routes run right before those of `respond`.
  registry.contribute(directives, {
    name: 'hello',
    order: { before: 'respond' },
    load: async () => (await import('./caddyfile.ts')).hello,
  });
  // The way back, which `sluice convert` takes.
  registry.contribute(directiveInverses, {
    name: 'hello',
    handler: 'hello',
    load: async () => (await import('./inverse.ts')).hello,
  });
  // For `sluice lint`: a check of its own, and what the handler does with requests, which checks of routes go by.
  registry.contribute(lintChecks, {
    name: 'HELLO001',
    load: async () => (await import('./lint/empty-greeting.ts')).emptyGreeting,
  });
  registry.contribute(flows, { name: '@sluice/module-hello', load: () => import('./lint/flows.ts') });
  registry.contribute(globalOptions, {
    name: 'hello_name',
    load: async () => (await import('./caddyfile.ts')).helloName,
  });
}
