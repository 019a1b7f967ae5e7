/** Authorization code flow with PKCE (OpenID Connect Core §3.1, RFC 7636, RFC 9207). */
import type { Logger } from '@sluice/base';
import { HttpError, type Exchange } from '@sluice/http-app';
import * as client from 'openid-client';
import { cookieHost, type BrowserCookies } from './browser.ts';
import { putCookies } from './cookies.ts';
import { redirect, returnUri } from './navigation.ts';
import { challengeOf, maxDuration, startPending } from './pending-sign-in.ts';
import { reasonOf, type RelyingParty, type Tokens } from './relying-party.ts';
import { refreshTimes, writeSession } from './session.ts';
import type { Settings } from './settings.ts';
import type { UserRules } from './user-rules.ts';

/** Public origin of the server, as the browser uses it. */
export interface Site {
  readonly origin: string;
  readonly host: string;
  readonly cookies: BrowserCookies;
}

export interface SignInParts {
  readonly settings: Settings;
  readonly party: RelyingParty;
  readonly rules: UserRules;
  readonly log: Logger;
}

/** Starts a sign-in: redirects the browser to the OpenID provider. */
export async function startSignIn({ settings, party }: SignInParts, exchange: Exchange, site: Site): Promise<void> {
  const metadata = await party.configuration();
  const pending = startPending(returnUri(exchange.originalUri), nowInSeconds());
  site.cookies.setPending(exchange, pending, site.host);
  const location = party.authorizationUrl(metadata, {
    ...settings.authorizationParams,
    redirect_uri: site.origin + settings.callbackPath,
    scope: settings.scope,
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: challengeOf(pending),
    code_challenge_method: 'S256',
  });
  redirect(exchange, location);
}

/** Handles the callback from the OpenID provider: verifies it, exchanges the authorization code, and starts a session. */
export async function finishSignIn(parts: SignInParts, exchange: Exchange, site: Site): Promise<void> {
  const { settings, party, rules, log } = parts;
  const callback = new URL(settings.callbackPath, site.origin);
  callback.search = exchange.originalQuery ?? '';
  const state = callback.searchParams.get('state') ?? '';
  const pending = site.cookies.takePending(exchange, state, site.host);
  const now = nowInSeconds();
  if (pending === null || now - pending.at > maxDuration)
    throw new HttpError(400, 'unknown sign-in: it was already completed, took too long, or began in another browser');
  const metadata = await party.configuration();
  let tokens: Tokens;
  try {
    tokens = await party.redeem(metadata, callback, pending);
  } catch (error) {
    throw failureOf(error, log);
  }
  const claims = rules.keep(tokens.claims ?? {});
  const { user, denial } = rules.userOf(claims);
  if (denial !== null) {
    log.info('denied access', { user: user.id, reason: denial });
    throw new HttpError(403, `access denied: ${denial}`);
  }
  const { refreshToken, lifetime } = tokens;
  const session = { claims, start: now, seen: now, refreshToken, ...refreshTimes(now, lifetime, refreshToken) };
  const maxAge = Math.min(settings.lifetime, settings.idleTimeout);
  const { lines } = site.cookies.sealSession(exchange, writeSession(session), site.host, maxAge);
  putCookies(exchange.response.headers, lines);
  site.cookies.setIdToken(exchange, tokens.idToken, site.host, settings.lifetime);
  redirect(exchange, site.origin + pending.uri);
}

/**
 * Converts a callback failure to an HTTP error. Status 400 and 403 mean that the client caused the failure. The operator must resolve any
 * other failure.
 */
function failureOf(error: unknown, log: Logger): HttpError {
  if (error instanceof client.AuthorizationResponseError) {
    log.info('provider rejected a sign-in', { error: error.error });
    return error.error === 'temporarily_unavailable' || error.error === 'server_error'
      ? new HttpError(503, `the provider failed: ${error.error}`)
      : new HttpError(403, `the provider rejected the sign-in: ${error.error}`);
  }
  if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant') {
    log.info('identity provider rejected an authorization code', { reason: reasonOf(error) });
    return new HttpError(400, 'the provider rejected the authorization code');
  }
  log.error('failed to sign in', { error, reason: reasonOf(error) });
  return new HttpError(502, `the sign-in failed: ${reasonOf(error)}`);
}

export function siteOf(exchange: Exchange, settings: Settings, isSecure: boolean, cookies: BrowserCookies): Site {
  const origin = settings.origin ?? `${isSecure ? 'https' : 'http'}://${exchange.originalHost}`;
  if (!URL.canParse(origin)) throw new HttpError(400, 'invalid host');
  return { origin, host: hostOfSite(exchange, settings), cookies };
}

/** Returns the host to which the cookies of a request are bound. */
export function hostOfSite(exchange: Exchange, settings: Settings): string {
  return settings.origin === null ? cookieHost(exchange.originalHost) : settings.origin;
}

export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
