import { expect } from 'chai';
import { clientConfig, readDurability, type PostgresAddress } from '../../src/postgres/client.ts';

const address: PostgresAddress = { endpoints: [], database: 'd', username: 'u', password: 'p', tls: null };

describe('clientConfig', () => {
  it('clientConfig contains the host and port, or the socket directory', () => {
    expect(clientConfig(address, 'a.example:5')).to.deep.include({
      host: 'a.example',
      port: 5,
      user: 'u',
      password: 'p',
    });
    expect(clientConfig(address, 'a.example')).to.deep.include({ host: 'a.example', port: 5432, database: 'd' });
    expect(clientConfig(address, '/run/postgresql'))
      .to.include({ host: '/run/postgresql' })
      .and.not.have.property('port');
  });

  it('clientConfig enables TLS on request, with verification by default', () => {
    expect(clientConfig(address, 'a').ssl).to.equal(false);
    const none = { ca: null, certificate: null, key: null };
    expect(clientConfig({ ...address, tls: none }, 'a').ssl).to.deep.equal({ rejectUnauthorized: true });
    const [ca, certificate, key] = [Buffer.from('a'), Buffer.from('b'), Buffer.from('c')];
    expect(clientConfig({ ...address, tls: { ca, certificate, key, insecure: true } }, 'a').ssl).to.deep.equal({
      rejectUnauthorized: false,
      ca,
      cert: certificate,
      key,
    });
  });
});

describe('readDurability', () => {
  const careful = { replica: false, fsync: 'on', commit: 'on', standbys: 'one' };

  it('readDurability returns the guarantees that the server reports', () => {
    expect(readDurability(careful)).to.deep.equal({ primary: true, durable: true, synchronous: true, waits: true });
    expect(readDurability({ ...careful, replica: true })).to.include({ primary: false });
    expect(readDurability({ ...careful, fsync: 'off' })).to.include({ durable: false });
    expect(readDurability({ ...careful, standbys: '' })).to.include({ synchronous: false });
  });

  it('readDurability detects whether commits wait for the disk, locally and on standbys', () => {
    for (const [commit, waits] of [
      ['on', true],
      ['remote_apply', true],
      ['remote_write', false],
      ['local', false],
      ['off', false],
    ] as const)
      expect(readDurability({ ...careful, commit }).waits, commit).to.equal(waits);
  });

  it('readDurability assumes no guarantees if the server reports nothing', () => {
    expect(readDurability({})).to.include({ primary: false, durable: false, waits: false });
  });
});
