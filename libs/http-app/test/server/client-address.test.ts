import { expect } from 'chai';
import { makeExchange } from '@sluice/testing';
import { ClientAddress } from '../../src/server/client-address.ts';

/** Returns the client IP of a request that a trusted proxy at 127.0.0.1 forwards. */
function clientOf(forwarded: string, strict = false): string {
  const trusted = { contains: (address: string) => address === '127.0.0.1' };
  const addresses = new ClientAddress({ trusted, trustUnix: false, fields: ['x-forwarded-for'], strict });
  return addresses.of(makeExchange({ headers: { 'x-forwarded-for': forwarded } }));
}

describe('client address', () => {
  const cases: readonly [forwarded: string, client: string, strict: string][] = [
    ['1.2.3.4, 5.6.7.8', '1.2.3.4', '5.6.7.8'],
    ['1.2.3.4, 127.0.0.1', '1.2.3.4', '1.2.3.4'],
    ['nonsense, 1.2.3.4:80', '1.2.3.4', '1.2.3.4'],
    ['nonsense', '127.0.0.1', '127.0.0.1'],
    ['2001:DB8::1', '2001:db8::1', '2001:db8::1'],
    ['[2001:0db8:0:0::0001]:443', '2001:db8::1', '2001:db8::1'],
    ['FE80::1%eth0', 'fe80::1', 'fe80::1'],
    ['::FFFF:1.2.3.4', '::ffff:1.2.3.4', '::ffff:1.2.3.4'],
  ];
  for (const [forwarded, client, strict] of cases) {
    it(`the client address is ${client} for the forwarded addresses ${forwarded}, and ${strict} in strict mode`, () => {
      expect(clientOf(forwarded)).to.equal(client);
      expect(clientOf(forwarded, true)).to.equal(strict);
    });
  }
});
