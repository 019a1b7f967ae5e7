import { expect } from 'chai';
import { asCaddyfile, fromCaddyfile } from '@sluice/testing';

const unset = {
  sign_key: '',
  jwk_url: '',
  sign_alg: '',
  skip_verification: false,
  from_query: null,
  from_header: null,
  from_cookies: null,
  issuer_whitelist: null,
  audience_whitelist: null,
  user_claims: null,
  meta_claims: null,
};

const site = (lines: readonly string[]): string => `:80 {\n\tjwtauth {\n\t\t${lines.join('\n\t\t')}\n\t}\n}\n`;

describe('jwtauth directive', () => {
  for (const [lines, options] of [
    [['sign_key eA=='], { sign_key: 'eA==' }],
    [['sign_key a', 'sign_key b', 'from_query a', 'from_query b c'], { sign_key: 'b', from_query: ['b', 'c'] }],
    [['user_claims', 'meta_claims'], { meta_claims: {} }],
    [
      [
        'jwk_url http://id.example/{host}',
        'sign_alg RS256',
        'skip_verification',
        'from_header X-Token',
        'from_cookies session',
        'issuer_whitelist a',
        'audience_whitelist b c',
        'user_claims aud uid',
        'meta_claims a "b -> c" d.e->f',
      ],
      {
        jwk_url: 'http://id.example/{http.request.host}',
        sign_alg: 'RS256',
        skip_verification: true,
        from_header: ['X-Token'],
        from_cookies: ['session'],
        issuer_whitelist: ['a'],
        audience_whitelist: ['b', 'c'],
        user_claims: ['aud', 'uid'],
        meta_claims: { a: 'a', b: 'c', 'd.e': 'f' },
      },
    ],
  ] as const)
    it(`jwtauth adapts to the same JSON as the plugin, and is converted back to a Caddyfile: ${lines.join('; ')}`, async () => {
      const document = await fromCaddyfile(site(lines));
      const { apps } = document as { apps: { http: { servers: { srv0: { routes: { handle: unknown[] }[] } } } } };
      const expected = { handler: 'authentication', providers: { jwt: { ...unset, ...options } } };
      expect(apps.http.servers.srv0.routes[0]?.handle).to.deep.equal([expected]);
      const again = await fromCaddyfile((await asCaddyfile(document)).text);
      const isEmpty = 'meta_claims' in options && Object.keys(options.meta_claims).length === 0;
      if (!isEmpty) expect(again).to.deep.equal(document);
    });

  for (const [line, message] of [
    ['sign_key', 'invalid sign_key: ""'],
    ['sign_key a b', 'invalid sign_key: "a"'],
    ['skip_verification true', 'unrecognized option: true'],
    ['meta_claims a a', 'invalid meta_claims: duplicate claim: a'],
    ['meta_claims ->b', 'invalid meta_claims: empty claim in key "->b"'],
    ['meta_claims a->', 'invalid meta_claims: empty placeholder in key "a->"'],
    ['meta_claims a->b->c', 'invalid meta_claims: too many delimiters (->) in key "a->b->c"'],
    ['header_first true', 'option header_first deprecated'],
    ['other', 'unrecognized option: other'],
  ] as const)
    it(`jwtauth rejects the line ${line}`, async () => {
      const error = await fromCaddyfile(site([line])).then(
        () => null,
        (caught: unknown) => caught,
      );
      expect(String(error)).to.contain(message);
    });
});
