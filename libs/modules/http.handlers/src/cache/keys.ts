/** Creates cache keys. */
import { hash } from 'node:crypto';
import type { Exchange, HttpTemplate } from '@sluice/http-app';

/** Configured components of the cache key. */
export interface KeySettings {
  readonly method: boolean;
  readonly scheme: boolean;
  readonly host: boolean;
  readonly query: boolean;
  readonly hash: boolean;
  /** Lowercase names of the request headers that are part of the key. */
  readonly headers: readonly string[];
  /** Template that replaces the complete key. */
  readonly template: HttpTemplate | null;
}

/** Key settings for paths that match a pattern. */
export interface KeyRule {
  readonly pattern: { test(path: string): boolean };
  readonly settings: KeySettings;
}

/** Creates the cache keys for a handler. */
export class KeyMaker {
  readonly #usual: KeySettings;
  readonly #rules: readonly KeyRule[];

  constructor(usual: KeySettings, rules: readonly KeyRule[]) {
    this.#usual = usual;
    this.#rules = rules;
  }

  /**
   * Returns the cache key for a request. While a configuration change is rolling out, responses that it may affect are stored under
   * separate keys.
   */
  keyOf(exchange: Exchange): string {
    return this.scoped(exchange, this.keyFor(exchange, exchange.uri));
  }

  /** Adds an identifier of the rollout to a key if the configuration change may affect the response. */
  scoped(exchange: Exchange, key: string): string {
    const canary = exchange.server?.canary ?? null;
    return canary !== null && canary.affects(exchange) ? `${key}\ncanary ${canary.id}` : key;
  }

  /** Returns the cache key for a GET request with a different target, but the same host and headers. */
  keyFor(exchange: Exchange, uri: string): string {
    const settings = this.#rules.length === 0 ? this.#usual : this.#settingsFor(uri);
    const { template, headers } = settings;
    let key = template === null ? plainKey(exchange, uri, settings) : template.expand(exchange);
    // Targets and header values cannot contain line feeds, so different requests never have the same key.
    for (let i = 0; i < headers.length; i++) key += `\n${exchange.headers.joined(headers[i] as string) ?? ''}`;
    return settings.hash ? hash('sha256', key) : key;
  }

  #settingsFor(uri: string): KeySettings {
    for (const { pattern, settings } of this.#rules) if (pattern.test(uri)) return settings;
    return this.#usual;
  }
}

function plainKey({ connection, host }: Exchange, uri: string, settings: KeySettings): string {
  let key = settings.method ? 'GET-' : '';
  if (settings.scheme) key += connection.tls === null ? 'http-' : 'https-';
  if (settings.host) key += `${host.toLowerCase()}-`;
  if (settings.query) return key + uri;
  const mark = uri.indexOf('?');
  return key + (mark < 0 ? uri : uri.slice(0, mark));
}
