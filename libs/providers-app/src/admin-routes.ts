/** Admin API endpoints `GET /providers` and `GET /ready`. `GET /providers` returns the state of each provider and of its source objects. */
import { isArray, isObject, own, redacted, SluiceError, type Json, type JsonObject } from '@sluice/base';
import type { AdminRoutes } from '@sluice/registry';
import { providedConfig, type ProvidedConfig } from './provided-config.ts';
import type { ProviderState } from './provider-state.ts';

export function addProviderRoutes({ router, server, describe }: AdminRoutes): void {
  describe(async () => (await import('./admin-operations.ts')).operations);
  const provided = (): ProvidedConfig => {
    const found = server.service(providedConfig);
    if (found === undefined)
      throw new SluiceError('ERR_PROVIDER', 'no providers are configured on this server', { status: 404 });
    return found;
  };
  router.get('/ready', (_request, response) => {
    const states = server.service(providedConfig)?.states(server.document) ?? [];
    const waiting = states.filter(({ isReady }) => !isReady).map(({ name }) => name);
    response.status(waiting.length === 0 ? 200 : 503).json({ waiting });
  });
  router.get('/providers', (_request, response) => {
    response.json(provided().states(server.document).map(summaryOf));
  });
  router.get('/providers/:name', ({ params: { name } }, response) => {
    const state = provided()
      .states(server.document)
      .find((each) => each.name === name);
    if (state === undefined)
      throw new SluiceError('ERR_PROVIDER', `provider ${JSON.stringify(name)} is not configured`, { status: 404 });
    response.json({ ...summaryOf(state), objects: objectsOf(state) });
  });
}

function summaryOf(state: ProviderState): { readonly [key: string]: Json } {
  const { source, applied, rejected, conflicts, name } = state;
  return {
    name,
    state: source.state,
    since: new Date(source.since).toISOString(),
    error: source.error,
    applied: applied.size - conflicts.size,
    rejected: rejected.size + conflicts.size,
  };
}

function objectsOf({ set, rejected, conflicts }: ProviderState): readonly Json[] {
  const fragments = [...set.fragments];
  return [
    ...[...rejected].map(([key, { object, error }]) => ({ key, object, error, config: null })),
    ...fragments.flatMap(([key, { object }]) => {
      const error = conflicts.get(key);
      return error === undefined ? [] : [{ key, object, error, config: null }];
    }),
    ...fragments
      .filter(([key]) => !conflicts.has(key))
      .map(([key, { object, config }]) => ({ key, object, error: null, config: withoutKeys(config) })),
  ];
}

/** Redacts private keys of certificates, which providers read from secrets. */
function withoutKeys(config: JsonObject): Json {
  const apps = own(config, 'apps');
  const tls = isObject(apps) ? own(apps, 'tls') : undefined;
  const certificates = isObject(tls) ? own(tls, 'certificates') : undefined;
  const pairs = isObject(certificates) ? own(certificates, 'load_pem') : undefined;
  if (!isArray(pairs) || !isObject(certificates) || !isObject(tls) || !isObject(apps)) return config;
  const load_pem = pairs.map((pair) => (isObject(pair) ? { ...pair, key: redacted } : redacted));
  return { ...config, apps: { ...apps, tls: { ...tls, certificates: { ...certificates, load_pem } } } };
}
