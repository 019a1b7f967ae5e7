/** Tests which clients each mode accepts. Caddy was tested with the same certificates over TLS 1.2 and 1.3. */
import { expect } from 'chai';
import type { Json } from '@sluice/base';
import { Bench, shakeHands, TestAuthority } from './support.ts';

const hour = 3_600_000;
const day = 24 * hour;
const clientUsage = '1.3.6.1.5.5.7.3.2';
const serverUsage = '1.3.6.1.5.5.7.3.1';
const anyUsage = '2.5.29.37.0';

type Client = { readonly chain: string; readonly key: string } | null;

describe('client authentication', function () {
  this.timeout(10_000);
  const clients = new Map<string, Client>([['none', null]]);
  let bench: Bench;
  let port: number;
  let trusted: string;
  let leaf: string;
  before(async () => {
    const [own, other] = [await TestAuthority.make(), await TestAuthority.make()];
    const from = (notBefore: number, usage: string | null = clientUsage) =>
      own.leaf(['client.test'], { notBefore: Date.now() + notBefore, ...(usage === null ? {} : { usage }) });
    clients.set('good', await from(-hour));
    clients.set('other', await from(-hour));
    clients.set('foreign', await other.leaf(['client.test'], { usage: clientUsage }));
    clients.set('self', { chain: other.pem, key: other.key });
    clients.set('expired', await from(-2 * day));
    clients.set('future', await from(hour));
    clients.set('server', await from(-hour, serverUsage));
    clients.set('noeku', await from(-hour, null));
    clients.set('anyeku', await from(-hour, anyUsage));
    trusted = derOf(own.pem);
    leaf = derOf(clients.get('good')?.chain ?? '');
    bench = new Bench(own);
    bench.loaded = [{ ...(await own.leaf(['a.test'])), tags: [], source: 'a.test' }];
    port = await bench.listen();
  });
  after(() => bench.close());

  const everybody = 'none good other foreign self expired future server noeku anyeku';
  const whoHasOne = everybody.slice('none '.length);
  const table: readonly [string, () => Json, string][] = [
    ['no options', () => ({}), everybody],
    ['trusted CAs', () => ({ trusted_ca_certs: [trusted] }), 'good other noeku'],
    ['mode request', () => ({ mode: 'request', trusted_ca_certs: [trusted] }), everybody],
    ['mode require', () => ({ mode: 'require', trusted_ca_certs: [trusted] }), whoHasOne],
    ['mode verify_if_given', () => ({ mode: 'verify_if_given', trusted_ca_certs: [trusted] }), 'none good other noeku'],
    [
      'mode require_and_verify',
      () => ({ mode: 'require_and_verify', trusted_ca_certs: [trusted] }),
      'good other noeku',
    ],
    ['mode request and no CAs', () => ({ mode: 'request' }), everybody],
    ['mode require and no CAs', () => ({ mode: 'require' }), whoHasOne],
    ['mode verify_if_given and no CAs', () => ({ mode: 'verify_if_given' }), 'none'],
    ['mode require_and_verify and no CAs', () => ({ mode: 'require_and_verify' }), ''],
    ['an empty list of CAs', () => ({ mode: 'require_and_verify', trusted_ca_certs: [] }), ''],
    ['trusted leaf certificates', () => ({ trusted_leaf_certs: [leaf] }), ''],
    [
      'trusted leaf certificates and mode request',
      () => ({ mode: 'request', trusted_leaf_certs: [leaf] }),
      'none good',
    ],
    ['trusted leaf certificates and mode require', () => ({ mode: 'require', trusted_leaf_certs: [leaf] }), 'good'],
    [
      'trusted leaf certificates and mode verify_if_given',
      () => ({ mode: 'verify_if_given', trusted_leaf_certs: [leaf] }),
      'none',
    ],
    [
      'trusted leaf certificates and trusted CAs',
      () => ({ trusted_leaf_certs: [leaf], trusted_ca_certs: [trusted] }),
      'good',
    ],
  ];
  for (const [what, options, welcome] of table) {
    it(`client authentication with ${what} accepts: ${welcome || 'no one'}`, async () => {
      await bench.load({ certificates: { memory: {} } }, [{ client_authentication: options() }]);
      for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
        const welcomed: string[] = [];
        for (const [name, pair] of clients) {
          const own = pair === null ? {} : { cert: pair.chain, key: pair.key };
          if ((await shakeHands(port, 'a.test', { maxVersion, ...own })).text === 'hello\n') welcomed.push(name);
        }
        expect(welcomed.join(' '), maxVersion).to.equal(welcome);
      }
    });
  }
});

function derOf(pem: string): string {
  return pem.replaceAll(/-----[^-]+-----|\s/g, '');
}
