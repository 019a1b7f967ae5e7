/** Validated options of the OpenID module. */
import { isToken, parseDuration, requiredText, type DurationValue } from '@sluice/base';
import type { Context, Options } from '@sluice/registry';
import { defaultRedirect, defaultSignOut, type oidcOptions } from './options.ts';

type Config = Options<typeof oidcOptions>;

export interface Settings {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string;
  readonly authorizationParams: Readonly<Record<string, string>>;
  /** Configured origin of the server, such as `https://example.com`. `null` selects the origin of the request. */
  readonly origin: string | null;
  readonly callbackPath: string;
  readonly signOutPath: string;
  readonly signOutRedirect: string;
  readonly userInfo: boolean;
  readonly cookieName: string;
  /** Times in seconds. */
  readonly lifetime: number;
  readonly idleTimeout: number;
  readonly clockTolerance: number;
}

export function readSettings(config: Config, context: Context): Settings {
  const textOf = (key: 'issuer' | 'client_id' | 'client_secret' | 'redirect_uri'): string =>
    requiredText(config[key], context, key).trim();
  const issuer = textOf('issuer');
  if (!/^https?:\/\//.test(issuer) || !URL.canParse(issuer))
    throw context.error('must be the URL of an OpenID provider, such as "https://id.example.com"', 'issuer');
  const clientId = textOf('client_id');
  if (clientId === '') throw context.error('requires the client ID that the provider assigned', 'client_id');
  const scopes = config.scopes ?? ['profile', 'email'];
  const cookieName = config.cookie_name || 'sluice_session';
  if (!isToken(cookieName))
    throw context.error(`${JSON.stringify(cookieName)} is not a valid cookie name`, 'cookie_name');
  const redirect = readRedirect(textOf('redirect_uri') || defaultRedirect, context);
  const signOutPath = config.sign_out_path || defaultSignOut;
  if (!isPath(signOutPath)) throw context.error('must be a path such as "/oauth2/sign_out"', 'sign_out_path');
  if (signOutPath === redirect.callbackPath)
    throw context.error('must differ from the path in redirect_uri', 'sign_out_path');
  const signOutRedirect = config.sign_out_redirect || '/';
  if (!isPath(signOutRedirect) && !/^https?:\/\//.test(signOutRedirect))
    throw context.error('must be a path or an HTTP or HTTPS URL', 'sign_out_redirect');
  return {
    issuer: new URL(issuer),
    clientId,
    clientSecret: textOf('client_secret'),
    scope: [...new Set(['openid', ...scopes])].join(' '),
    authorizationParams: readParams(config, context),
    ...redirect,
    signOutPath,
    signOutRedirect,
    userInfo: config.user_info === true,
    cookieName,
    lifetime: secondsOf(config.session_lifetime, 12 * 3600, context, 'session_lifetime'),
    idleTimeout: secondsOf(config.idle_timeout, 2 * 3600, context, 'idle_timeout'),
    clockTolerance: secondsOf(config.clock_tolerance, 30, context, 'clock_tolerance'),
  };
}

function readRedirect(redirect: string, context: Context): Pick<Settings, 'origin' | 'callbackPath'> {
  if (isPath(redirect)) return { origin: null, callbackPath: redirect };
  const url = /^https?:\/\//.test(redirect) && URL.canParse(redirect) ? new URL(redirect) : null;
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '')
    throw context.error(
      'must be a path, or a URL without query and fragment, such as "https://example.com/oauth2/callback"',
      'redirect_uri',
    );
  return { origin: url.origin, callbackPath: url.pathname };
}

/** Request parameters that protect the sign-in. The configuration can't override them. */
const reserved =
  /^(?:client_id|redirect_uri|response_type|response_mode|scope|state|nonce|code_challenge(?:_method)?)$/;

function readParams(config: Config, context: Context): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(config.authorization_params ?? {})) {
    if (reserved.test(name))
      throw context.error(`${name} cannot be configured, because the server sets it`, 'authorization_params', name);
    found[name] = value ?? '';
  }
  return found;
}

/** Reports whether a string is a path on this server. Browsers interpret `//host` and `/\host` as other servers. */
function isPath(text: string): boolean {
  return /^\/(?![/\\])[^?#\\\s\p{Cc}]*$/u.test(text);
}

/** Returns a duration in seconds. A negative duration becomes Infinity. */
function secondsOf(
  value: DurationValue | null | undefined,
  defaultSeconds: number,
  context: Context,
  key: string,
): number {
  if (value == null || value === 0) return defaultSeconds;
  let time;
  try {
    time = parseDuration(value);
  } catch (error) {
    throw context.error((error as Error).message, key);
  }
  if (time === 0) return defaultSeconds;
  return time < 0 && key === 'idle_timeout' ? Number.POSITIVE_INFINITY : Math.max(1, Math.round(Math.abs(time) / 1000));
}
