/** Example of a third-party module package. It exports `register`, and its package.json describes its modules. */
import {
  compileText,
  contributeHandlers,
  defineModule,
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

/** Example: `{"handler": "hello", "name": "you"}` */
const helloModule = defineModule(httpHandlers, {
  name: 'hello',
  help: 'Greets in plain text.',
  config: options({ name: string('Name to greet; may contain placeholders.', { default: 'world' }) }),
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

export function register(registry: Registry): void {
  registry.add(helloModule);
  // Add the Caddyfile directive. Its code is loaded when a Caddyfile uses the directive. It is sorted before `respond`.
  contributeHandlers(registry, {
    name: 'hello',
    order: { before: 'respond' },
    load: async () => (await import('./caddyfile.ts')).hello,
  });
  // Support `sluice lint` with a lint check, and with a description of the handler for route checks.
  registry.contribute(lintChecks, {
    name: 'HELLO001',
    load: async () => (await import('./lint/empty-greeting.ts')).emptyGreeting,
  });
  registry.contribute(flows, { name: '@sluice/module-hello', load: () => import('./lint/flows.ts') });
  registry.contribute(globalOptions, {
    name: 'hello_name',
    load: async () => (await import('./hello-name.ts')).helloName,
  });
}
