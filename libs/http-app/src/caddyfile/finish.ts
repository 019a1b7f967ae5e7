/** Applies the global options of the `http` app to the document. */
import { isObject, type Json, type JsonObject } from '@sluice/base';
import { asJson, compact, type FinishConfig } from '@sluice/caddyfile';

/** Adds the fields of the `http` app other than the servers. */
export const finishHttp: FinishConfig = (apps, options) => {
  const { http } = apps;
  if (http === undefined || !isObject(http)) return;
  const first = compact({
    http_port: options.get<number>('http_port') ?? 0,
    https_port: options.get<number>('https_port') ?? 0,
    grace_period: options.get<number>('grace_period') ?? 0,
    shutdown_delay: options.get<number>('shutdown_delay') ?? 0,
    error_pages: options.get<string>('error_pages') ?? '',
  });
  const shared = options.get<JsonObject>('metrics');
  apps['http'] = { ...first, ...http, ...(shared === undefined ? {} : { metrics: shared }) };
};

export const finishFileSystems: FinishConfig = (apps, options) => {
  apps['caddy.filesystems'] = { filesystems: asJson(options.get<readonly Json[]>('filesystem') ?? []) };
};
