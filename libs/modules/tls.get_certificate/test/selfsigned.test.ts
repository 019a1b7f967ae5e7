import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mock } from 'node:test';
import { expect } from 'chai';
import { provision, refusal } from '@sluice/testing';
import type { ClientHello } from '@sluice/contracts';
import { certificateManagers, type CertificatePair } from '@sluice/tls-app';
import { register } from '../src/index.ts';
import { SelfSigned } from '../src/selfsigned/self-signed.ts';

const settings = { register: [register], key: 'via' };
const hello: ClientHello = {
  serverName: '',
  protocols: [],
  versions: [0x0304],
  cipherSuites: [],
  signatureSchemes: [],
  remoteAddress: '192.0.2.1',
  remotePort: 40000,
  localAddress: '192.0.2.2',
  localPort: 443,
};

describe('tls.get_certificate.selfsigned', () => {
  const get = (manager: SelfSigned, serverName: string, localAddress = '192.0.2.2'): Promise<CertificatePair | null> =>
    manager.get({ ...hello, serverName, localAddress });
  const namesOf = (pair: CertificatePair | null): string | undefined =>
    new X509Certificate(pair?.chain ?? '').subjectAltName;
  afterEach(() => mock.timers.reset());

  it('tls.get_certificate.selfsigned signs a certificate for the server name or the listener address', async () => {
    const manager = new SelfSigned();
    expect(namesOf(await get(manager, 'A.test'))).to.equal('DNS:a.test');
    expect(namesOf(await get(manager, ''))).to.equal('IP Address:192.0.2.2');
    expect(namesOf(await get(manager, '', 'fe80::1%eth0'))).to.equal('IP Address:FE80:0:0:0:0:0:0:1');
    expect(namesOf(await get(manager, '', ''))).to.equal('DNS:localhost');
  });

  it('tls.get_certificate.selfsigned returns a self-signed certificate that is valid only for server authentication, and the matching key', async () => {
    const pair = await get(new SelfSigned(), 'a.test');
    const certificate = new X509Certificate(pair?.chain ?? '');
    expect(certificate.checkPrivateKey(createPrivateKey(pair?.key ?? ''))).to.equal(true);
    expect(certificate.verify(certificate.publicKey)).to.equal(true);
    expect(certificate.ca).to.equal(false);
    expect(certificate.keyUsage).to.deep.equal(['1.3.6.1.5.5.7.3.1']);
  });

  it('tls.get_certificate.selfsigned returns no certificate for invalid host names', async () => {
    for (const name of ['a b', 'ä.test', '-a', 'a.', '*', 'a'.repeat(254)])
      expect(await get(new SelfSigned(), name), name).to.equal(null);
  });

  it('tls.get_certificate.selfsigned generates one certificate per name, even for concurrent clients', async () => {
    const manager = new SelfSigned();
    const [one, two] = await Promise.all([get(manager, 'a.test'), get(manager, 'A.TEST')]);
    expect(one).to.equal(two);
    expect(await get(manager, 'b.test')).not.to.equal(one);
  });

  it('tls.get_certificate.selfsigned generates a new certificate before the old certificate expires', async () => {
    const manager = new SelfSigned();
    mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const first = await get(manager, 'a.test');
    mock.timers.setTime(Date.now() + 3 * 86_400_000);
    expect(await get(manager, 'a.test')).to.equal(first);
    mock.timers.setTime(Date.now() + 86_400_000);
    const second = await get(manager, 'a.test');
    expect(second).not.to.equal(first);
    expect(new X509Certificate(second?.chain ?? '').validToDate.getTime()).to.be.greaterThan(Date.now());
  });

  it('tls.get_certificate.selfsigned keeps at most the thousand most recent certificates @long', async function () {
    this.timeout(30_000);
    const manager = new SelfSigned();
    const first = await get(manager, 'first.test');
    const second = await get(manager, 'second.test');
    await Promise.all(Array.from({ length: 999 }, (_, i) => get(manager, `${i}.test`)));
    expect(await get(manager, 'second.test')).to.equal(second);
    expect(await get(manager, 'first.test')).not.to.equal(first);
  });

  it('tls.get_certificate.selfsigned accepts no options', async () => {
    const { instance, close } = await provision(certificateManagers, { via: 'selfsigned' }, settings);
    expect(instance).to.be.instanceOf(SelfSigned);
    await close();
    expect(await refusal(certificateManagers, { via: 'selfsigned', names: [] }, settings)).to.match(/names/);
  });
});
