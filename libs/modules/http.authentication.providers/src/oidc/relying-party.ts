/**
 * Client for an OpenID provider: fetches its metadata and sends requests to its endpoints. Each thread has one instance per provider and
 * client ID.
 */
import { messageOf, taskOf, unawaited, type JsonObject, type Logger } from '@sluice/base';
import { HttpError } from '@sluice/http-app';
import { ResourcePool, type Pooled } from '@sluice/registry';
import * as client from 'openid-client';
import { claimBytes, RefreshClaims } from './refresh-claims.ts';
import type { Settings } from './settings.ts';

/** Age after which the metadata is fetched again, in milliseconds. The old metadata remains in use until the new metadata arrives. */
const maxAge = 3600_000;
/** Delay before retrying a failed metadata request, in milliseconds. */
const discoveryPause = 5_000;
const refreshPause = 30_000;
/** Time for which requests with the old cookie share the result of a token refresh, in milliseconds. */
const refreshShared = 30_000;
const maxRefreshes = 1000;
/** Timeout for requests to the OpenID provider, in seconds. */
const timeout = 10;

/** Tokens issued by the OpenID provider. */
export interface Tokens {
  /** Verified claims. `null` if a refresh returned no ID token. */
  readonly claims: JsonObject | null;
  readonly idToken: string;
  readonly refreshToken: string;
  /** Lifetime of the access token in seconds. */
  readonly lifetime: number | undefined;
}

/**
 * Result of a token refresh. `ended` means that the provider rejects the refresh token. `unavailable` means that the provider fails.
 * `elsewhere` means that another thread has used the refresh token.
 */
export type Refreshed = Tokens | 'ended' | 'unavailable' | 'elsewhere';

/** A token refresh that is in progress or has just completed. */
interface Refresh {
  readonly result: Promise<Refreshed>;
  until: number;
}

export class RelyingParty implements Pooled {
  readonly #settings: Settings;
  readonly #log: Logger;
  readonly #claims: RefreshClaims;
  #known: client.Configuration | null = null;
  #fetchedAt = 0;
  #pending: Promise<client.Configuration> | null = null;
  #failedAt = Number.NEGATIVE_INFINITY;
  readonly #refreshes = new Map<string, Refresh>();
  #pausedUntil = 0;

  constructor(settings: Settings, log: Logger, claims: RefreshClaims) {
    this.#settings = settings;
    this.#log = log;
    this.#claims = claims;
  }

  /** Creates an instance for `sluice test`. It never contacts the OpenID provider. */
  static forTests(settings: Settings, log: Logger): RelyingParty {
    const { issuer, clientId } = settings;
    const party = new RelyingParty(settings, log, new RefreshClaims(new SharedArrayBuffer(claimBytes)));
    party.#known = new client.Configuration(
      { issuer: issuer.href, authorization_endpoint: `${issuer.href.replace(/\/$/, '')}/authorize` },
      clientId,
    );
    party.#fetchedAt = Number.POSITIVE_INFINITY;
    if (issuer.protocol === 'http:') client.allowInsecureRequests(party.#known);
    return party;
  }

  close(): void {}

  /** Returns the provider's metadata. While the provider is unavailable, outdated metadata remains in use. */
  async configuration(): Promise<client.Configuration> {
    const now = Date.now();
    if (this.#known !== null) {
      if (now - this.#fetchedAt > maxAge && now - this.#failedAt > discoveryPause)
        unawaited(
          taskOf('http.authentication.providers.oidc'),
          this.#discover().catch(() => {}),
        );
      return this.#known;
    }
    if (this.#pending === null && now - this.#failedAt < discoveryPause) throw unavailable(this.#settings.issuer);
    return this.#discover();
  }

  #discover(): Promise<client.Configuration> {
    return (this.#pending ??= this.#fetchMetadata().finally(() => (this.#pending = null)));
  }

  async #fetchMetadata(): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret, clockTolerance } = this.#settings;
    const execute = [client.enableNonRepudiationChecks];
    if (issuer.protocol === 'http:') execute.push(client.allowInsecureRequests);
    try {
      const found = await client.discovery(
        issuer,
        clientId,
        { [client.clockTolerance]: clockTolerance },
        authenticationOf(clientSecret),
        { execute, timeout },
      );
      this.#known = found;
      this.#fetchedAt = Date.now();
      return found;
    } catch (error) {
      this.#failedAt = Date.now();
      this.#log.error('failed to fetch provider metadata; new sign-ins fail, existing sessions continue', {
        issuer: issuer.href,
        error,
        reason: reasonOf(error),
      });
      throw unavailable(issuer);
    }
  }

  authorizationUrl(metadata: client.Configuration, parameters: Record<string, string>): string {
    return client.buildAuthorizationUrl(metadata, parameters).href;
  }

  /** Exchanges the authorization code of a callback for tokens. Verifies the state, issuer, nonce, signature and times. */
  async redeem(
    metadata: client.Configuration,
    callback: URL,
    checks: { readonly state: string; readonly nonce: string; readonly verifier: string },
  ): Promise<Tokens> {
    const response = await client.authorizationCodeGrant(metadata, callback, {
      expectedState: checks.state,
      expectedNonce: checks.nonce,
      pkceCodeVerifier: checks.verifier,
      idTokenExpected: true,
    });
    return this.#tokensOf(metadata, response);
  }

  /**
   * Refreshes tokens. Requests in this thread with the same refresh token share one refresh, because a second refresh could end the
   * session.
   */
  refresh(refreshToken: string): Promise<Refreshed> {
    const now = Date.now();
    const known = this.#refreshes.get(refreshToken);
    if (known !== undefined && known.until > now) return known.result;
    if (now < this.#pausedUntil) return Promise.resolve('unavailable');
    if (!this.#claims.claim(refreshToken)) return Promise.resolve('elsewhere');
    if (this.#refreshes.size >= maxRefreshes) this.#refreshes.delete(this.#refreshes.keys().next().value ?? '');
    const result = this.#refresh(refreshToken);
    const refresh = { result, until: Number.POSITIVE_INFINITY };
    this.#refreshes.set(refreshToken, refresh);
    unawaited(
      taskOf('http.authentication.providers.oidc'),
      result.then((found) => {
        // A refresh token that the provider did not replace can be used again.
        const isReplaced =
          typeof found === 'object' && found.refreshToken !== '' && found.refreshToken !== refreshToken;
        if (isReplaced || found === 'ended') refresh.until = Date.now() + refreshShared;
        else {
          this.#refreshes.delete(refreshToken);
          this.#claims.release(refreshToken);
        }
      }),
    );
    return result;
  }

  /** Sends a token refresh request. Never rejects. */
  async #refresh(refreshToken: string): Promise<Refreshed> {
    try {
      const metadata = await this.configuration();
      return await this.#tokensOf(metadata, await client.refreshTokenGrant(metadata, refreshToken));
    } catch (error) {
      if (error instanceof client.ResponseBodyError && error.error === 'invalid_grant') return 'ended';
      this.#pausedUntil = Date.now() + refreshPause;
      this.#log.error('failed to refresh tokens; sessions continue with the cached claims', {
        issuer: this.#settings.issuer.href,
        error,
        reason: reasonOf(error),
      });
      return 'unavailable';
    }
  }

  /** Revokes a refresh token. Stolen session cookies stop working at their next refresh. */
  async revoke(refreshToken: string): Promise<void> {
    try {
      const metadata = await this.configuration();
      if (metadata.serverMetadata().revocation_endpoint !== undefined)
        await client.tokenRevocation(metadata, refreshToken, { token_type_hint: 'refresh_token' });
    } catch (error) {
      this.#log.warn('failed to revoke a refresh token', { error });
    }
  }

  /** Returns the provider's sign-out URL. Returns `null` if there is none or the provider is unavailable. */
  async endSessionUrl(idToken: string, redirect: string): Promise<string | null> {
    try {
      const metadata = await this.configuration();
      if (metadata.serverMetadata().end_session_endpoint === undefined) return null;
      const hint = idToken === '' ? undefined : { id_token_hint: idToken };
      return client.buildEndSessionUrl(metadata, { ...hint, post_logout_redirect_uri: redirect }).href;
    } catch {
      // The failure has already been logged.
      return null;
    }
  }

  async #tokensOf(
    metadata: client.Configuration,
    response: client.TokenEndpointResponse & client.TokenEndpointResponseHelpers,
  ): Promise<Tokens> {
    let claims = (response.claims() ?? null) as JsonObject | null;
    if (this.#settings.userInfo) {
      const subject = claims === null ? client.skipSubjectCheck : String(claims['sub']);
      const info = (await client.fetchUserInfo(metadata, response.access_token, subject)) as unknown as JsonObject;
      claims = { ...claims, ...info };
    }
    return {
      claims,
      idToken: response.id_token ?? '',
      refreshToken: response.refresh_token ?? '',
      lifetime: response.expires_in,
    };
  }
}

/** OpenID clients of this thread. They survive configuration changes. */
export const relyingParties: ResourcePool<RelyingParty> = new ResourcePool();

/**
 * Returns the client authentication method. The default is HTTP basic authentication (OpenID Connect Core §9). If the provider does not
 * support this method, the secret is sent in the request body.
 */
function authenticationOf(secret: string): client.ClientAuth {
  if (secret === '') return client.None();
  const basic = client.ClientSecretBasic(secret);
  const post = client.ClientSecretPost(secret);
  return (server, metadata, body, headers) => {
    const supported = server.token_endpoint_auth_methods_supported;
    const usesBody = supported?.includes('client_secret_basic') === false && supported.includes('client_secret_post');
    return (usesBody ? post : basic)(server, metadata, body, headers);
  };
}

function unavailable(issuer: URL): HttpError {
  return new HttpError(503, `the OpenID provider ${issuer.href} is unavailable`);
}

/** Returns the innermost error message, which describes the root cause, such as a refused connection. */
export function reasonOf(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  return messageOf(inner);
}
