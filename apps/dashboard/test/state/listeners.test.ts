import { expect } from 'chai';
import { addressesOf } from '../../src/page/state/listeners.ts';

describe('dashboard.state.listeners', () => {
  it("addressesOf returns URLs that can be opened on the server's machine", () => {
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

  it('addressesOf returns no URL for a Unix socket', () => {
    expect(addressesOf({ listen: ['unix//run/web.sock', 'udp/'], tls: false })).to.deep.equal([]);
  });
});
