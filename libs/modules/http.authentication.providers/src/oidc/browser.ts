/**
 * Cookies of the OpenID module for one scheme (HTTP or HTTPS). Defines their names, attributes, and the context to which their encryption
 * is bound.
 */
import { hostOf, type Exchange } from '@sluice/http-app';
import { CookieLines, cookieIn, joinedCookie, putCookies, takeCookies } from './cookies.ts';
import { isState, maxDuration, readPending, slots, writePending, type PendingSignIn } from './pending-sign-in.ts';
import type { Sealer } from './sealing-keys.ts';
import type { Settings } from './settings.ts';

export class BrowserCookies {
  /** Name of the session cookie. The other cookie names begin with it. */
  readonly #name: string;
  readonly #keys: Sealer;
  /** Context that binds encrypted values to this provider and client ID. */
  readonly #scope: string;
  readonly #lines: CookieLines;
  /** Name of the ID token cookie, which is only sent to the sign-out path. A cookie with a path can't use the prefix `__Host-`. */
  readonly #idName: string;
  readonly #idLines: CookieLines;

  constructor(settings: Settings, keys: Sealer, isSecure: boolean) {
    const { cookieName, issuer, clientId, signOutPath } = settings;
    // A cookie with this prefix can only be set by this host, over HTTPS and for all paths (RFC 6265bis §4.1.3.2).
    this.#name = isSecure ? `__Host-${cookieName}` : cookieName;
    this.#idName = isSecure ? `__Secure-${cookieName}_id` : `${cookieName}_id`;
    this.#keys = keys;
    this.#scope = JSON.stringify([issuer.href, clientId]);
    const secure = isSecure ? '; Secure' : '';
    this.#lines = new CookieLines(`; Path=/${secure}; HttpOnly; SameSite=Lax`);
    this.#idLines = new CookieLines(`; Path=${signOutPath}${secure}; HttpOnly; SameSite=Lax`);
  }

  /** Returns the encrypted session in a request, or an empty string if there is none. Removes the session cookies from the request. */
  takeSession(exchange: Exchange): string {
    return joinedCookie(takeCookies(exchange, this.#name), this.#name);
  }

  openSession(sealed: string, host: string): string | null {
    return this.#keys.open(sealed, this.#purpose('session', host));
  }

  /** Encrypts a session. Returns the encrypted session and the `Set-Cookie` lines for it. */
  sealSession(
    exchange: Exchange,
    text: string,
    host: string,
    maxAge: number,
  ): { readonly sealed: string; readonly lines: readonly string[] } {
    const sealed = this.#keys.seal(text, this.#purpose('session', host));
    return { sealed, lines: this.#lines.joined(takeCookies(exchange, this.#name), this.#name, sealed, maxAge) };
  }

  expireSession(exchange: Exchange): void {
    const lines = this.#lines.joined(takeCookies(exchange, this.#name), this.#name, '', 0);
    putCookies(exchange.response.headers, lines);
  }

  /** Stores a pending sign-in in a free slot. If all slots are in use, replaces an arbitrary one. */
  setPending(exchange: Exchange, pending: PendingSignIn, host: string): void {
    const taken = takeCookies(exchange, this.#name);
    let slot = Math.floor(Math.random() * slots);
    for (let i = 0; i < slots; i++) if (cookieIn(taken, `${this.#name}_${i}`) === '') slot = i;
    const sealed = this.#keys.seal(writePending(pending), this.#purpose('sign-in', host));
    putCookies(exchange.response.headers, [this.#lines.of(`${this.#name}_${slot}`, sealed, maxDuration)]);
  }

  /** Removes and returns the pending sign-in with a given state. Returns `null` if the browser has none. */
  takePending(exchange: Exchange, state: string, host: string): PendingSignIn | null {
    const taken = takeCookies(exchange, this.#name);
    for (let i = 0; i < slots; i++) {
      const name = `${this.#name}_${i}`;
      const sealed = cookieIn(taken, name);
      const text = sealed === '' ? null : this.#keys.open(sealed, this.#purpose('sign-in', host));
      const pending = text === null ? null : readPending(text);
      if (pending === null || !isState(pending, state)) continue;
      putCookies(exchange.response.headers, [this.#lines.of(name, '', 0)]);
      return pending;
    }
    return null;
  }

  /** Stores the ID token, which is needed to sign out at the provider. A token that does not fit in a cookie is not stored. */
  setIdToken(exchange: Exchange, idToken: string, host: string, maxAge: number): void {
    const sealed = idToken === '' ? '' : this.#keys.seal(idToken, this.#purpose('id', host));
    if (sealed !== '' && sealed.length <= 3800)
      putCookies(exchange.response.headers, [this.#idLines.of(this.#idName, sealed, maxAge)]);
  }

  /** Removes and returns the ID token. Returns an empty string if there is none. */
  takeIdToken(exchange: Exchange, host: string): string {
    const sealed = cookieIn(takeCookies(exchange, this.#idName), this.#idName);
    if (sealed === '') return '';
    putCookies(exchange.response.headers, [this.#idLines.of(this.#idName, '', 0)]);
    return this.#keys.open(sealed, this.#purpose('id', host)) ?? '';
  }

  #purpose(kind: string, host: string): string {
    return `${kind} ${host} ${this.#scope}`;
  }
}

/** Returns the host to which cookies are bound. As in browsers, the port is ignored. */
export function cookieHost(authority: string): string {
  return hostOf(authority).toLowerCase();
}
