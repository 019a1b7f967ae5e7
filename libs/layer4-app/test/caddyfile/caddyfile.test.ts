import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { asCaddyfile, fromCaddyfile } from '@sluice/testing';

interface Recorded {
  readonly name: string;
  readonly caddyfile: string;
  /** The configuration that Caddy 2.11 with caddy-l4 0.1.2 generates. */
  readonly json: Json;
}

const recorded = JSON.parse(readFileSync(new URL('recorded.json', import.meta.url), 'utf8')) as readonly Recorded[];

describe('layer4 app in a Caddyfile', () => {
  for (const { name, caddyfile, json } of recorded) {
    it(`the layer4 Caddyfile ${name} adapts to the same JSON as in Caddy`, async () => {
      expect(await fromCaddyfile(caddyfile)).to.eql(json);
    });

    it(`the layer4 Caddyfile ${name} converts back`, async () => {
      const { text, differences } = await asCaddyfile(json);
      expect(differences).to.eql([]);
      expect(await fromCaddyfile(text)).to.eql(json);
    });
  }

  for (const [line, message] of [
    ['route @none {\n\t\t\techo\n\t\t}', "unknown matcher set '@none'"],
    ['@a ssh\n\t\t@a tls', "matcher set '@a' is defined more than once"],
    ['@a {\n\t\t}', 'a matcher set requires a matcher'],
    ['@a {\n\t\t\tssh\n\t\t\tssh\n\t\t}', "matcher 'ssh' is repeated"],
    ['matching_timeout fast', 'matching_timeout'],
    ['route {\n\t\t\tproxi 10.0.0.1:80\n\t\t}', "did you mean 'proxy'?"],
    ['proxy 10.0.0.1:80', "unrecognized option 'proxy'"],
    ['route {\n\t\t\ttee {\n\t\t\t}\n\t\t}', 'a branch requires a handler'],
    [
      'route {\n\t\t\tproxy {\n\t\t\t\tupstream {\n\t\t\t\t\tweight 2\n\t\t\t\t}\n\t\t\t}\n\t\t}',
      'an upstream requires an address',
    ],
  ] as const)
    it(`the layer4 Caddyfile reader reports the error in ${JSON.stringify(line)}`, async () => {
      let error = '';
      await fromCaddyfile(`{\n\tlayer4 {\n\t\t:5000 {\n\t\t${line}\n\t\t}\n\t}\n}\n`).catch((thrown: unknown) => {
        error = (thrown as Error).message;
      });
      expect(error).to.include(message);
    });
});
