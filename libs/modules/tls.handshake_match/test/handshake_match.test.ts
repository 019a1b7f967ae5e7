import { expect } from 'chai';
import { register } from '@sluice/tls.handshake_match';
import { handshakeMatchers, type ClientHello } from '@sluice/contracts';
import type { Json, JsonObject } from '@sluice/base';
import { provisionMap } from '@sluice/testing';

const hello: ClientHello = {
  serverName: 'a.example.com',
  protocols: ['h2'],
  versions: [0x0304],
  cipherSuites: [],
  signatureSchemes: [],
  remoteAddress: '192.0.2.1',
  remotePort: 5,
  localAddress: '2001:db8::1',
  localPort: 443,
};

/** Reports whether a set of matcher modules matches. Returns the error if the set is rejected. */
async function verdict(matchers: JsonObject, more: Partial<ClientHello> = {}): Promise<boolean | string> {
  try {
    const { instance, close } = await provisionMap(handshakeMatchers, matchers, { register: [register] });
    await close();
    return [...instance.values()].every((matcher) => matcher.match({ ...hello, ...more }));
  } catch (error) {
    return (error as Error).message;
  }
}

describe('tls.handshake_match', () => {
  const table: readonly [Json, boolean, Partial<ClientHello>?][] = [
    [{ sni: ['a.example.com'] }, true],
    [{ sni: ['A.EXAMPLE.COM'] }, true],
    [{ sni: ['*.example.com'] }, true],
    [{ sni: ['*.*.com'] }, true],
    [{ sni: ['*.com', 'example.com', '*'] }, false],
    [{ sni: [] }, false],
    [{ sni: ['bücher.example'] }, true, { serverName: 'xn--bcher-kva.example' }],
    [{ sni_regexp: { pattern: '^a\\.' } }, true],
    [{ not: [] }, true],
    [{ not: [{}] }, false],
    [{ not: [null] }, false],
    [{ not: [{ sni: ['a.example.com'] }] }, false],
    [{ not: [{ sni: ['b.example.com'] }] }, true],
    [{ not: [{ sni: ['a.example.com'], remote_ip: { ranges: ['10.0.0.0/8'] } }] }, true],
    [{ not: [{ sni: ['b.example.com'] }, { remote_ip: { ranges: ['192.0.2.0/24'] } }] }, false],
    [{ not: [{ not: [{ sni: ['a.example.com'] }] }] }, true],
    [{ sni: ['a.example.com'], not: [{ remote_ip: { ranges: ['192.0.2.1'] } }] }, false],
    [{ sni_regexp: { name: 'n', pattern: 'b' } }, false],
    [{ remote_ip: { ranges: ['192.0.2.0/24'] } }, true],
    [{ remote_ip: { ranges: ['192.0.2.0/24'], not_ranges: ['192.0.2.1'] } }, false],
    [{ remote_ip: { not_ranges: ['10.0.0.0/8'] } }, true],
    [{ remote_ip: {} }, true],
    [{ local_ip: { ranges: ['2001:db8::/32'] } }, true],
    [{ local_ip: { ranges: ['::1'] } }, false],
    [{ local_ip: {} }, true],
    [{ sni: ['a.example.com'], remote_ip: { ranges: ['10.0.0.0/8'] } }, false],
  ];
  for (const [matchers, expected, more] of table) {
    it(`the handshake matcher ${JSON.stringify(matchers)} ${expected ? 'matches' : 'does not match'}`, async () => {
      expect(await verdict(matchers as JsonObject, more)).to.equal(expected);
    });
  }

  const refused: readonly [JsonObject, string][] = [
    [{ sni_regexp: { pattern: '(' } }, 'apps.host.module.sni_regexp.pattern'],
    [{ remote_ip: { ranges: ['x'] } }, 'apps.host.module.remote_ip.ranges'],
    [{ remote_ip: { not_ranges: ['1.2.3.4/99'] } }, 'apps.host.module.remote_ip.not_ranges'],
    [{ local_ip: { range: [] } }, 'unknown key "range"'],
  ];
  for (const [matchers, words] of refused) {
    it(`the handshake matcher ${JSON.stringify(matchers)} is rejected`, async () => {
      expect(await verdict(matchers)).to.contain(words);
    });
  }
});
