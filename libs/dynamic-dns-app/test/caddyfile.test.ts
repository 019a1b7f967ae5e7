/** Tests the global option in Caddyfiles. Caddy and its plugins adapted the fixtures. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { asCaddyfile, fromCaddyfile } from '@sluice/testing';

const folder = new URL('fixtures/', import.meta.url);

describe('dynamic_dns in a Caddyfile', function () {
  // The timeout is long because the first test also loads the modules of the server.
  this.timeout(20_000);

  for (const name of readdirSync(folder).filter((each) => each.endsWith('.caddyfile'))) {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const json = new URL(name.replace('.caddyfile', '.json'), folder);
    if (existsSync(json)) {
      it(`dynamic_dns in ${name} adapts to the same JSON as in Caddy, and is converted back`, async () => {
        const document = JSON.parse(readFileSync(json, 'utf8')) as Json;
        expect(await fromCaddyfile(text)).to.deep.equal(document);
        expect(await fromCaddyfile((await asCaddyfile(document)).text)).to.deep.equal(document);
      });
    } else {
      it(`dynamic_dns in ${name} is rejected as in Caddy`, async () => {
        const message = await fromCaddyfile(text).then(
          () => expect.fail('accepted it'),
          (error: Error) => error.message,
        );
        const expected = readFileSync(new URL(name.replace('.caddyfile', '.error'), folder), 'utf8').trim();
        expect(message).to.contain(expected);
      });
    }
  }
});
