/**
 * Connection to an OpenID provider: its metadata, and requests to its endpoints. Each thread has one per provider and
 * client.
 */
import { messageOf, taskOf, unawaited, type JsonObject, type Logger } from '@sluice/base';
import { HttpError } from '@sluice/http-app';
import { ResourcePool, type Pooled } from '@sluice/registry';
import * as client from 'openid-client';
import { claimBytes, RefreshClaims } from './refresh-claims.ts';
import type { Settings } from './settings.ts';

/** Age after which the metadata is fetched again, in milliseconds. The old metadata is used until then. */
const maxAge = 3600_000;
/** Delay before metadata is fetched again after a failure, in milliseconds. */
const discoveryPause = 5_000;
const refreshPause = 30_000;
/** Time in milliseconds for which requests with the old cookie reuse the result of a refresh. */
const refreshShared = 30_000;
const maxRefreshes = 1000;
/** Timeout of a request to the provider, in seconds. */
const timeout = 10;

/** Tokens that the provider issued. */
export interface Tokens {
  /** Verified claims; `null` if a refresh returned no ID token. */
  readonly claims: JsonObject | null;
  readonly idToken: string;
  readonly refreshToken: string;
  /** Lifetime of the access token in seconds. */
  readonly lifetime: number | undefined;
}

/**
 * Result of a refresh: tokens; `ended` if the provider rejects the refresh token; `unavailable` if the provider fails;
 * `elsewhere` if another thread has used the refresh token.
 */
export type Refreshed = Tokens | 'ended' | 'unavailable' | 'elsewhere';

/** A refresh that is in flight or has just completed. */
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

  /** Returns a relying party for `sluice test`, which never contacts the provider. */
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

  /** Returns the metadata. Outdated metadata remains in use while the provider is unavailable. */
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

  /** Redeems the code of a callback. Verifies state, issuer, nonce, signature and times. */
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

  /** Refreshes tokens. Requests of this thread with the same token share one refresh, because a second refresh may end the session. */
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
        // A token that was not replaced can be used again.
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

  /** Refreshes tokens. Never rejects. */
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

  /** Revokes a refresh token, so that stolen session cookies stop working at the next refresh. */
  async revoke(refreshToken: string): Promise<void> {
    try {
      const metadata = await this.configuration();
      if (metadata.serverMetadata().revocation_endpoint !== undefined)
        await client.tokenRevocation(metadata, refreshToken, { token_type_hint: 'refresh_token' });
    } catch (error) {
      this.#log.warn('failed to revoke a refresh token', { error });
    }
  }

  /** Returns the provider's sign-out URL; `null` if the provider has none or is unavailable. */
  async endSessionUrl(idToken: string, redirect: string): Promise<string | null> {
    try {
      const metadata = await this.configuration();
      if (metadata.serverMetadata().end_session_endpoint === undefined) return null;
      const hint = idToken === '' ? undefined : { id_token_hint: idToken };
      return client.buildEndSessionUrl(metadata, { ...hint, post_logout_redirect_uri: redirect }).href;
    } catch {
      // The failure was already logged.
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

/** Relying parties of this thread, which survive configuration changes. */
export const relyingParties: ResourcePool<RelyingParty> = new ResourcePool();

/**
 * OpenID Connect Core §9 defaults to basic authentication. If the provider doesn't support it, the secret is sent in
 * the body.
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

/** Returns the innermost message, which names the cause, such as a refused connection. */
export function reasonOf(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  return messageOf(inner);
}
