/** `http.reverse_proxy.selection_policies.cookie`: selects the upstream that is stored in a cookie set by the proxy. */
import { createHmac } from 'node:crypto';
import {
  isSecure,
  selectionPolicies,
  timeOption,
  type Exchange,
  type SelectionPolicy,
  type Upstream,
  type Watch,
} from '@sluice/http-app';
import { defineModule, duration, options, string } from '@sluice/registry';
import { isToken } from '@sluice/base';
import { fallbackOption, loadFallback } from '../../common/fallback.ts';

/** Maximum number of cached upstream addresses, because upstream sources may return new addresses indefinitely. */
const maxKnown = 4096;

export const cookieModule = defineModule(selectionPolicies, {
  name: 'cookie',
  help: 'Selects the upstream that is identified by a cookie (sticky sessions). Sets the cookie if it is missing or invalid.',
  config: options({
    name: string('Name of the session cookie. Default: lb.'),
    secret: string(
      'Secret key for hashing the upstream address in the cookie. The key prevents clients from guessing the address.',
    ),
    max_age: duration('Lifetime of the cookie. 0 = session cookie, which expires when the browser is closed.'),
    fallback: fallbackOption,
  }),
  async provision(config, context): Promise<SelectionPolicy> {
    const name = config.name || 'lb';
    if (!isToken(name)) throw context.error(`${JSON.stringify(name)} is not a valid cookie name`, 'name');
    const maxAge = Math.trunc(timeOption(config.max_age, 0, context, 'max_age') / 1000);
    const life = maxAge > 0 ? `; Max-Age=${maxAge}` : '';
    return new CookiePolicy(name, config.secret ?? '', life, await loadFallback(config.fallback, context));
  },
});

class CookiePolicy implements SelectionPolicy {
  readonly #name: string;
  readonly #secret: string;
  /** The cookie attribute `; Max-Age=…`, or an empty string. */
  readonly #life: string;
  readonly #attributes: string;
  readonly #secureAttributes: string;
  readonly #fallback: SelectionPolicy;
  /** Cookie values, keyed by upstream address. */
  readonly #values = new Map<string, string>();

  constructor(name: string, secret: string, life: string, fallback: SelectionPolicy) {
    this.#name = name;
    this.#secret = secret;
    this.#life = life;
    this.#fallback = fallback;
    this.#attributes = `; Path=/${life}; HttpOnly; SameSite=Lax`;
    this.#secureAttributes = `; Path=/${life}; HttpOnly; Secure; SameSite=None`;
  }

  watched(watch: Watch): SelectionPolicy {
    return new CookiePolicy(this.#name, this.#secret, this.#life, this.#fallback.watched?.(watch) ?? this.#fallback);
  }

  eligible(upstreams: readonly Upstream[], exchange: Exchange): readonly Upstream[] {
    const other = cookieOf(exchange, this.#name) === '' ? this.#fallback.eligible?.(upstreams, exchange) : undefined;
    return other ?? upstreams.filter(({ available }) => available);
  }

  select(upstreams: readonly Upstream[], exchange: Exchange): Upstream | null {
    const sent = cookieOf(exchange, this.#name);
    if (sent !== '') {
      for (const upstream of upstreams)
        if (this.#valueOf(upstream.address) === sent && upstream.available) return upstream;
    }
    const chosen = this.#fallback.select(upstreams, exchange);
    if (chosen !== null) this.#setCookie(exchange, chosen);
    return chosen;
  }

  /** Sets the cookie. On a retry, replaces the cookie of the previous attempt. */
  #setCookie(exchange: Exchange, upstream: Upstream): void {
    const { headers } = exchange.response;
    const start = `${this.#name}=`;
    const others = headers.all('set-cookie').filter((cookie) => !cookie.startsWith(start));
    const attributes = isSecure(exchange) ? this.#secureAttributes : this.#attributes;
    headers.setAll('set-cookie', [...others, `${start}${this.#valueOf(upstream.address)}${attributes}`]);
  }

  #valueOf(address: string): string {
    let value = this.#values.get(address);
    if (value === undefined) {
      value = createHmac('sha256', this.#secret).update(address).digest('hex');
      if (this.#values.size >= maxKnown) this.#values.clear();
      this.#values.set(address, value);
    }
    return value;
  }
}

function cookieOf(exchange: Exchange, name: string): string {
  const cookies = exchange.headers.joined('cookie', ';');
  if (cookies === undefined) return '';
  for (const part of cookies.split(';')) {
    const pair = part.trim();
    if (pair.startsWith(name) && pair[name.length] === '=')
      return pair.slice(name.length + 1).replace(/^"(.*)"$/, '$1');
  }
  return '';
}
