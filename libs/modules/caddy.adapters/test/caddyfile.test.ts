import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { adaptConfig } from '@sluice/reconciler';
import type { Json } from '@sluice/base';
import { standardRegistry } from './standard-registry.ts';

const folder = new URL('fixtures/caddyfile/', import.meta.url);
const registry = standardRegistry();
const adapt = (text: string): ReturnType<typeof adaptConfig> => adaptConfig(registry, 'caddyfile', text);
const errorOf = (text: string): Promise<string> =>
  adapt(text).then(
    () => expect.fail('accepted it'),
    (error: Error) => error.message,
  );

describe('caddy.adapters.caddyfile', () => {
  const names = readdirSync(folder).filter((name) => name.endsWith('.caddyfile'));
  for (const name of names) {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const json = new URL(name.replace('.caddyfile', '.json'), folder);
    const error = new URL(name.replace('.caddyfile', '.error'), folder);
    if (existsSync(json)) {
      it(`the Caddyfile ${name} adapts to the same JSON as in Caddy`, async () => {
        const { config } = await adapt(text);
        expect(config).to.deep.equal(JSON.parse(readFileSync(json, 'utf8')) as Json);
      });
    } else {
      it(`the Caddyfile ${name} is rejected, as in Caddy`, async () => {
        expect(await errorOf(text)).to.contain(readFileSync(error, 'utf8').trim());
      });
    }
  }

  it('Caddyfile test fixtures are present', () => expect(names).to.have.length.above(100));

  it('Caddyfile errors suggest the closest known name for unknown directives, options and subdirectives', async () => {
    expect(await errorOf(':80 {\n\trespodn hi\n}\n')).to.equal(
      "Caddyfile:2: unrecognized directive: respodn - did you mean 'respond'?",
    );
    expect(await errorOf('{\n\tadmni off\n}\n')).to.contain(
      "unrecognized global option: admni - did you mean 'admin'?",
    );
    expect(await errorOf(':80 {\n\tzzzzzzz\n}\n')).to.equal('Caddyfile:2: unrecognized directive: zzzzzzz');
  });

  it('Caddyfile errors suggest the closest name in the namespace for unknown modules', async () => {
    const cases = [
      [':80 {\n\t@a pathh /x\n}\n', 'http.matchers.pathh', 'path'],
      [':80 {\n\t@a not pathh /x\n}\n', 'http.matchers.pathh', 'path'],
      [':80 {\n\tencode gzp\n}\n', 'http.encoders.gzp', 'gzip'],
      [':80 {\n\treverse_proxy a {\n\t\ttransport htp\n\t}\n}\n', 'http.reverse_proxy.transport.htp', 'http'],
      ['{\n\tstorage rediss\n}\n:80\n', 'caddy.storage.rediss', 'redis'],
    ] as const;
    for (const [text, id, near] of cases)
      expect(await errorOf(text)).to.match(
        new RegExp(`module not registered: ${id} - did you mean '${near}'\\?, at Caddyfile:\\d$`),
      );
    expect(await errorOf(':80 {\n\tencode zzzzzz\n}\n')).not.to.contain('did you mean');
  });

  const placed: Readonly<Record<string, string>> = {
    'an empty file': '',
    'an unknown matcher': ':80 {\n\trespond @none\n}\n',
    'a duplicate matcher': ':80 {\n\t@a path /\n\t@a path /\n}\n',
    'an undefined named route': ':80 {\n\tinvoke none\n}\n',
    'an import cycle': '(a) {\n\timport b\n}\n(b) {\n\timport a\n}\n:80 {\n\timport a\n}\n',
    'mutually exclusive options': '{\n\tlocal_certs\n\tcert_issuer acme\n}\na.example\n',
    'a duplicate servers option': '{\n\tservers :80 {\n\t}\n\tservers :80 {\n\t}\n}\n:80\n',
    'a DNS challenge without a provider': '{\n\tacme_dns\n}\na.example\n',
    'plain HTTP and TLS on one port': 'http://a.example:81, https://b.example:81 {\n}\n',
    'a non-handler directive in a block': ':80 {\n\thandle {\n\t\ttls internal\n\t}\n}\n',
    'a port out of range': ':99999\n',
    'an unexpected token': ':80 {\n\tlog {\n\t\toutput file a b\n\t}\n}\n',
  };
  for (const [name, text] of Object.entries(placed)) {
    it(`Caddyfile errors for ${name} contain the line, and omit an empty import chain`, async () => {
      const message = await errorOf(text);
      expect(message).to.match(/Caddyfile:[1-9]/);
      expect(message).not.to.contain("['']");
    });
  }

  it('the error_pages global option, which Caddy does not have, applies to the app and to servers', async () => {
    const options = '{\n\terror_pages off\n\tservers :81 {\n\t\terror_pages on\n\t}\n}\n';
    const { config } = await adapt(`${options}:80 {\n}\n:81 {\n}\n`);
    expect(config).to.deep.equal({
      apps: {
        http: {
          error_pages: 'off',
          servers: { srv0: { listen: [':80'] }, srv1: { listen: [':81'], error_pages: 'on' } },
        },
      },
    });
    for (const option of ['error_pages', 'error_pages maybe', 'servers {\n\t\terror_pages no\n\t}'])
      expect(await errorOf(`{\n\t${option}\n}\n:80 {\n}\n`)).to.match(
        /error_pages.* at Caddyfile:[23]|^Caddyfile:[23]: /,
      );
  });

  it('the error for a directive of an unsupported plugin contains the name of the plugin', async () => {
    expect(await errorOf(':80 {\n\tmercure x\n}\n')).to.equal(
      'Caddyfile:2: unrecognized directive: mercure - it is provided by the plugin github.com/dunglas/mercure, for which there is no npm package',
    );
  });

  it('unused arguments of a directive cause a warning', async () => {
    const { config, warnings } = await adapt(':80 {\n\ttimeouts *.html {\n\t\tread_timeout 1h\n\t}\n}\n');
    expect(JSON.stringify(config)).to.contain('"handle":[{"handler":"timeouts"}]');
    expect(warnings).to.deep.equal([
      { file: 'Caddyfile', line: 2, message: "timeouts: arguments after 'timeouts' have no effect" },
    ]);
  });

  it('conflicting TLS settings for the same names are rejected', async () => {
    const policies = '\ttls {\n\t\tcurves x25519\n\t}\n\ttls {\n\t\tcurves secp256r1\n\t}\n';
    expect(await errorOf(`a.example {\n${policies}}\n`)).to.equal(
      'TLS for a.example has curves ["x25519"] and ["secp256r1"]: a connection can have only one of them, at Caddyfile:1',
    );
  });

  it('preferred_chains is rejected unless it has exactly one criterion', async () => {
    const chains = (text: string): string => `{\n\tpreferred_chains ${text}\n}\n`;
    const names = '\t\tany_common_name b\n\t}';
    expect(await errorOf(chains(`{\n\t\troot_common_name a\n${names}`))).to.contain(
      "preferred_chains accepts either 'root_common_name' or 'any_common_name', not both",
    );
    expect(await errorOf(chains(`smallest {\n${names}`))).to.contain(
      "'any_common_name' cannot be combined with 'smallest'",
    );
    expect(await errorOf(chains('{\n\t}'))).to.contain("preferred_chains requires 'smallest', or names in a block");
  });

  it('Caddyfile errors without a position in the message have a position field', async () => {
    const placeOf = (text: string): Promise<unknown> =>
      adapt(text).then(
        () => expect.fail('accepted it'),
        (error: Error) =>
          (error as { readonly position?: { readonly line: number; readonly column: number } }).position,
      );
    const at = (line: number, column: number): object => ({ file: 'Caddyfile', line, column });
    expect(await placeOf(':80 {\n}\n\na.example, a#b {\n}\n')).to.include(at(4, 12));
    expect(await placeOf(':80 {\n}\n\n{\n\tdebug\n}\n')).to.include(at(5, 2));
    expect(await placeOf('a.example {\n}\n\nhttp://b.example:443 {\n}\n')).to.include(at(4, 1));
    const key = (type: string, host: string): string =>
      `a.example {\n\tbind ${host}\n\ttls {\n\t\tkey_type ${type}\n\t}\n}\n`;
    expect(await placeOf(`${key('p256', '127.0.0.1')}\n${key('p384', '127.0.0.2')}`)).to.include(at(8, 1));
  });

  it('unset environment variables, and upstreams that consist only of a port, cause a warning', async () => {
    const { warnings } = await adapt(
      ':80 {\n\t# {$SLUICE_NONE}\n\troot * {$SLUICE_NONE}x\n\troot * {$SLUICE_NONE:y}\n\treverse_proxy localhost 3000\n}\n',
    );
    expect(warnings.map(({ line, message }) => `${line}: ${message}`)).to.deep.equal([
      '3: the environment variable SLUICE_NONE is not set, so it is replaced with nothing: set it, or write {$SLUICE_NONE:default}',
      "5: '3000' is a host name here: use :3000 for the port, or host:3000",
    ]);
  });

  it('an unformatted Caddyfile causes a warning with the line number', async () => {
    const { warnings } = await adapt(':80 {\n  respond hi\n}\n');
    expect(warnings).to.deep.equal([
      {
        file: 'Caddyfile',
        line: 2,
        message: "Caddyfile input is not formatted; run 'sluice fmt --overwrite' to fix inconsistencies",
      },
    ]);
    expect((await adapt(':80 {\n\trespond hi\n}\n')).warnings).to.deep.equal([]);
  });

  it('missing import arguments cause a warning', async () => {
    const { warnings } = await adapt('(a) {\n\trespond {args[1]}\n}\n\n:80 {\n\timport a x\n}\n');
    expect(warnings).to.deep.equal([
      { file: 'Caddyfile', line: 2, message: 'Placeholder {args[1]} index is out of bounds, only 1 argument(s) exist' },
    ]);
  });

  it('the Caddyfile adapter finds directives that are registered later', async () => {
    const fresh = standardRegistry();
    const { config } = await adaptConfig(fresh, 'caddyfile', ':80 {\n\trespond hi\n}\n');
    expect(config).to.have.nested.property('apps.http.servers.srv0');
  });

  it('Caddyfile names such as toString are treated like any other name', async () => {
    const names = ['constructor', '__proto__', 'toString'];
    const lines = names.map(
      (name) => `\theader +${name} a\n\theader ${name} a b\n\tvars ${name} x\n\t@${name} vars ${name} y\n`,
    );
    const { config } = await adapt(`:80 {\n${lines.join('')}}\n`);
    for (const name of names) expect(JSON.stringify(config)).to.contain(`"${name}":"x"`);
  });

  describe('limits of the Caddyfile adapter', () => {
    it('the Caddyfile adapter limits the number of imports if snippets import each other repeatedly', async () => {
      const levels = Array.from({ length: 40 }, (_, at) => `(s${at}) {\n${`\timport s${at + 1}\n`.repeat(2)}}\n`);
      const text = `${levels.join('\n')}\n(s40) {\n\theader a b\n}\n\n:80 {\n\timport s0\n}\n`;
      expect(await errorOf(text)).to.contain('too many imports: the maximum is 100000');
    });

    it('the Caddyfile adapter limits the depth of nested blocks', async () => {
      const text = `:80 {\n${'handle {\n'.repeat(5000)}${'}\n'.repeat(5000)}}\n`;
      expect(await errorOf(text)).to.contain('blocks are nested more than');
    });

    it('the Caddyfile adapter accepts very large heredocs and strings', async () => {
      const body = 'x'.repeat(100_000);
      const { config } = await adapt(`:80 {\n\trespond <<END\n\t${`${body}\n\t`.repeat(20)}END 200\n}\n`);
      expect(JSON.stringify(config)).to.have.length.above(2_000_000);
    });
  });
});
