import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { documentOf, problemOf } from '../language.ts';

interface Made {
  readonly policies?: Json;
  readonly automation?: Json;
  readonly certificates?: Json;
}

/** Returns the TLS parts of a Caddyfile's document. */
async function madeOf(text: string): Promise<Made> {
  const { apps } = (await documentOf(text)) as {
    apps: {
      http: { servers: { srv0: { tls_connection_policies?: Json } } };
      tls?: { automation?: { policies: Json }; certificates?: Json };
    };
  };
  const policies = apps.http.servers.srv0.tls_connection_policies;
  const automation = apps.tls?.automation?.policies;
  const certificates = apps.tls?.certificates;
  return {
    ...(policies !== undefined && { policies }),
    ...(automation !== undefined && { automation }),
    ...(certificates !== undefined && { certificates }),
  };
}

const tls = (pile: string, value: unknown): string => `\ttls ${pile} \`${JSON.stringify(value)}\`\n`;
const site = (addresses: string, ...lines: readonly string[]): string => `${addresses} {\n${lines.join('')}}\n`;
const options = (list: Readonly<Record<string, unknown>>): string =>
  `{\n${Object.entries(list)
    .map(([name, value]) => `\t${name} \`${JSON.stringify(value)}\`\n`)
    .join('')}}\n`;
const acme = { module: 'acme' };
const internal = { module: 'internal' };

describe('certificate automation for Caddyfile sites', () => {
  for (const [what, text, made] of [
    ['requires no options', site('a.test'), {}],
    [
      'uses the issuer of a site',
      site('a.test, b.test', tls('cert_issuer', internal)),
      { automation: [{ subjects: ['a.test', 'b.test'], issuers: [internal] }] },
    ],
    [
      'has one policy for sites with equal settings',
      site('a.test', tls('cert_issuer', internal)) + site('b.test', tls('cert_issuer', internal)),
      { automation: [{ subjects: ['a.test', 'b.test'], issuers: [internal] }] },
    ],
    [
      'includes all settings of a site in the standard order',
      site(
        'a.test',
        tls('on_demand', true),
        tls('reuse_private_keys', true),
        tls('key_type', 'p384'),
        tls('renewal_window_ratio', 0.5),
        tls('cert_manager', { via: 'http' }),
        tls('cert_issuer', acme),
      ),
      {
        automation: [
          {
            subjects: ['a.test'],
            issuers: [acme],
            get_certificate: [{ via: 'http' }],
            renewal_window_ratio: 0.5,
            key_type: 'p384',
            on_demand: true,
            reuse_private_keys: true,
          },
        ],
      },
    ],
    ['ignores plain HTTP sites', site('http://a.test', tls('cert_issuer', internal)), {}],
    [
      'has a catch-all policy for global options',
      options({ local_certs: true, key_type: 'p256', ocsp_stapling: 'off', renewal_window_ratio: 0.25 }) +
        site('a.test'),
      {
        automation: [
          { issuers: [internal], key_type: 'p256', renewal_window_ratio: 0.25, disable_ocsp_stapling: true },
        ],
      },
    ],
    [
      'adds issuers with the email address only for public names',
      options({ email: 'me@a.test' }) + site('a.example') + site('b.localhost'),
      {
        automation: [
          { subjects: ['b.localhost'] },
          {
            subjects: ['a.example'],
            issuers: [
              { email: 'me@a.test', module: 'acme' },
              { ca: 'https://acme.zerossl.com/v2/DV90', email: 'me@a.test', module: 'acme' },
            ],
          },
        ],
      },
    ],
    [
      'applies global options to ACME issuers',
      options({
        email: 'me@a.test',
        acme_ca: 'https://ca.test',
        acme_ca_root: '/root.pem',
        acme_dns: { name: 'dns' },
        acme_eab: { key_id: 'k' },
        cert_lifetime: 60,
        preferred_chains: { smallest: true },
        http_port: 81,
        https_port: 444,
        default_bind: [{ addresses: ['1.2.3.4'], protocols: [] }],
      }) + site('a.test'),
      {
        automation: [
          {
            issuers: [
              {
                ca: 'https://ca.test',
                certificate_lifetime: 60,
                challenges: {
                  dns: { provider: { name: 'dns' } },
                  http: { alternate_port: 81 },
                  'tls-alpn': { alternate_port: 444 },
                  bind_host: '1.2.3.4',
                },
                email: 'me@a.test',
                external_account: { key_id: 'k' },
                preferred_chains: { smallest: true },
                trusted_roots_pem_files: ['/root.pem'],
                module: 'acme',
              },
            ],
          },
        ],
      },
    ],
    [
      'does not override the options of an issuer, or change other issuers',
      options({ email: 'me@a.test', acme_ca: 'https://ca.test' }) +
        site('a.test', tls('cert_issuer', { module: 'acme', email: 'you@a.test' })) +
        site('b.test', tls('cert_issuer', internal)),
      {
        automation: [
          { subjects: ['a.test'], issuers: [{ ca: 'https://ca.test', email: 'you@a.test', module: 'acme' }] },
          { subjects: ['b.test'], issuers: [internal] },
          { issuers: [{ ca: 'https://ca.test', email: 'me@a.test', module: 'acme' }] },
        ],
      },
    ],
    [
      'splits a site into two policies if its names need different issuers',
      site('a.example, b.localhost', tls('key_type', 'p384')),
      {
        automation: [
          { subjects: ['a.example'], key_type: 'p384' },
          { subjects: ['b.localhost'], key_type: 'p384', issuers: [internal] },
        ],
      },
    ],
    [
      'requires no policy for names covered by a wildcard',
      site('*.a.test', tls('cert_manager', { via: 'http' })) + site('b.a.test'),
      { automation: [{ subjects: ['*.a.test'], get_certificate: [{ via: 'http' }] }] },
    ],
    [
      'solves challenges on the bind address of a site',
      site('a.test', '\tbind 1.2.3.4\n', tls('cert_issuer', acme)),
      { automation: [{ subjects: ['a.test'], issuers: [{ challenges: { bind_host: '1.2.3.4' }, module: 'acme' }] }] },
    ],
    [
      'includes names next to a catch-all address',
      site('https://, a.example, b.localhost'),
      {
        automation: [{ subjects: ['a.example'] }, { subjects: ['b.localhost'], issuers: [internal] }],
        certificates: { automate: ['a.example', 'b.localhost'] },
      },
    ],
    [
      'lists loaded certificates by loader, and names with force_automate',
      site(
        'a.test',
        tls('cert_loader', { loader: 'load_files', item: { certificate: 'a', key: 'b' } }),
        tls('cert_loader', { loader: 'load_folders', item: ['c', 'd'] }),
        tls('cert_loader', { loader: 'load_files', item: { certificate: 'e', key: 'f' } }),
        tls('force_automate', true),
      ),
      {
        certificates: {
          automate: ['a.test'],
          load_files: [
            { certificate: 'a', key: 'b' },
            { certificate: 'e', key: 'f' },
          ],
          load_folders: ['c', 'd'],
        },
      },
    ],
  ] as readonly [string, string, Made][])
    it(`certificate automation for Caddyfile sites ${what}`, async () => {
      const { policies: _policies, ...made_ } = await madeOf(text);
      expect(JSON.parse(JSON.stringify(made_))).to.deep.equal(made);
    });

  for (const [what, text, problem] of [
    [
      'conflicting global issuers',
      options({ local_certs: true, cert_issuer: [acme] }) + site('a.test'),
      'global options are ambiguous',
    ],
    [
      'a DNS challenge without a provider',
      options({ acme_dns: null }) + site('a.test'),
      'acme_dns specified without DNS provider config',
    ],
    [
      'a name that no certificate can contain',
      site('a_b!.test', tls('key_type', 'p384')),
      "subject does not qualify for certificate: 'a_b!.test'",
    ],
    ['a wildcard inside a name', site('a.*.test', tls('key_type', 'p384')), 'subject does not qualify'],
    [
      'conflicting settings for one name',
      site('a.test', tls('key_type', 'p384')) + site('a.test:8443', tls('key_type', 'p256')),
      'hostname appears in more than one automation policy',
    ],
    [
      'a catch-all site that conflicts with the catch-all policy',
      options({ key_type: 'p256' }) + site(':443', tls('cert_issuer', internal)),
      'automation policy from site block is also default/catch-all policy',
    ],
  ] as const)
    it(`the certificate settings of a site reject ${what}`, async () => {
      expect(await problemOf(text)).to.contain(problem);
    });
});

describe('connection policies for Caddyfile sites', () => {
  for (const [what, text, policies] of [
    ['require no options', site('a.test'), undefined],
    [
      'match the names of their site, and a last policy matches all other names',
      site('b.test, a.test', tls('connection_policy', { alpn: ['h2'] })),
      [{ match: { sni: ['a.test', 'b.test'] }, alpn: ['h2'] }, {}],
    ],
    ['match all names if the site does', site(':443', tls('connection_policy', { alpn: ['h2'] })), [{ alpn: ['h2'] }]],
    [
      'have their fields in the standard order',
      site(
        ':443',
        tls('connection_policy', {
          insecure_secrets_log: 'x',
          protocol_max: 'tls1.3',
          protocol_min: 'tls1.2',
          curves: ['x25519'],
          cipher_suites: ['c'],
        }),
      ),
      [
        {
          cipher_suites: ['c'],
          curves: ['x25519'],
          protocol_min: 'tls1.2',
          protocol_max: 'tls1.3',
          insecure_secrets_log: 'x',
        },
      ],
    ],
    [
      'are merged for sites with equal options',
      site('a.test', tls('connection_policy', { alpn: ['h2'] })) +
        site('b.test', tls('connection_policy', { alpn: ['h2'] })),
      [{ match: { sni: ['a.test', 'b.test'] }, alpn: ['h2'] }, {}],
    ],
    [
      'exist for names with force_automate',
      site('a.test', tls('connection_policy', {}), tls('force_automate', true)),
      [{ match: { sni: ['a.test'] } }, {}],
    ],
    ['are omitted if they have no options', site('a.test', tls('connection_policy', {})), undefined],
    [
      'contain the server names for clients without SNI',
      options({ default_sni: 'a.test', fallback_sni: 'b.test' }) + site('a.test'),
      [{ default_sni: 'a.test', fallback_sni: 'b.test' }],
    ],
    [
      'also match clients without SNI if the default name is theirs',
      options({ default_sni: 'a.test' }) + site('a.test', tls('connection_policy', { alpn: ['h2'] })),
      [{ match: { sni: ['', 'a.test'] }, alpn: ['h2'], default_sni: 'a.test' }, { default_sni: 'a.test' }],
    ],
    [
      'require client certificates for a wildcard site, but not for other sites below it',
      site('*.a.test', tls('connection_policy', { client_authentication: { mode: 'require' }, alpn: ['h2'] })) +
        site('b.a.test'),
      [
        { match: { sni: ['b.a.test'] }, alpn: ['h2'] },
        { match: { sni: ['*.a.test'] }, alpn: ['h2'], client_authentication: { mode: 'require' } },
        {},
      ],
    ],
  ] as const)
    it(`connection policies for Caddyfile sites ${what}`, async () => {
      const made = await madeOf(text);
      expect(JSON.stringify(made.policies)).to.equal(JSON.stringify(policies));
    });

  it('connection policies for the same server name must not conflict', async () => {
    const twice = site(
      'a.test',
      tls('connection_policy', { protocol_min: 'tls1.2' }),
      tls('connection_policy', { protocol_min: 'tls1.3' }),
    );
    expect(await problemOf(twice)).to.equal(
      'TLS for a.test has protocol_min "tls1.2" and "tls1.3": a connection can have only one of them, at Caddyfile:1',
    );
  });

  it('connection policies ignore plain HTTP sites on other ports', async () => {
    const { apps } = (await documentOf('http://a.test:9000 {\n}\nhttp://b.test:9000 {\n}\n')) as unknown as {
      apps: { http: { servers: { srv0: { automatic_https?: unknown } } } };
    };
    expect(apps.http.servers.srv0.automatic_https).to.deep.equal({ skip: ['a.test', 'b.test'] });
  });
});
