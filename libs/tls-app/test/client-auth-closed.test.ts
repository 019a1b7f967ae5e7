/** Tests situations in which client authentication could fail open. The server must reject the client in each case. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { expect } from 'chai';
import { Bench, shakeHands, TestAuthority } from './support.ts';

const clientUsage = '1.3.6.1.5.5.7.3.2';
const versions = ['TLSv1.2', 'TLSv1.3'] as const;

describe('client authentication must not fail open', function () {
  this.timeout(15_000);
  let folder: string;
  let own: TestAuthority;
  let other: TestAuthority;
  let bench: Bench;
  let port: number;
  const memory = { certificates: { memory: {} } };
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-client-auth-'));
    [own, other] = [await TestAuthority.make(), await TestAuthority.make()];
  });
  after(() => rmSync(folder, { recursive: true }));
  beforeEach(async () => {
    bench = new Bench(own);
    bench.loaded = [{ ...(await own.leaf(['a.test'])), tags: [], source: 'a.test' }];
    port = await bench.listen();
  });
  afterEach(() => bench.close());

  /** Returns the error message for a configuration, or an empty string if it is accepted. */
  async function refusalOf(authentication: Record<string, unknown>): Promise<string> {
    try {
      await bench.load(memory, [{ client_authentication: authentication as never }]);
      return '';
    } catch (error) {
      return String(error);
    }
  }

  for (const mode of ['require_and_verify', 'verify_if_given'] as const) {
    // Attack in docs/security.md: A client certificate from a CA in the system's trust store, if the policy verifies clients but lists no
    // CAs (same class as CVE-2026-27586).
    it(`client authentication does not trust system CAs if a policy specifies no CA: ${mode}`, async () => {
      const trusted = getCACertificates('default');
      setDefaultCACertificates([other.pem]);
      try {
        await bench.load(memory, [{ client_authentication: { mode } }]);
        const { chain, key } = await other.leaf(['client.test'], { usage: clientUsage });
        for (const maxVersion of versions)
          expect((await shakeHands(port, 'a.test', { maxVersion, cert: chain, key })).text, maxVersion).to.equal('');
      } finally {
        setDefaultCACertificates(trusted);
      }
    });
  }

  it('CVE-2025-68121: client authentication does not resume sessions after the CAs in a file have changed', async () => {
    const file = join(folder, 'authorities.pem');
    const policies = [{ client_authentication: { mode: 'require_and_verify', trusted_ca_certs_pem_files: [file] } }];
    /** Changes the policy so that it reads the file again. The server would keep an unchanged policy. */
    const reload = async (authorities: string): Promise<void> => {
      writeFileSync(file, authorities);
      await bench.load(memory, [{}]);
      await bench.load(memory, policies);
    };
    const { chain, key } = await own.leaf(['client.test'], { usage: clientUsage });
    for (const maxVersion of versions) {
      await reload(own.pem);
      const first = await shakeHands(port, 'a.test', { maxVersion, cert: chain, key });
      const session = first.sessions.at(-1) as Buffer;
      expect(first.text, maxVersion).to.equal('hello\n');
      await reload(own.pem);
      const same = await shakeHands(port, 'a.test', { maxVersion, cert: chain, key, session });
      expect([same.text, same.resumed], maxVersion).to.deep.equal(['hello\n', true]);
      await reload(other.pem);
      const again = await shakeHands(port, 'a.test', { maxVersion, cert: chain, key, session });
      expect([again.text, again.resumed], maxVersion).to.deep.equal(['', false]);
    }
  });

  // Attack in docs/security.md: Resumption of a session whose client certificate has expired.
  it('client authentication does not let a session outlive the client certificate', async () => {
    const der = own.pem.split('\n').slice(1, -2).join('');
    await bench.load(memory, [{ client_authentication: { mode: 'require_and_verify', trusted_ca_certs: [der] } }]);
    const lifetime = 2000;
    const notBefore = Date.now();
    const { chain, key } = await own.leaf(['client.test'], { usage: clientUsage, notBefore, lifetime });
    const sessions = await Promise.all(
      versions.map(async (maxVersion) => {
        const first = await shakeHands(port, 'a.test', { maxVersion, cert: chain, key });
        expect(first.text, maxVersion).to.equal('hello\n');
        return first.sessions.at(-1) as Buffer;
      }),
    );
    // Certificate times have a resolution of one second, so the wait includes an additional second.
    await sleep(notBefore + lifetime + 1000 - Date.now());
    for (const [i, maxVersion] of versions.entries()) {
      const session = sessions[i] as Buffer;
      const { text } = await shakeHands(port, 'a.test', { maxVersion, cert: chain, key, session });
      expect(text, maxVersion).to.equal('');
    }
  });

  it('CVE-2026-27586: client authentication rejects missing, empty, truncated or invalid CA files', async () => {
    const file = join(folder, 'broken.pem');
    const options = { mode: 'require_and_verify', trusted_ca_certs_pem_files: [file] };
    expect(await refusalOf(options)).to.match(/trusted_ca_certs_pem_files\[0\]/);
    const { chain, key } = await own.leaf(['client.test']);
    for (const content of [
      '',
      '\n',
      'hello',
      own.pem.slice(0, own.pem.length / 2),
      key,
      own.pem + chain.slice(0, 90),
    ]) {
      writeFileSync(file, content);
      expect(await refusalOf(options), JSON.stringify(content)).to.match(/trusted_ca_certs_pem_files\[0\]/);
    }
    writeFileSync(file, own.pem + other.pem);
    expect(await refusalOf(options)).to.equal('');
  });
});
