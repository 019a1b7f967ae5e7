/** Keys of stored responses. */
import { hash } from 'node:crypto';
import type { Exchange, HttpTemplate } from '@sluice/http-app';

/** Components of the key. */
export interface KeySettings {
  readonly method: boolean;
  readonly scheme: boolean;
  readonly host: boolean;
  readonly query: boolean;
  readonly hash: boolean;
  /** Lowercase names of request fields. */
  readonly headers: readonly string[];
  /** Template that replaces the whole key. */
  readonly template: HttpTemplate | null;
}

/** Settings for the paths that a pattern matches. */
export interface KeyRule {
  readonly pattern: { test(path: string): boolean };
  readonly settings: KeySettings;
}

/** Creates the cache keys of a handler. */
export class KeyMaker {
  readonly #usual: KeySettings;
  readonly #rules: readonly KeyRule[];

  constructor(usual: KeySettings, rules: readonly KeyRule[]) {
    this.#usual = usual;
    this.#rules = rules;
  }

  /** Returns the key of a request. Responses of a change that is being rolled out are stored separately, until it is made. */
  keyOf(exchange: Exchange): string {
    return this.scoped(exchange, this.keyFor(exchange, exchange.uri));
  }

  /** Adds the rollout to a key if its change may affect the response. */
  scoped(exchange: Exchange, key: string): string {
    const canary = exchange.server?.canary ?? null;
    return canary !== null && canary.affects(exchange) ? `${key}\ncanary ${canary.id}` : key;
  }

  /** Returns the key of a GET request for another target with the same host and fields. */
  keyFor(exchange: Exchange, uri: string): string {
    const settings = this.#rules.length === 0 ? this.#usual : this.#settingsFor(uri);
    const { template, headers } = settings;
    let key = template === null ? plainKey(exchange, uri, settings) : template.expand(exchange);
    // Targets and values don't contain line feeds, so different requests never have the same key.
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
