/**
 * Cookies for one scheme (HTTP or HTTPS): their names and attributes, and the context that their encryption is bound
 * to.
 */
import { hostOf, type Exchange } from '@sluice/http-app';
import { CookieLines, cookieIn, joinedCookie, putCookies, takeCookies } from './cookies.ts';
import { isState, maxDuration, readPending, slots, writePending, type PendingSignIn } from './pending-sign-in.ts';
import type { Sealer } from './sealing-keys.ts';
import type { Settings } from './settings.ts';

export class BrowserCookies {
  /** Name of the session cookie, and prefix of the other cookie names. */
  readonly #name: string;
  readonly #keys: Sealer;
  /** Binds encrypted values to this provider and client. */
  readonly #scope: string;
  readonly #lines: CookieLines;
  /**
   * Name of the ID token cookie, which is only sent to the sign-out path. Cookies with a path can't have the prefix
   * `__Host-`.
   */
  readonly #idName: string;
  readonly #idLines: CookieLines;

  constructor(settings: Settings, keys: Sealer, isSecure: boolean) {
    const { cookieName, issuer, clientId, signOutPath } = settings;
    // RFC 6265bis §4.1.3.2: only this host can set a cookie with this prefix, over HTTPS and for all paths.
    this.#name = isSecure ? `__Host-${cookieName}` : cookieName;
    this.#idName = isSecure ? `__Secure-${cookieName}_id` : `${cookieName}_id`;
    this.#keys = keys;
    this.#scope = JSON.stringify([issuer.href, clientId]);
    const secure = isSecure ? '; Secure' : '';
    this.#lines = new CookieLines(`; Path=/${secure}; HttpOnly; SameSite=Lax`);
    this.#idLines = new CookieLines(`; Path=${signOutPath}${secure}; HttpOnly; SameSite=Lax`);
  }

  /** Returns the encrypted session of a request, and removes its cookies from the request; empty if there is none. */
  takeSession(exchange: Exchange): string {
    return joinedCookie(takeCookies(exchange, this.#name), this.#name);
  }

  openSession(sealed: string, host: string): string | null {
    return this.#keys.open(sealed, this.#purpose('session', host));
  }

  /** Returns the encrypted session with its Set-Cookie lines. */
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

  /** Stores a sign-in in progress in a free slot. If all slots are used, replaces an arbitrary one. */
  setPending(exchange: Exchange, pending: PendingSignIn, host: string): void {
    const taken = takeCookies(exchange, this.#name);
    let slot = Math.floor(Math.random() * slots);
    for (let i = 0; i < slots; i++) if (cookieIn(taken, `${this.#name}_${i}`) === '') slot = i;
    const sealed = this.#keys.seal(writePending(pending), this.#purpose('sign-in', host));
    putCookies(exchange.response.headers, [this.#lines.of(`${this.#name}_${slot}`, sealed, maxDuration)]);
  }

  /** Removes and returns the sign-in with this state; `null` if the browser has none. */
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

  /** Stores the ID token for sign-out at the provider, if the token fits into a cookie. */
  setIdToken(exchange: Exchange, idToken: string, host: string, maxAge: number): void {
    const sealed = idToken === '' ? '' : this.#keys.seal(idToken, this.#purpose('id', host));
    if (sealed !== '' && sealed.length <= 3800)
      putCookies(exchange.response.headers, [this.#idLines.of(this.#idName, sealed, maxAge)]);
  }

  /** Removes and returns the ID token; empty if there is no ID token. */
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

/** Returns the host that cookies are bound to. As in browsers, cookies do not depend on the port. */
export function cookieHost(authority: string): string {
  return hostOf(authority).toLowerCase();
}
