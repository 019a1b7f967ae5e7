import { expect } from 'chai';
import { asCaddyfile, fromCaddyfile } from '@sluice/testing';

const site = (lines: readonly string[]): string => `:80 {\n\toidc {\n\t\t${lines.join('\n\t\t')}\n\t}\n}\n`;

describe('oidc directive', () => {
  it('oidc adapts to JSON, and is converted back to a Caddyfile', async () => {
    const document = await fromCaddyfile(
      site([
        'issuer https://id.example.com',
        'client_id app',
        'client_secret {$UNSET_SECRET:secret}',
        'scopes email groups',
        'scopes offline_access',
        'authorization_param prompt login',
        'redirect_uri https://example.com/cb',
        'sign_out_path /out',
        'sign_out_redirect /bye',
        'user_info',
        'user_claims email sub',
        'meta_claim realm.roles roles',
        'claim_header Remote-User email',
        'claim_header Remote-Groups groups',
        'groups_claim roles',
        'allowed_groups a b',
        'allowed_emails a@example.com',
        'allowed_domains example.org',
        'allow_unverified_email',
        'cookie_name s',
        'cookie_secrets a b',
        'storage file_system /srv',
        'session_lifetime 8h',
        'idle_timeout 30m',
        'clock_tolerance 5s',
      ]),
    );
    const { apps } = document as { apps: { http: { servers: { srv0: { routes: { handle: unknown[] }[] } } } } };
    const oidc = {
      issuer: 'https://id.example.com',
      client_id: 'app',
      client_secret: 'secret',
      scopes: ['email', 'groups', 'offline_access'],
      authorization_params: { prompt: 'login' },
      redirect_uri: 'https://example.com/cb',
      sign_out_path: '/out',
      sign_out_redirect: '/bye',
      user_info: true,
      user_claims: ['email', 'sub'],
      meta_claims: { 'realm.roles': 'roles' },
      claim_headers: { 'Remote-User': 'email', 'Remote-Groups': 'groups' },
      groups_claim: 'roles',
      allowed_groups: ['a', 'b'],
      allowed_emails: ['a@example.com'],
      allowed_domains: ['example.org'],
      allow_unverified_email: true,
      cookie_name: 's',
      cookie_secrets: ['a', 'b'],
      storage: { module: 'file_system', root: '/srv' },
      session_lifetime: 8 * 3600e9,
      idle_timeout: 1800e9,
      clock_tolerance: 5e9,
    };
    expect(apps.http.servers.srv0.routes[0]?.handle).to.deep.equal([
      { handler: 'authentication', providers: { oidc } },
    ]);
    expect(await fromCaddyfile((await asCaddyfile(document)).text)).to.deep.equal(document);
  });

  for (const [lines, message] of [
    [['client_id a'], 'oidc: issuer is required'],
    [['issuer https://a'], 'oidc: client_id is required'],
    [['issuer https://a', 'issuer https://b'], 'issuer is already specified'],
    [['other'], "unrecognized oidc subdirective 'other'"],
  ] as const)
    it(`oidc rejects the lines ${lines.join('; ')}`, async () => {
      const error = await fromCaddyfile(site(lines)).then(
        () => null,
        (caught: unknown) => caught,
      );
      expect(String(error)).to.contain(message);
    });

  it('the oidc directive precedes cache', async () => {
    const lines = ':80 {\n\tcache\n\toidc {\n\t\tissuer https://a\n\t\tclient_id b\n\t}\n}\n';
    const document = JSON.stringify(await fromCaddyfile(lines));
    expect(document.indexOf('"authentication"')).to.be.below(document.indexOf('"cache"'));
  });
});
