/** Applies the Caddyfile's global options for the `tls` app to the JSON document. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import { asJson, compact, type FinishConfig, type GlobalOptions } from '@sluice/caddyfile';

/** Adds the app-level fields to a `tls` app that already contains policies. */
export const finishTls: FinishConfig = (apps, options) => {
  const known = apps['tls'];
  const app = isObject(known) ? known : {};
  const automation = compact({
    ...(isObject(app['automation']) ? app['automation'] : {}),
    on_demand: options.get<JsonObject>('on_demand_tls'),
    ocsp_interval: options.get<number>('ocsp_interval'),
    renew_interval: options.get<number>('renew_interval'),
    storage_clean_interval: cleanTime(options),
  });
  const tls = compact({
    certificates: app['certificates'],
    automation,
    disable_ocsp_stapling: options.has('ocsp_stapling'),
    disable_storage_check: options.has('storage_check'),
    disable_storage_clean: options.get('storage_clean_interval') === 'off',
    encrypted_client_hello: options.get<Json>('ech'),
    dns: options.get<Json>('dns'),
    resolvers: asJson(options.get<readonly string[]>('tls_resolvers') ?? []),
  });
  if (Object.keys(tls).length > 0) apps['tls'] = tls;
};

function cleanTime(options: GlobalOptions): number {
  const value = options.get<number | 'off'>('storage_clean_interval');
  return typeof value === 'number' ? value : 0;
}
