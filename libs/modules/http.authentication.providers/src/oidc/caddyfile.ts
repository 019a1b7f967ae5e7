/** The directive `oidc [matcher] { issuer …; client_id …; client_secret …; … }`. */
import { duration, flag, handler, list, module, none, pair, text } from '@sluice/caddyfile';

const once = '% is already specified';

export const oidc = handler('authentication', {
  line: none,
  block: {
    issuer: text('<url>', { once }),
    client_id: text('<id>', { once }),
    client_secret: text('<secret>', { once }),
    scopes: list('<scope>…', { adds: true }),
    authorization_param: pair('<name> <value>', { field: 'authorization_params' }),
    redirect_uri: text('<path>|<url>', { once }),
    sign_out_path: text('<path>', { once }),
    sign_out_redirect: text('<path>|<url>', { once }),
    user_info: flag(),
    user_claims: list('<claim>…', { adds: true }),
    meta_claim: pair('<claim> <placeholder>', { field: 'meta_claims' }),
    claim_header: pair('<field> <claim>', { field: 'claim_headers' }),
    groups_claim: text('<claim>', { once }),
    allowed_groups: list('<group>…', { adds: true }),
    allowed_emails: list('<address>…', { adds: true }),
    allowed_domains: list('<domain>…', { adds: true }),
    allow_unverified_email: flag(),
    cookie_name: text('<name>', { once }),
    cookie_secrets: list('<secret>…', { adds: true }),
    storage: module('caddy.storage', 'module'),
    session_lifetime: duration({ once }),
    idle_timeout: duration({ once }),
    clock_tolerance: duration({ once }),
  },
  unknown: "unrecognized oidc subdirective '%'",
  below: 'providers.oidc',
  finish(provider, reader) {
    for (const required of ['issuer', 'client_id'])
      if (provider[required] === undefined) throw reader.error(`oidc: ${required} is required`);
    return provider;
  },
  help: 'Signs users in with an OpenID provider (OpenID Connect). If a matcher is used, it must also match the callback and sign-out paths.',
  example:
    'oidc {\n\tissuer https://id.example.com\n\tclient_id app\n\tclient_secret {env.OIDC_SECRET}\n\tclaim_header Remote-Email email\n}\nrespond "hello {http.auth.user.email}"',
});
