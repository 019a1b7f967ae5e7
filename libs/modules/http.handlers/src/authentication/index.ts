/** The module `http.handlers.authentication`, which rejects requests from unauthenticated users. */
import {
  authenticationProviders,
  HttpError,
  httpHandlers,
  isAbortError,
  isHttpError,
  type AuthenticationProvider,
  type Exchange,
  type HttpHandler,
  type Next,
  type Rehearsal,
  type User,
  type Watch,
} from '@sluice/http-app';
import type { HeaderMap } from '@sluice/http1';
import { defineModule, moduleMap, options } from '@sluice/registry';
import { listedTokens, type Logger } from '@sluice/base';

export const authenticationModule = defineModule(httpHandlers, {
  name: 'authentication',
  effect: 'reads',
  help: 'Requires authentication. Unauthenticated requests fail with status code 401. Sets `{http.auth.user.id}`.',
  config: options({
    providers: moduleMap(
      'Authentication providers, tried in order. The first provider that authenticates the user is used.',
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
  readonly #ownFields: readonly string[];
  readonly #log: Logger;

  constructor(providers: readonly AuthenticationProvider[], log: Logger) {
    this.#providers = providers;
    this.#ownFields = providers.flatMap(({ ownFields = [] }) => ownFields);
    this.#log = log;
  }

  watched({ rehearsal }: Watch): HttpHandler {
    if (rehearsal === null) return this;
    const providers = this.#providers.map((provider) => rehearsed(provider, rehearsal));
    const inner = new Authentication(providers, this.#log);
    return {
      handle: async (exchange, next) => {
        if (inner.#ownFields.length > 0) removeFields(exchange.headers, inner.#ownFields);
        const decided = rehearsal.decides(exchange, 'providers', async () => {
          const user = await inner.#identify(exchange);
          // Use an empty user ID, because the ID of a real user would identify the client.
          setUser(exchange, user ?? { id: '', metadata: {} });
          return user !== null;
        });
        if (await decided) await next(exchange);
        else await inner.#challenge(exchange);
      },
    };
  }

  /** Returns the user from the first provider that identifies one. Returns `null` if no provider does. */
  async #identify(exchange: Exchange): Promise<User | null> {
    for (const provider of this.#providers) {
      try {
        const user = await provider.authenticate(exchange);
        if (user !== null) return user;
      } catch (error) {
        this.#reportFailure(error);
      }
    }
    return null;
  }

  handle(exchange: Exchange, next: Next): void | Promise<void> {
    if (this.#ownFields.length > 0) removeFields(exchange.headers, this.#ownFields);
    for (const [i, provider] of this.#providers.entries()) {
      let user;
      try {
        user = provider.authenticate(exchange);
      } catch (error) {
        this.#reportFailure(error);
        continue;
      }
      if (user instanceof Promise) return this.#handleLater(exchange, next, i, user);
      if (user !== null) return admit(exchange, next, user);
      if (exchange.response.ended) return undefined;
    }
    return this.#challenge(exchange);
  }

  /** Continues asynchronously with the provider at index `from`, whose result is pending. */
  async #handleLater(exchange: Exchange, next: Next, from: number, pending: Promise<User | null>): Promise<void> {
    for (let i = from; i < this.#providers.length; i++) {
      let user: User | null | undefined;
      try {
        user = await (i === from ? pending : this.#providers[i]?.authenticate(exchange));
      } catch (error) {
        this.#reportFailure(error);
        continue;
      }
      if (user != null) return admit(exchange, next, user);
      if (exchange.response.ended) return;
    }
    await this.#challenge(exchange);
  }

  async #challenge(exchange: Exchange): Promise<void> {
    for (const provider of this.#providers)
      if (provider.challenge !== undefined && (await provider.challenge(exchange))) return;
    throw new HttpError(401, 'not authenticated');
  }

  /** Logs an unexpected error of a provider. The caller continues with the next provider. */
  #reportFailure(error: unknown): void {
    if (isHttpError(error) || isAbortError(error)) throw error;
    this.#log.error('an authentication provider failed', { error });
  }
}

/**
 * Removes headers from a request, and their names from the `Connection` header. If a name stayed in `Connection`, a proxy would drop the
 * header that a provider sets later.
 */
function removeFields(headers: HeaderMap, names: readonly string[]): void {
  for (const name of names) headers.delete(name);
  const connection = headers.joined('connection');
  if (connection === undefined) return;
  const listed = listedTokens(connection);
  if (!listed.some((each) => names.includes(each))) return;
  const kept = listed.filter((each) => !names.includes(each));
  if (kept.length === 0) headers.delete('connection');
  else headers.set('connection', kept.join(', '));
}

/** Returns a provider for dry runs, in which the user is unknown. */
function rehearsed(provider: AuthenticationProvider, rehearsal: Rehearsal): AuthenticationProvider {
  if (provider.rehearse === undefined) return provider;
  const { ownFields = [] } = provider;
  return {
    ownFields,
    authenticate: (exchange) => (provider.rehearse?.(exchange, rehearsal) === true ? { id: '', metadata: {} } : null),
  };
}

function admit(exchange: Exchange, next: Next, user: User): void | Promise<void> {
  setUser(exchange, user);
  return next(exchange);
}

function setUser(exchange: Exchange, user: User): void {
  exchange.setPlaceholder('http.auth.user.id', user.id);
  for (const [name, value] of Object.entries(user.metadata)) exchange.setPlaceholder(`http.auth.user.${name}`, value);
}
