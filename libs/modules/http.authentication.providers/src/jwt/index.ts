/** The module `http.authentication.providers.jwt`, which authenticates requests with JSON Web Tokens (RFC 7519, RFC 6750). */
import {
  authenticationProviders,
  compileText,
  resolveGlobalText,
  type AuthenticationProvider,
  type Exchange,
  type HttpTemplate,
  type User,
} from '@sluice/http-app';
import { isObject, messageOf, type Json, type JsonObject, type Logger } from '@sluice/base';
import { boolean, defineModule, map, options, string, strings, type Context, type Options } from '@sluice/registry';
import { compactVerify, decodeJwt, errors } from 'jose';
import { AcceptedTokens } from '../common/accepted-tokens.ts';
import { claimProblem, claimText, userOf, type ClaimRules } from '../common/claims.ts';
import { KeySet, keySets, knownAlgorithms, publicAlgorithms, readKey, type FindKey } from './keys.ts';

const jwtOptions = options({
  sign_key: string(
    'Key for verifying signatures: a public key in PEM format, or a base64-encoded secret. May contain global placeholders, such as `{file./etc/sluice/jwt.pem}`.',
  ),
  jwk_url: string(
    'URL of a JSON Web Key Set, used instead of `sign_key`. The set is refreshed every 10 minutes, and when a token refers to an unknown key.',
  ),
  sign_alg: string(
    'Signature algorithm that tokens must use, such as `RS256`. Default: any algorithm that is compatible with the key.',
  ),
  skip_verification: boolean(
    'Accept tokens without verifying their signature. Use only if another server has already verified the tokens.',
  ),
  from_query: strings(
    'Query parameters that may contain the token. These parameters take precedence over header fields and cookies.',
  ),
  from_header: strings(
    'Header fields that may contain the token, in addition to `Authorization`. The `Bearer` prefix is optional.',
  ),
  from_cookies: strings('Cookies that may contain the token.'),
  issuer_whitelist: strings('Accepted issuers (`iss`). Default: all.'),
  audience_whitelist: strings('Accepted audiences (`aud`). The token must contain at least one of them. Default: all.'),
  user_claims: strings(
    'Claims that identify the user. The first claim that is present becomes `{http.auth.user.id}`. Default: `sub`.',
  ),
  meta_claims: map(
    'Additional claims to expose as placeholders: `{"settings.plan": "plan"}` defines `{http.auth.user.plan}`.',
    string('Name of the placeholder.'),
  ),
});

export const jwtModule = defineModule(authenticationProviders, {
  name: 'jwt',
  help: 'Authentication with JSON Web Tokens (RFC 7519). Expiration and not-before times are always checked. Compatible with the Caddy plugin ggicci/caddy-jwt, except that `sign_alg` is enforced.',
  config: jwtOptions,
  async provision(config, context): Promise<AuthenticationProvider> {
    const verification = config.skip_verification === true ? null : await verificationOf(config, context);
    return new JwtProvider(config, context, verification);
  },
});

interface Verification {
  readonly find: FindKey;
  readonly algorithms: string[];
}

class JwtProvider implements AuthenticationProvider {
  readonly #sources: readonly HttpTemplate[];
  readonly #verification: Verification | null;
  readonly #rules: ClaimRules;
  readonly #userClaims: readonly string[];
  readonly #metadata: readonly (readonly [claim: string, placeholder: string])[];
  readonly #accepted = new AcceptedTokens<User>();
  readonly #log: Logger;

  /** `verification` is `null` if tokens are accepted with any signature. */
  constructor(config: Options<typeof jwtOptions>, context: Context, verification: Verification | null) {
    this.#sources = [
      ...(config.from_query ?? []).map((name) => `{http.request.uri.query.${name}}`),
      ...[...(config.from_header ?? []), 'Authorization'].map((name) => `{http.request.header.${name}}`),
      ...(config.from_cookies ?? []).map((name) => `{http.request.cookie.${name}}`),
    ].map((source) => compileText(source, 'empty'));
    this.#verification = verification;
    this.#rules = { issuers: config.issuer_whitelist ?? [], audiences: config.audience_whitelist ?? [] };
    const names = config.user_claims ?? [];
    this.#userClaims = names.length === 0 ? ['sub'] : names;
    this.#metadata = Object.entries(config.meta_claims ?? {}).map(([claim, name]) => [claim, name ?? ''] as const);
    for (const [claim, placeholder] of this.#metadata)
      if (claim === '' || placeholder === '')
        throw context.error('requires a claim name and a placeholder name', 'meta_claims', claim);
    this.#log = context.log;
  }

  authenticate(exchange: Exchange): User | null | Promise<User | null> {
    const tokens = this.#tokensOf(exchange);
    const now = Math.floor(Date.now() / 1000);
    for (const token of tokens) {
      const known = this.#accepted.find(token, now);
      if (known !== null) return known;
    }
    if (tokens.length > 0) return this.#verifyAll(exchange, tokens, now);
    exchange.response.headers.set('www-authenticate', 'Bearer');
    return null;
  }

  /** Returns the tokens in a request, in the order of the configured sources. */
  #tokensOf(exchange: Exchange): string[] {
    const tokens: string[] = [];
    for (const source of this.#sources) {
      const token = withoutScheme(source.expand(exchange));
      if (token !== '') tokens.push(token);
    }
    return tokens;
  }

  async #verifyAll(exchange: Exchange, tokens: readonly string[], now: number): Promise<User | null> {
    for (const token of tokens) {
      try {
        const claims = await this.#claimsOf(token);
        const problem = claimProblem(claims, this.#rules, now);
        const user = problem === null ? userOf(claims, this.#userClaims) : null;
        if (user === null) {
          this.#log.debug('token rejected', { reason: problem ?? `no claim ${this.#userClaims.join(' or ')}` });
          continue;
        }
        const metadata: Record<string, string> = {};
        for (const [claim, placeholder] of this.#metadata) metadata[placeholder] = claimText(claims, claim);
        const found = { id: user, metadata };
        this.#accepted.add(
          token,
          found,
          now,
          typeof claims['exp'] === 'number' ? claims['exp'] : Number.POSITIVE_INFINITY,
        );
        return found;
      } catch (error) {
        this.#reportFailure(error);
      }
    }
    exchange.response.headers.set('www-authenticate', 'Bearer error="invalid_token"');
    return null;
  }

  async #claimsOf(token: string): Promise<JsonObject> {
    const verification = this.#verification;
    if (verification === null) return decodeJwt(token) as JsonObject;
    const { find, algorithms } = verification;
    const { payload } = await compactVerify(token, find, { algorithms });
    const claims = JSON.parse(new TextDecoder().decode(payload)) as Json;
    if (!isObject(claims)) throw new errors.JWTInvalid('the claims are not an object');
    return claims;
  }

  /** Logs a failure. An invalid token gets a lower log level than an unavailable key set, because any client can send an invalid token. */
  #reportFailure(error: unknown): void {
    const code = (error as { code?: unknown } | null)?.code;
    const isToken = typeof code === 'string' && tokenErrors.has(code);
    if (isToken || error instanceof SyntaxError) this.#log.debug('token rejected', { reason: messageOf(error) });
    else this.#log.error('failed to verify a token', { error });
  }
}

/** Error codes of the `jose` library that indicate a problem with the token itself. */
const tokenErrors: ReadonlySet<string> = new Set([
  errors.JOSEAlgNotAllowed.code,
  errors.JOSENotSupported.code,
  errors.JWSInvalid.code,
  errors.JWSSignatureVerificationFailed.code,
  errors.JWTInvalid.code,
  errors.JWKSNoMatchingKey.code,
  errors.JWKSMultipleMatchingKeys.code,
]);

async function verificationOf(config: Options<typeof jwtOptions>, context: Context): Promise<Verification> {
  const algorithm = config.sign_alg ?? '';
  if (algorithm !== '' && !knownAlgorithms.includes(algorithm))
    throw context.error(`unsupported algorithm; supported: ${knownAlgorithms.join(', ')}`, 'sign_alg');
  const pinned = (supported: readonly string[]): string[] => (algorithm === '' ? [...supported] : [algorithm]);
  const url = resolveGlobalText(config.jwk_url ?? '', 'keep');
  if (url !== '') {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw context.error('must be an absolute HTTP or HTTPS URL', 'jwk_url');
    const { find } = await context.acquire(keySets, url, () => new KeySet(new URL(url)));
    return { find, algorithms: pinned(publicAlgorithms) };
  }
  const text = resolveGlobalText(config.sign_key ?? '', 'keep');
  if (text === '') throw context.error('requires sign_key or jwk_url');
  let key;
  try {
    key = readKey(text.trim());
  } catch (error) {
    throw context.error(messageOf(error), 'sign_key');
  }
  if (algorithm !== '' && !key.algorithms.includes(algorithm))
    throw context.error(
      `${algorithm} cannot be used with the key, which is for ${key.algorithms.join(', ')}`,
      'sign_alg',
    );
  const { key: found } = key;
  return { find: () => found, algorithms: pinned(key.algorithms) };
}

/** Removes the scheme `Bearer` from a token (RFC 6750 §2.1). */
function withoutScheme(text: string): string {
  const trimmed = text.trim();
  return /^bearer /i.test(trimmed) ? trimmed.slice(7).trimStart() : trimmed;
}
