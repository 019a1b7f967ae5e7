/** Tests that ACME clients of other projects can obtain, renew and revoke certificates. */
import { X509Certificate } from 'node:crypto';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { commandOf } from '@sluice/testing';
import { run, startBench, type Bench } from './support.ts';

/** Reports whether a server has recorded a certificate as revoked. */
function isRevoked({ storage }: Bench, pem: Buffer): boolean {
  const id = new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase();
  const record = storage.values.get(`acme_server/local/certificates/${id}.json`);
  if (record === undefined) throw new Error('the server does not know the certificate');
  return (JSON.parse(record) as { revoked: object | null }).revoked !== null;
}

function describeClient(name: string, body: (command: string, bench: () => Bench) => void): void {
  const command = commandOf(name);
  describe(`http.handlers.acme_server and ${name}`, () => {
    let bench: Bench;
    before(async function () {
      if (command === null) this.skip();
      bench = await startBench({ lifetime: '24h' });
    });
    after(() => (bench as Bench | undefined)?.close());
    body(command ?? '', () => bench);
  });
}

describeClient('lego', (lego, bench) => {
  for (const challenge of ['http', 'tls'] as const)
    it(`lego obtains, renews and revokes a certificate from acme_server using the ${challenge} challenge`, async () => {
      const { directory, folder, rootFile, httpPort, tlsPort } = bench();
      const name = `${challenge}.lego.test`;
      const port = challenge === 'http' ? httpPort : tlsPort;
      const defaults = [
        '--server',
        directory,
        '--path',
        folder,
        '--email',
        'a@lego.test',
        '--accept-tos',
        '--domains',
        name,
      ];
      const args = [...defaults, `--${challenge}`, `--${challenge}.port`, `127.0.0.1:${port}`];
      const environment = { LEGO_CA_CERTIFICATES: rootFile };
      const read = (): Buffer => readFileSync(join(folder, 'certificates', `${name}.crt`));
      await run(lego, [...args, 'run'], environment);
      const first = read();
      expect(new X509Certificate(first).subjectAltName).to.equal(`DNS:${name}`);
      await run(lego, [...args, 'renew', '--days', '90', '--no-random-sleep'], environment);
      const second = read();
      expect(new X509Certificate(second).serialNumber).to.not.equal(new X509Certificate(first).serialNumber);
      expect(isRevoked(bench(), second)).to.equal(false);
      await run(lego, [...args, 'revoke', '--keep'], environment);
      expect(isRevoked(bench(), second)).to.equal(true);
      expect(isRevoked(bench(), first)).to.equal(false);
    }).timeout(60_000);
});

describeClient('certbot', (certbot, bench) => {
  it('an ACME client obtains, renews and revokes a certificate from acme_server, and deactivates its account', async () => {
    const { directory, folder, rootFile, httpPort } = bench();
    const folders = ['config', 'work', 'logs'].flatMap((name) => [`--${name}-dir`, join(folder, name)]);
    const defaults = [...folders, '--server', directory, '--non-interactive'];
    const environment = { REQUESTS_CA_BUNDLE: rootFile };
    const names = ['-d', 'certbot.test', '-d', 'www.certbot.test'];
    const standalone = ['--standalone', '--http-01-port', String(httpPort), '--http-01-address', '127.0.0.1'];
    const account = ['--agree-tos', '-m', 'a@certbot.test', '--no-eff-email'];
    const read = (): Buffer => readFileSync(join(folder, 'config', 'live', 'certbot.test', 'fullchain.pem'));
    await run(certbot, ['certonly', ...defaults, ...standalone, ...account, ...names], environment);
    const first = read();
    expect(new X509Certificate(first).subjectAltName).to.equal('DNS:certbot.test, DNS:www.certbot.test');
    await run(certbot, ['renew', ...defaults, '--force-renewal', '--no-random-sleep-on-renew'], environment);
    const second = read();
    expect(new X509Certificate(second).serialNumber).to.not.equal(new X509Certificate(first).serialNumber);
    const revocation = ['revoke', ...defaults, '--cert-name', 'certbot.test', '--reason', 'keycompromise'];
    await run(certbot, [...revocation, '--no-delete-after-revoke'], environment);
    expect(isRevoked(bench(), second)).to.equal(true);
    await run(certbot, ['update_account', ...defaults, '-m', 'b@certbot.test', '--no-eff-email'], environment);
    await run(certbot, ['unregister', ...defaults], environment);
  }).timeout(120_000);
});

describeClient('caddy', (caddy, bench) => {
  for (const challenge of ['http', 'tls-alpn'] as const)
    it(`an ACME client obtains and renews a certificate from acme_server using the ${challenge} challenge`, async () => {
      const { directory, folder, rootFile, httpPort, tlsPort, storage } = bench();
      const name = `${challenge}.caddy.test`;
      const other = challenge === 'http' ? 'tls-alpn' : 'http';
      const issuer = {
        module: 'acme',
        ca: directory,
        email: 'a@caddy.test',
        trusted_roots_pem_files: [rootFile],
        challenges: { [other]: { disabled: true } },
      };
      // With this ratio, the certificate is due for renewal during nearly its whole lifetime.
      const policy = { subjects: [name], issuers: [issuer], renewal_window_ratio: 0.9999 };
      const server = { listen: [`127.0.0.1:${tlsPort}`], routes: [{ match: [{ host: [name] }] }] };
      const document = {
        admin: { disabled: true },
        storage: { module: 'file_system', root: join(folder, name) },
        apps: {
          tls: { automation: { renew_interval: '2s', policies: [policy] } },
          http: { http_port: httpPort, https_port: tlsPort, servers: { s: server } },
        },
      };
      const config = join(folder, `${name}.json`);
      writeFileSync(config, JSON.stringify(document));
      const issued = (): number =>
        [...storage.values].filter(([key, text]) => key.includes('/certificates/') && text.includes(name)).length;
      const running = spawn(caddy, ['run', '--config', config], {
        env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
        stdio: 'ignore',
      });
      try {
        while (issued() < 2 && running.exitCode === null) await sleep(100);
        expect(issued()).to.be.at.least(2);
      } finally {
        running.kill('SIGKILL');
        await once(running, 'close');
      }
    }).timeout(60_000);
});
