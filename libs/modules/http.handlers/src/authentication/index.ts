/** `http.handlers.authentication`: admits only authenticated users. */
import {
  authenticationProviders,
  HttpError,
  httpHandlers,
  type AuthenticationProvider,
  type Exchange,
  type HttpHandler,
  type Next,
} from '@sluice/http-app';
import { defineModule, moduleMap, options } from '@sluice/registry';
import { type Logger } from '@sluice/base';

export const authenticationModule = defineModule(httpHandlers, {
  name: 'authentication',
  effect: 'reads',
  help: 'Requires authentication; other requests fail with 401. Sets `{http.auth.user.id}`.',
  config: options({
    providers: moduleMap(
      'Authentication providers. The first provider that recognizes the user decides.',
      authenticationProviders,
    ),
  }),
  async provision(config, context): Promise<HttpHandler> {
    const providers = await context.loadMap(authenticationProviders, config.providers ?? {}, 'providers');
    return new Authentication([...providers.values()], context.log);
  },
});

class Authentication implements HttpHandler {
  readonly #providers: readonly AuthenticationProvider[];
  readonly #log: Logger;

  constructor(providers: readonly AuthenticationProvider[], log: Logger) {
    this.#providers = providers;
    this.#log = log;
  }

  async handle(exchange: Exchange, next: Next): Promise<void> {
    for (const provider of this.#providers) {
      try {
        const user = await provider.authenticate(exchange);
        if (user === null) continue;
        exchange.setPlaceholder('http.auth.user.id', user.id);
        for (const [name, value] of Object.entries(user.metadata))
          exchange.setPlaceholder(`http.auth.user.${name}`, value);
      } catch (error) {
        this.#log.error('an authentication provider failed', { error });
        continue;
      }
      return next(exchange);
    }
    throw new HttpError(401, 'not authenticated');
  }
}
