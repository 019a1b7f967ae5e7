/** Settings of a cache handler, from the options of the handler and the `cache` app. */
import { compileRegExp, messageOf, parseDuration } from '@sluice/base';
import { compileText } from '@sluice/http-app';
import type { Context, Options } from '@sluice/registry';
import type { CacheSettings } from './parts.ts';
import { KeyMaker, type KeySettings } from './keys.ts';
import type { cacheOptions, keyOptions } from './options.ts';

export type CacheConfig = Options<typeof cacheOptions>;

const defaultMaxBody = 16 * 1024 * 1024;
export const defaultMemory: number = 64 * 1024 * 1024;
const defaultDisk = 1024 * 1024 * 1024;

/** Converts the options to settings. Throws if options conflict. */
export function settingsOf(config: CacheConfig, context: Context): CacheSettings {
  const mode = config.mode ?? 'strict';
  return {
    name: config.cache_name ?? 'Sluice',
    methods: methodsOf(config, context),
    storing: {
      ttl: secondsOf(config.ttl),
      stale: secondsOf(config.stale),
      targeted: (config.targeted ?? ['CDN-Cache-Control']).map((name) => name.toLowerCase()),
      statuses: new Set(config.allowed_additional_status_codes ?? []),
      ignoresResponse: mode === 'bypass' || mode === 'bypass_response',
    },
    maxBody: config.max_cacheable_body_bytes ?? defaultMaxBody,
    defaultCacheControl: config.default_cache_control ?? '',
    excluded: patternOf(config.regex?.exclude ?? '', context, 'regex', 'exclude'),
    collapses: config.disable_coalescing !== true,
    ignoresRequest: mode === 'bypass' || mode === 'bypass_request',
    upstreamTimeout: secondsOf(config.timeout?.backend) * 1000,
    diskTimeout: secondsOf(config.timeout?.cache) * 1000,
    keys: keysOf(config, context),
  };
}

/** Returns the directory and size of the disk store, or `null` if no disk store is configured. */
export function diskOf(config: CacheConfig, context: Context): { readonly path: string; readonly size: number } | null {
  for (const name of ['etcd', 'redis', 'olric', 'nats'] as const)
    if (config[name] != null)
      throw context.error(`the store ${name} is not supported; use the options memory and disk`, name);
  const { disk } = config;
  if (disk != null) {
    if ((disk.path ?? '') === '') throw context.error('requires a path', 'disk');
    return { path: disk.path as string, size: disk.size ?? defaultDisk };
  }
  for (const name of ['badger', 'nuts', 'simplefs'] as const) {
    const path = config[name]?.path ?? '';
    if (path !== '') return { path, size: defaultDisk };
  }
  return null;
}

function methodsOf(config: CacheConfig, context: Context): ReadonlySet<string> {
  const methods = new Set((config.allowed_http_verbs ?? []).map((method) => method.toUpperCase()));
  for (const method of methods)
    if (method !== 'GET' && method !== 'HEAD')
      throw context.error(`only GET and HEAD can be cached, not ${method}`, 'allowed_http_verbs');
  return methods.size === 0 ? new Set(['GET', 'HEAD']) : methods;
}

function keysOf(config: CacheConfig, context: Context): KeyMaker {
  const shared = config.headers ?? [];
  const rules = Object.entries(config.cache_keys ?? {}).map(([text, key]) => ({
    pattern: patternOf(text, context, 'cache_keys', text) ?? { test: () => true },
    settings: keySettings(key, shared),
  }));
  return new KeyMaker(keySettings(config.key ?? {}, shared), rules);
}

function keySettings(key: Options<typeof keyOptions>, shared: readonly string[]): KeySettings {
  const template = key.template ?? '';
  return {
    method: key.disable_method !== true,
    scheme: key.disable_scheme !== true,
    host: key.disable_host !== true,
    query: key.disable_query !== true,
    hash: key.hash === true,
    headers: [...shared, ...(key.headers ?? [])].map((name) => name.toLowerCase()),
    template: template === '' ? null : compileText(template, 'empty'),
  };
}

function patternOf(text: string, context: Context, ...at: string[]): { test(text: string): boolean } | null {
  if (text === '') return null;
  try {
    return compileRegExp(text);
  } catch (error) {
    throw context.error(messageOf(error), ...at);
  }
}

function secondsOf(value: number | string | null | undefined): number {
  return value == null ? 0 : parseDuration(value) / 1000;
}
