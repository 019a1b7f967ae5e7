import { expect } from 'chai';
import type { Json } from '@sluice/base';
import type { ConvertedConfig } from '@sluice/contracts';
import { convertDocument } from '../../src/index.ts';
import { documentOf, testRegistry } from '../language.ts';

const registry = testRegistry();
const convert = (document: Json): Promise<ConvertedConfig> => convertDocument(document, registry);

describe('conversion of JSON documents to a Caddyfile', () => {
  for (const [what, text] of [
    ['a site for all hosts', ':80 {\n\trespond a\n}\n'],
    ['sites with several hosts and paths', 'a.test, b.test {\n\trespond a\n}\n\nc.test/docs/* {\n\trespond c\n}\n'],
    ['plain HTTP and custom ports', 'http://a.test {\n\trespond a\n}\n\nb.test:8443 {\n\trespond b\n}\n'],
    ['bind addresses', ':80 {\n\tbind 127.0.0.1 [::1]\n\trespond a\n}\n'],
    ['directives in the default order', ':80 {\n\tvars a 1\n\theader A 1\n\trespond a\n}\n'],
    ['directives in a custom order', '{\n\torder respond before header\n}\n\n:80 {\n\trespond a\n\theader A 1\n}\n'],
    ['path matchers', ':80 {\n\trespond /a a\n\trespond /b/* b\n\trespond c\n}\n'],
    ['arguments that look like matchers', ':80 {\n\trespond * /a\n}\n'],
    [
      'named matchers without duplicates',
      ':80 {\n\t@m method GET\n\theader @m A 1\n\trespond @m a\n\t@n {\n\t\thost x\n\t\tpath /x /y\n\t}\n\trespond @n b\n}\n',
    ],
    [
      'nested blocks',
      ':80 {\n\thandle /a {\n\t\theader A 1\n\t\thandle {\n\t\t\trespond b\n\t\t}\n\t}\n\thandle {\n\t\trespond c\n\t}\n}\n',
    ],
    ['rewrites', ':80 {\n\trewrite /a /b\n\trespond c\n}\n'],
    [
      'global options',
      '{\n\tadmin :2020 {\n\t\torigins a b\n\t\tenforce_origin\n\t}\n\tpersist_config off\n\tstorage file_system /data\n\tdebug\n}\n',
    ],
    ['a disabled admin API', '{\n\tadmin off\n}\n'],
    [
      'logs',
      '{\n\tlog {\n\t\toutput file /a\n\t\tlevel WARN\n\t\tsampling {\n\t\t\tinterval 5s\n\t\t\tfirst 10\n\t\t\tthereafter 3\n\t\t}\n\t}\n\tlog b {\n\t\tformat json\n\t\tinclude x y\n\t}\n}\n',
    ],
  ] as const)
    it(`convert() round-trips ${what}`, async () => {
      const document = await documentOf(text);
      const { text: made, differences } = await convert(document);
      expect(differences).to.deep.equal([]);
      expect(await documentOf(made)).to.deep.equal(document);
      expect((await convert(await documentOf(made))).text, 'again').to.equal(made);
    });

  it('convert() writes an idiomatic Caddyfile', async () => {
    const text =
      '{\n\tadmin off\n}\n\na.test, www.a.test {\n\t@m method GET POST\n\theader @m A 1\n\thandle /x/* {\n\t\trespond x\n\t}\n\thandle {\n\t\trespond "a b"\n\t}\n}\n';
    const { text: made } = await convert(await documentOf(text));
    expect(made.replaceAll('\n\n', '\n')).to.contain('{\n\tadmin off\n}\n');
    expect(made).to.contain('a.test, www.a.test {\n');
    expect(made).to.match(/@\w+ method GET POST\n/);
    expect(made).to.contain('\thandle /x/* {\n\t\trespond x\n\t}\n\thandle {\n\t\trespond "a b"\n\t}\n');
  });

  const server = (...routes: readonly Json[]): Json => ({
    apps: { http: { servers: { srv0: { listen: [':80'], routes } } } },
  });
  const hello: Json = { handle: [{ handler: 'static_response', body: 'a' }] };

  for (const [what, route] of [
    ['a handler without a directive', { handle: [{ handler: 'nope', a: 1 }] }],
    ['a field that the directive cannot express', { handle: [{ handler: 'static_response', body: 'a', close: true }] }],
    [
      'a matcher without a Caddyfile syntax',
      { match: [{ nope: ['a'] }], handle: [{ handler: 'static_response', body: 'a' }] },
    ],
    ['several matcher sets', { match: [{ path: ['/a'] }, { path: ['/b'] }], handle: [{ handler: 'static_response' }] }],
    ['a route that is not an object', 5],
  ] as const)
    it(`convert() writes ${what} as a comment, and mentions the comment at the top of the Caddyfile`, async () => {
      const { text, differences } = await convert(server(hello, route, hello));
      expect(differences).to.not.deep.equal([]);
      expect(text).to.match(/^# This file does not represent the whole configuration:\n/);
      const place = typeof route === 'object' ? 'apps.http.servers.srv0.routes[1]' : 'this value';
      expect(text).to.contain(`\t# ${place} is not representable here: ${JSON.stringify(route)}\n`);
      expect(await documentOf(text)).to.deep.equal(
        server({ handle: [hello, hello].flatMap((each) => (each as { handle: Json[] }).handle) }),
      );
    });

  it('convert() reports an empty document and unsupported apps', async () => {
    expect(await convert({})).to.deep.equal({ text: '\n', file: 'Caddyfile', verdict: 'identical', differences: [] });
    const { text, differences } = await convert({ apps: { other: { a: 1 } } });
    expect(differences.map(({ path }) => path)).to.deep.equal(['apps']);
    expect(text).to.contain('{"a":1}');
  });
});
