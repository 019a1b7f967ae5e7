/** Tests DNS providers in Caddyfiles. Caddy and its plugins adapted the fixtures. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { asCaddyfile, fromCaddyfile } from '@sluice/testing';

const folder = new URL('fixtures/', import.meta.url);

function failureOf(text: string): Promise<string> {
  return fromCaddyfile(text).then(
    () => expect.fail('accepted it'),
    (error: Error) => error.message,
  );
}

const site = (lines: string): string => `example.com {\n\ttls {\n\t\tdns ${lines}\n\t}\n}\n`;

describe('DNS providers in a Caddyfile', function () {
  // The timeout is long because the first test loads the modules of the server.
  this.timeout(20_000);

  const names = readdirSync(folder).filter((name) => name.endsWith('.caddyfile'));
  for (const name of names) {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const json = new URL(name.replace('.caddyfile', '.json'), folder);
    if (existsSync(json)) {
      it(`the Caddyfile ${name} adapts to the same JSON as in Caddy, and is converted back`, async () => {
        const document = JSON.parse(readFileSync(json, 'utf8')) as Json;
        expect(await fromCaddyfile(text)).to.deep.equal(document);
        expect(await fromCaddyfile((await asCaddyfile(document)).text)).to.deep.equal(document);
      });
    } else {
      it(`the Caddyfile ${name} is rejected, as in Caddy`, async () => {
        const error = readFileSync(new URL(name.replace('.caddyfile', '.error'), folder), 'utf8').trim();
        expect(await failureOf(text)).to.contain(error);
      });
    }
  }

  it('hetzner and gandi accept their tokens in blocks', async () => {
    for (const [name, option] of [
      ['hetzner', 'api_token'],
      ['gandi', 'bearer_token'],
    ] as const) {
      const inBlock = await fromCaddyfile(site(`${name} {\n${option} abc\n}`));
      expect(inBlock).to.deep.equal(await fromCaddyfile(site(`${name} abc`)));
    }
  });

  it('the exec DNS provider accepts a command with arguments', async () => {
    const document = await fromCaddyfile(site('exec /bin/change-records -v now {\n\t\t\ttimeout 5s\n\t\t}'));
    expect(JSON.stringify(document)).to.contain(
      '"provider":{"args":["-v","now"],"command":"/bin/change-records","name":"exec","timeout":5000000000}',
    );
    expect(await fromCaddyfile((await asCaddyfile(document)).text)).to.deep.equal(document);
    expect(await failureOf(site('exec'))).to.contain('wrong argument count');
  });

  it('acmedns requires either all accounts or a complete single account', async () => {
    const both = 'acmedns /etc/acmedns.json {\nconfig {\na.example.com {\nusername a\n}\n}\n}';
    for (const given of ['acmedns', 'acmedns {\nusername a\n}', both])
      expect(await failureOf(site(given))).to.contain('acmedns requires either config, or config_file_path, or all of');
  });

  it('the dns_persist option of the acme issuer is converted back to a Caddyfile', async () => {
    for (const [lines, challenge] of [
      ['dns_persist', {}],
      [
        'dns_persist {\n\t\t\t\ttimeout 10m\n\t\t\t\tresolvers 192.0.2.1\n\t\t\t}',
        { resolvers: ['192.0.2.1'], timeout: 600_000_000_000 },
      ],
    ] as const) {
      const document = await fromCaddyfile(
        `example.com {\n\ttls {\n\t\tissuer acme {\n\t\t\t${lines}\n\t\t}\n\t}\n}\n`,
      );
      expect(JSON.stringify(document)).to.contain(`"dns-persist":${JSON.stringify(challenge)}`);
      expect(await fromCaddyfile((await asCaddyfile(document)).text)).to.deep.equal(document);
    }
  });
});
