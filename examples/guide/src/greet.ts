/** `http.handlers.greet`: the example module in README.md. */
import { compileText, defineModule, httpHandlers, options, string, type Registry } from '@sluice/module';

const greet = defineModule(httpHandlers, {
  name: 'greet',
  help: 'Greets in plain text.',
  config: options({ name: string('Name to greet; may contain placeholders.', { default: 'world' }) }),
  provision({ name }) {
    const text = compileText(`Hello, ${name ?? 'world'}!\n`, 'empty');
    return {
      handle(exchange) {
        exchange.response.headers.set('content-type', 'text/plain; charset=utf-8');
        exchange.response.end(text.expand(exchange));
      },
    };
  },
});

export function register(registry: Registry): void {
  registry.add(greet);
}
