/** Authenticates requests by their session cookie. Only sign-ins and token refreshes wait for the OpenID provider. */
import { taskOf, unawaited } from '@sluice/base';
import {
  HttpError,
  isSecure,
  type AuthenticationProvider,
  type Exchange,
  type Rehearsal,
  type User,
} from '@sluice/http-app';
import { AcceptedTokens } from '../common/accepted-tokens.ts';
import { BrowserCookies } from './browser.ts';
import { isNavigation, redirect } from './navigation.ts';
import { PrivateResponse } from './private-response.ts';
import type { Sealer } from './sealing-keys.ts';
import { readSession, refreshTimes, writeSession, type Session } from './session.ts';
import { finishSignIn, hostOfSite, nowInSeconds, siteOf, startSignIn, type SignInParts, type Site } from './sign-in.ts';
import type { SessionUser } from './user-rules.ts';

/** A decrypted session cookie. */
interface Opened extends SessionUser {
  readonly session: Session;
  readonly sealed: string;
  readonly cookies: BrowserCookies;
  readonly host: string;
  /** Time at which the session must be renewed or ended, in seconds since the Unix epoch. */
  readonly renewAt: number;
}

/** Divisor of the idle timeout. The session cookie is rewritten after one eighth of the idle timeout has passed. */
const slide = 8;
/** Minimum time between refresh attempts while the OpenID provider is unavailable, in seconds. */
const retryInterval = 30;

export class OidcProvider implements AuthenticationProvider {
  readonly ownFields: readonly string[];
  readonly #parts: SignInParts;
  readonly #plain: BrowserCookies;
  readonly #secure: BrowserCookies;
  readonly #opened = new AcceptedTokens<Opened>();

  constructor(parts: SignInParts, keys: Sealer) {
    this.#parts = parts;
    this.ownFields = parts.rules.fieldNames;
    this.#plain = new BrowserCookies(parts.settings, keys, false);
    this.#secure = new BrowserCookies(parts.settings, keys, true);
  }

  authenticate(exchange: Exchange): User | null | Promise<User | null> {
    const { settings } = this.#parts;
    const cookies = this.#isSecure(exchange) ? this.#secure : this.#plain;
    const sealed = cookies.takeSession(exchange);
    const { originalRawPath: path } = exchange;
    if (path === settings.callbackPath) return this.#finishSignIn(exchange);
    if (path === settings.signOutPath) return this.#signOut(exchange, sealed);
    if (sealed === '') return null;
    const now = nowInSeconds();
    const host = hostOfSite(exchange, settings);
    let opened = this.#opened.find(sealed, now);
    if (opened === null || opened.host !== host || opened.cookies !== cookies) {
      opened = this.#open(cookies, sealed, host);
      if (opened === null) return null;
      this.#remember(opened, now);
    }
    return now < opened.renewAt ? admit(exchange, opened) : this.#renew(exchange, opened, now);
  }

  async challenge(exchange: Exchange): Promise<boolean> {
    if (!isNavigation(exchange)) return false;
    await startSignIn(this.#parts, exchange, this.#siteOf(exchange));
    return true;
  }

  /** Session cookies are not decrypted in a dry run, because the result would depend on the current time. */
  rehearse(exchange: Exchange, rehearsal: Rehearsal): boolean {
    const { issuer, cookieName, callbackPath, signOutPath } = this.#parts.settings;
    const { originalRawPath: path } = exchange;
    if (path === callbackPath || path === signOutPath)
      rehearsal.stop(exchange, `${path} completes a sign-in or sign-out at the OpenID provider ${issuer.href}`);
    const hasSession = rehearsal.decides(exchange, 'providers.oidc', () => {
      if (exchange.headers.get('cookie')?.includes(cookieName) !== true) return false;
      rehearsal.depends(exchange, 'the session in the cookie');
      return true;
    });
    if (!hasSession && isNavigation(exchange))
      rehearsal.stop(exchange, `redirects the browser to the OpenID provider ${issuer.href}`);
    return hasSession;
  }

  #isSecure(exchange: Exchange): boolean {
    const { origin } = this.#parts.settings;
    return origin === null ? isSecure(exchange) : origin.startsWith('https:');
  }

  #siteOf(exchange: Exchange): Site {
    const secure = this.#isSecure(exchange);
    return siteOf(exchange, this.#parts.settings, secure, secure ? this.#secure : this.#plain);
  }

  #open(cookies: BrowserCookies, sealed: string, host: string): Opened | null {
    const text = cookies.openSession(sealed, host);
    const session = text === null ? null : readSession(text);
    return session === null ? null : this.#openedOf({ cookies, sealed, host }, session);
  }

  #openedOf({ cookies, sealed, host }: Pick<Opened, 'cookies' | 'sealed' | 'host'>, session: Session): Opened {
    const refreshAt = session.refreshAt === 0 ? Number.POSITIVE_INFINITY : session.refreshAt;
    const renewAt = Math.min(this.#endOf(session), this.#slideOf(session), refreshAt);
    return { session, sealed, cookies, host, renewAt, ...this.#parts.rules.userOf(session.claims) };
  }

  #remember(opened: Opened, now: number): void {
    this.#opened.add(opened.sealed, opened, now, this.#endOf(opened.session));
  }

  /** Returns the time at which the session cookie must be written again. */
  #slideOf({ seen }: Session): number {
    return seen + Math.ceil(this.#parts.settings.idleTimeout / slide);
  }

  /** Returns the time at which a session ends, in seconds since the Unix epoch. */
  #endOf({ start, seen }: Session): number {
    const { lifetime, idleTimeout } = this.#parts.settings;
    return Math.min(start + lifetime, seen + idleTimeout);
  }

  /** Ends a session, refreshes its tokens, or extends its idle timeout, depending on the time. */
  #renew(exchange: Exchange, opened: Opened, now: number): User | null | Promise<User | null> {
    const { session } = opened;
    if (now >= this.#endOf(session)) return null;
    // A response to an upgrade request can't set the new cookie.
    if (exchange.headers.has('upgrade')) return admit(exchange, opened);
    if (session.refreshAt !== 0 && now >= session.refreshAt) return this.#refresh(exchange, opened, now);
    return this.#keep(exchange, opened, { ...session, seen: now }, now);
  }

  async #refresh(exchange: Exchange, opened: Opened, now: number): Promise<User | null> {
    const { session } = opened;
    const tokens = await this.#parts.party.refresh(session.refreshToken);
    if (tokens === 'elsewhere' || tokens === 'unavailable' || (tokens === 'ended' && now < session.expiry)) {
      const refreshAt = tokens === 'ended' ? session.expiry : now + retryInterval;
      const next = { ...session, refreshAt };
      // If another thread or server has used the refresh token, the browser already has a newer cookie. Don't overwrite it.
      if (tokens === 'unavailable' && now >= this.#slideOf(session))
        return this.#keep(exchange, opened, { ...next, seen: now }, now);
      const postponed = this.#openedOf(opened, next);
      this.#remember(postponed, now);
      return admit(exchange, postponed);
    }
    const isOther = tokens !== 'ended' && tokens.claims !== null && tokens.claims['sub'] !== session.claims['sub'];
    if (tokens === 'ended' || isOther) {
      this.#opened.delete(opened.sealed);
      opened.cookies.expireSession(exchange);
      return null;
    }
    const { rules } = this.#parts;
    const refreshToken = tokens.refreshToken || session.refreshToken;
    const claims = tokens.claims === null ? session.claims : rules.keep(tokens.claims);
    const times = refreshTimes(now, tokens.lifetime, refreshToken);
    return this.#keep(exchange, opened, { ...session, claims, refreshToken, seen: now, ...times }, now);
  }

  /** Sends a new cookie for a session and admits the request. */
  #keep(exchange: Exchange, { cookies, host }: Opened, session: Session, now: number): User {
    const maxAge = this.#endOf(session) - now;
    const { sealed, lines } = cookies.sealSession(exchange, writeSession(session), host, maxAge);
    exchange.response = new PrivateResponse(exchange.response, lines);
    const opened = this.#openedOf({ cookies, sealed, host }, session);
    this.#remember(opened, now);
    return admit(exchange, opened);
  }

  async #finishSignIn(exchange: Exchange): Promise<null> {
    await finishSignIn(this.#parts, exchange, this.#siteOf(exchange));
    return null;
  }

  /** Ends the session on this server and, if possible, at the OpenID provider. */
  async #signOut(exchange: Exchange, sealed: string): Promise<null> {
    // Reject cross-site requests, so that links on other sites can't sign users out.
    if (exchange.headers.get('sec-fetch-site') === 'cross-site')
      throw new HttpError(403, 'sign-out requests from other sites are rejected');
    const { settings, party } = this.#parts;
    const { cookies, host, origin } = this.#siteOf(exchange);
    const refreshToken = sealed === '' ? '' : (this.#open(cookies, sealed, host)?.session.refreshToken ?? '');
    this.#opened.delete(sealed);
    if (refreshToken !== '') unawaited(taskOf('http.authentication.providers.oidc'), party.revoke(refreshToken));
    cookies.expireSession(exchange);
    const idToken = cookies.takeIdToken(exchange, host);
    const target = new URL(settings.signOutRedirect, origin).href;
    redirect(exchange, (await party.endSessionUrl(idToken, target)) ?? target);
    return null;
  }
}

/** Adds the headers that identify a user to a request. */
function admit(exchange: Exchange, { user, fields, denial }: Opened): User {
  if (denial !== null) throw new HttpError(403, `access denied: ${denial}`);
  for (let i = 0; i < fields.length; i += 2) exchange.headers.set(fields[i] ?? '', fields[i + 1] ?? '');
  return user;
}
