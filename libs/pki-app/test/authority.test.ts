import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import { expect } from 'chai';
import { pkiApp, type Authority } from '@sluice/pki-app';
import { MemoryStorage } from '@sluice/testing';
import { bench, verify, type Bench } from './support.ts';

const day = 86_400_000;

async function authorityOf({ runtime }: Bench, id = 'local'): Promise<Authority> {
  const authority = await runtime.app(pkiApp)?.authority(id);
  if (!authority) throw new Error(`no authority ${id}`);
  return authority;
}

function lifeOf(pem: string): number {
  const certificate = new X509Certificate(pem);
  return certificate.validToDate.getTime() - certificate.validFromDate.getTime();
}

async function refusal(pending: Promise<unknown>): Promise<string> {
  return pending.then(
    () => 'accepted',
    (error: unknown) => (error as Error).message,
  );
}

describe('pki app', () => {
  let folder: string;
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const open: Bench[] = [];
  const start = async (authorities: object, storage?: MemoryStorage): Promise<Bench> => {
    const made = bench(storage);
    open.push(made);
    await made.load(authorities);
    return made;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-pki-'));
  });
  afterEach(() => Promise.all(open.splice(0).map(({ runtime }) => runtime.close())));
  after(() => rm(folder, { recursive: true }));

  it('pki creates the default CA on demand', async () => {
    const server = await start({});
    expect([...server.storage.values.keys()]).to.deep.equal([]);
    const authority = await authorityOf(server);
    expect([...server.storage.values.keys()].sort()).to.deep.equal(
      ['intermediate.crt', 'intermediate.key', 'root.crt', 'root.key'].map((name) => `pki/authorities/local/${name}`),
    );
    expect(authority.name).to.equal('Sluice Local Authority');
    expect(new X509Certificate(authority.rootCertificate).subject).to.equal(`CN=${authority.rootCommonName}`);
    expect(lifeOf(authority.rootCertificate)).to.equal(3600 * day);
    expect(lifeOf(authority.intermediateCertificate)).to.equal(7 * day);
    expect(await authorityOf(server)).to.equal(authority);
    expect(await server.runtime.app(pkiApp)?.authority('other')).to.equal(null);
  });

  it('pki names its certificates as configured, even with special characters', async () => {
    const server = await start({
      'a.b/c': { name: 'X', root_common_name: 'a, O=evil', intermediate_common_name: '{pki.ca.name} "é" #' },
    });
    const authority = await authorityOf(server, 'a.b/c');
    expect(new X509Certificate(authority.rootCertificate).toLegacyObject().subject).to.deep.equal(
      Object.assign(Object.create(null), { CN: 'a, O=evil' }),
    );
    expect(authority.intermediateCommonName).to.equal('X "é" #');
    expect(new X509Certificate(authority.intermediateCertificate).toLegacyObject().subject.CN).to.equal('X "é" #');
    expect([...server.storage.values.keys()][0]).to.contain('pki/authorities/a.b%2Fc/');
  });

  it('pki issues certificates that strict verifiers accept', async function () {
    const server = await start({});
    const authority = await authorityOf(server);
    const { rootCertificate: root, intermediateCertificate: intermediate } = authority;
    const names = ['a.example', '*.b.example', '127.0.0.1', '::1', 'x@example.org'];
    const { certificate, chain } = await authority.issue({ subject: { publicKey }, names, lifetime: 3_600_000 });
    const leaf = new X509Certificate(certificate);
    expect(leaf.subjectAltName).to.equal(
      'DNS:a.example, DNS:*.b.example, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1, email:x@example.org',
    );
    expect(leaf.publicKey.equals(publicKey)).to.equal(true);
    expect(chain).to.equal(certificate + intermediate);
    expect(authority.chain()).to.equal(intermediate + root);
    expect(lifeOf(certificate)).to.be.within(3_600_000, 3_600_000 + 61_000);
    const byRoot = await authority.issue({ subject: { publicKey }, names: ['a.example'], signWithRoot: true });
    expect(new X509Certificate(byRoot.chain).checkIssued(new X509Certificate(root))).to.equal(true);
    const verdict = verify(root, intermediate, certificate, '-purpose', 'sslserver', '-verify_hostname', 'c.b.example');
    if (verdict === null) return this.skip();
    expect(verdict).to.equal('OK');
    expect(verify(root, '', intermediate)).to.equal('OK');
    expect(verify(root, '', byRoot.certificate, '-verify_hostname', 'a.example')).to.equal('OK');
  });

  it('pki issues a certificate for the key of a valid CSR', async () => {
    const authority = await authorityOf(await start({}));
    const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-384' }, true, ['sign', 'verify']);
    const signingAlgorithm = { name: 'ECDSA', hash: 'SHA-384' };
    const csr = await Pkcs10CertificateRequestGenerator.create({ name: 'CN=ignored', keys, signingAlgorithm });
    const { certificate } = await authority.issue({ subject: { csr: csr.toString('pem') }, names: ['a.example'] });
    const spki = Buffer.from(await crypto.subtle.exportKey('spki', keys.publicKey));
    expect(new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' }).equals(spki)).to.equal(
      true,
    );
    expect(new X509Certificate(certificate).subject ?? '').to.equal('');
    const forged = Buffer.from(csr.rawData);
    forged[forged.length - 1] = (forged.at(-1) ?? 0) ^ 1;
    expect(await refusal(authority.issue({ subject: { csr: forged }, names: ['a.example'] }))).not.to.equal('accepted');
  });

  it('pki rejects invalid names, and issues no certificate that outlives its issuer', async () => {
    const authority = await authorityOf(await start({}));
    expect(await refusal(authority.issue({ subject: { publicKey }, names: [] }))).to.contain('at least one name');
    for (const name of ['', 'a b', 'a,b', 'a\0b'])
      expect(await refusal(authority.issue({ subject: { publicKey }, names: [name] })), name).to.contain(
        'is not a valid certificate name',
      );
    const { certificate } = await authority.issue({ subject: { publicKey }, names: ['a'], lifetime: 1000 * day });
    expect(new X509Certificate(certificate).validTo).to.equal(
      new X509Certificate(authority.intermediateCertificate).validTo,
    );
  });

  it('pki issues wildcard certificates with several labels', async () => {
    const authority = await authorityOf(await start({}));
    const { certificate } = await authority.issue({ subject: { publicKey }, names: ['*.*.a.example'] });
    expect(new X509Certificate(certificate).subjectAltName).to.equal('DNS:*.*.a.example');
    expect(await refusal(authority.issue({ subject: { publicKey }, names: ['*.a.*.example'] }))).to.contain(
      'is not a valid certificate name',
    );
  });

  // Attack in docs/security.md: The clock jumps past the expiry of an internal CA's root certificate.
  it('pki creates a new root and issues only valid certificates after the clock jumps past the expiration of the root', async () => {
    const authority = await authorityOf(await start({}));
    const { rootCertificate: before } = authority;
    const { now } = Date;
    Date.now = () => now() + 4000 * day;
    try {
      const { certificate, chain } = await authority.issue({ subject: { publicKey }, names: ['a.example'] });
      expect(authority.rootCertificate).not.to.equal(before);
      const [root, intermediate, leaf] = [authority.rootCertificate, chain.slice(certificate.length), certificate];
      for (const pem of [root, intermediate, leaf]) {
        const { validFromDate, validToDate } = new X509Certificate(pem);
        expect(Date.now()).to.be.within(validFromDate.getTime(), validToDate.getTime());
      }
      expect(new X509Certificate(intermediate).checkIssued(new X509Certificate(root))).to.equal(true);
    } finally {
      Date.now = now;
    }
  });

  it('pki loads its CA from storage, even if two processes start at the same time', async () => {
    const storage = new MemoryStorage();
    const servers = await Promise.all([start({ x: {} }, storage), start({ x: {} }, storage)]);
    const chains = await Promise.all(servers.map(async (server) => (await authorityOf(server, 'x')).chain()));
    expect(chains[0]).to.equal(chains[1]);
    expect((await authorityOf(await start({ x: {} }, storage), 'x')).chain()).to.equal(chains[0]);
  });

  it('pki renews the intermediate certificate when a timer fires and before issuance', async () => {
    const timed = await start({
      x: { intermediate_lifetime: '2s', maintenance_interval: '1s', renewal_window_ratio: 0.9 },
    });
    const authority = await authorityOf(timed, 'x');
    const { rootCertificate: root, intermediateCertificate: first } = authority;
    await sleep(1700);
    expect(authority.intermediateCertificate).not.to.equal(first);
    expect(authority.rootCertificate).to.equal(root);
    const lazy = await authorityOf(await start({ x: { intermediate_lifetime: '1s' } }), 'x');
    const old = lazy.intermediateCertificate;
    await sleep(1100);
    const { chain } = await lazy.issue({ subject: { publicKey }, names: ['a'] });
    expect(lazy.intermediateCertificate).not.to.equal(old);
    expect(chain.endsWith(lazy.intermediateCertificate)).to.equal(true);
  }).timeout(8000);

  it('pki replaces and reports invalid files in storage, and keeps the old root certificate', async () => {
    const first = await start({ x: {} });
    const { storage } = first;
    const before_ = (await authorityOf(first, 'x')).chain();
    storage.values.set('pki/authorities/x/intermediate.crt', '');
    const second = await start({ x: {} }, storage);
    const repaired = await authorityOf(second, 'x');
    expect(before_.endsWith(repaired.rootCertificate)).to.equal(true);
    expect(JSON.stringify(second.logged)).to.contain('pki/authorities/x/intermediate.crt');
    storage.values.set('pki/authorities/x/root.crt', 'garbage');
    const third = await authorityOf(await start({ x: {} }, storage), 'x');
    expect(third.rootCertificate).not.to.equal(repaired.rootCertificate);
    expect(
      new X509Certificate(third.intermediateCertificate).checkIssued(new X509Certificate(third.rootCertificate)),
    ).to.equal(true);
    expect(storage.values.get('pki/authorities/x/root.crt.old')).to.equal('garbage');
  });

  it('pki accepts user-provided key pairs', async () => {
    const { storage } = await start({ x: {} });
    const file = async (name: string): Promise<string> => {
      await writeFile(join(folder, name), storage.values.get(`pki/authorities/x/${name}`) ?? '');
      return join(folder, name);
    };
    const root = { certificate: await file('root.crt'), private_key: await file('root.key') };
    const intermediate = {
      certificate: await file('intermediate.crt'),
      private_key: await file('intermediate.key'),
      format: 'pem_file',
    };
    const both = await start({ y: { root: { certificate: root.certificate }, intermediate } });
    expect((await authorityOf(both, 'y')).intermediateCertificate).to.equal(
      storage.values.get('pki/authorities/x/intermediate.crt'),
    );
    expect([...both.storage.values]).to.deep.equal([]);
    const made = await authorityOf(await start({ y: { root } }), 'y');
    expect(
      new X509Certificate(made.intermediateCertificate).checkIssued(new X509Certificate(made.rootCertificate)),
    ).to.equal(true);
    const mixed = { certificate: root.certificate, private_key: intermediate.private_key };
    const table: [object, string][] = [
      [{ root: { certificate: root.certificate } }, 'the root private key is missing'],
      [{ root: mixed }, 'does not match the certificate'],
      [{ root: { certificate: join(folder, 'none') } }, 'ENOENT'],
      [{ root: { ...root, format: 'der' } }, 'is not a supported format'],
      [{ root: {} }, 'path of the certificate file is missing'],
      [{ intermediate: { certificate: intermediate.certificate } }, 'required to issue certificates'],
      [{ intermediate_lifetime: '90000h' }, 'shorter than the lifetime of the root'],
      [{ unknown: 1 }, 'unknown key "unknown"'],
    ];
    for (const [options, words] of table) {
      const message = await refusal(start({ z: options }));
      expect(message).to.contain(words);
      expect(message).to.contain('apps.pki.certificate_authorities');
    }
  });

  it('pki creates and stores keys only in the control thread', async () => {
    const worker = bench(new MemoryStorage(), false);
    open.push(worker);
    await worker.load({ x: {} });
    expect([...worker.storage.values]).to.deep.equal([]);
    expect(await refusal(authorityOf(worker, 'x'))).to.contain('control thread');
  });
});
