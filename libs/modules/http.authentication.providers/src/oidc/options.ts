/** Options of `http.authentication.providers.oidc`. */
import { storages } from '@sluice/contracts';
import { boolean, duration, inlineModule, map, options, string, strings } from '@sluice/registry';

export const defaultRedirect = '/oauth2/callback';
export const defaultSignOut = '/oauth2/sign_out';

export const oidcOptions = options({
  issuer: string(
    "Issuer URL of the provider, such as `https://id.example.com/realms/staff`. The provider's metadata is read from `/.well-known/openid-configuration` below this URL.",
  ),
  client_id: string('Client ID, as registered with the provider.'),
  client_secret: string(
    'Client secret. Omit it for a public client. May contain global placeholders, such as `{env.OIDC_SECRET}` or `{file./run/secrets/oidc}`.',
  ),
  scopes: strings(
    'Scopes to request, in addition to `openid`. `offline_access` requests a refresh token. Default: `profile` and `email`.',
  ),
  authorization_params: map(
    'Additional parameters of the authorization request, such as `{"prompt": "select_account"}`.',
    string('Value.'),
  ),
  redirect_uri: string(
    'Callback path, or the full redirect URI as registered with the provider. The full URI is required behind a proxy that terminates TLS. Default: `/oauth2/callback` on the requested host.',
  ),
  sign_out_path: string(
    'Path that signs the user out, both from this server and from the provider. Default: `/oauth2/sign_out`.',
  ),
  sign_out_redirect: string(
    'Path or URL to redirect to after signing out. If the provider supports RP-initiated logout, the URL must be registered with it. Default: `/`.',
  ),
  user_info: boolean(
    'Also read claims from the UserInfo endpoint, for providers that include few claims in ID tokens.',
  ),
  user_claims: strings(
    'Claims that identify the user. The first claim that is present becomes `{http.auth.user.id}`. Default: `sub`.',
  ),
  meta_claims: map(
    'Claims to expose as placeholders: `{"realm_access.roles": "roles"}` defines `{http.auth.user.roles}`. Default: `name`, `email` and `preferred_username`, and the groups claim as `groups`.',
    string('Name of the placeholder.'),
  ),
  claim_headers: map(
    'Request header fields to set from claims: `{"Remote-Email": "email"}` sets `Remote-Email` to the `email` claim. Fields with these names are always removed from client requests. Lists are joined with commas.',
    string('Name of the claim.'),
  ),
  groups_claim: string("Claim that contains the user's groups. Default: `groups`."),
  allowed_groups: strings(
    'Allowed groups. Users who belong to none of these groups get status code 403. Default: any.',
  ),
  allowed_emails: strings(
    'Allowed email addresses, in addition to those in `allowed_domains`. If neither option is set, all addresses are allowed.',
  ),
  allowed_domains: strings('Allowed email address domains, not including subdomains. Default: any.'),
  allow_unverified_email: boolean(
    'Accept email addresses without the `email_verified` claim. Enable only if users cannot choose their email address at the provider.',
  ),
  cookie_name: string('Name of the session cookie, without the `__Host-` prefix. Default: sluice_session.'),
  cookie_secrets: strings(
    'Secrets for encrypting cookies, each at least 32 characters long. The first secret encrypts cookies, and all of them are tried for decryption. To rotate secrets, insert a new one at the front. Default: a generated key in storage, shared by all servers that use the same storage.',
  ),
  storage: inlineModule('Storage for the generated key. Default: the configured storage.', storages, 'module'),
  session_lifetime: duration('Maximum session lifetime, after which users must sign in again. Default: 12h.'),
  idle_timeout: duration('Idle time after which a session expires. Negative = unlimited. Default: 2h.'),
  clock_tolerance: duration('Maximum clock skew between this server and the provider. Default: 30s.'),
});
