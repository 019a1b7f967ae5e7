import { expect } from 'chai';
import { addressesOf } from '../../src/page/state/listeners.ts';

describe('the addresses of a server', () => {
  it('addresses of a server can be opened on its machine', () => {
    const listen = [':8080', '127.0.0.1:81', '0.0.0.0:82', '[::]:83', '[::1]:84', 'tcp/:85', ':8000-8010'];
    expect(addressesOf({ listen, tls: false })).to.deep.equal([
      'http://localhost:8080/',
      'http://127.0.0.1:81/',
      'http://localhost:82/',
      'http://localhost:83/',
      'http://[::1]:84/',
      'http://localhost:85/',
      'http://localhost:8000/',
    ]);
    expect(addressesOf({ listen: [':443'], tls: true })).to.deep.equal(['https://localhost/']);
  });

  it('a Unix socket has no address to open', () => {
    expect(addressesOf({ listen: ['unix//run/web.sock', 'udp/'], tls: false })).to.deep.equal([]);
  });
});
