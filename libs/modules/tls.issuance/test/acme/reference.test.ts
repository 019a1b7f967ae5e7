/** Tests the `acme` issuer against Caddy's ACME server. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { commandOf } from '@sluice/testing';

const caddy = commandOf('caddy');
const enter = ['-rn', 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh'];

/** Reports whether this machine supports the network namespaces that tests need. */
function hasNamespaces(): boolean {
  return commandOf('ip') !== null && spawnSync('unshare', [...enter, 'true']).status === 0;
}

describe('tls.issuance.acme and Caddy', () => {
  it('the acme issuer obtains, renews and revokes a certificate with http-01 and tls-alpn-01 if the ACME server is Caddy', function () {
    if (caddy === null || !hasNamespaces()) this.skip();
    const folder = mkdtempSync(join(tmpdir(), 'sluice-reference-'));
    try {
      const script = fileURLToPath(new URL('in-namespace.ts', import.meta.url));
      const node = [process.execPath, '--conditions=@sluice/source', script, caddy, folder];
      const { stdout, stderr } = spawnSync('unshare', [...enter, ...node], { encoding: 'utf8', timeout: 40_000 });
      expect(stdout, stderr).to.equal('without http: DNS:localhost\nwithout tls-alpn: DNS:localhost\n');
    } finally {
      rmSync(folder, { recursive: true });
    }
  }).timeout(60_000);
});
