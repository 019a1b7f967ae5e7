/**
 * Obtains certificates from Caddy's ACME server, which validates only on ports 80 and 443. Runs in a separate process and network
 * namespace. Arguments: the caddy command and an empty directory. Prints the results.
 */
import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { namesOf, orderFor, provisionIssuer } from './support.ts';

const [command = '', folder = ''] = process.argv.slice(2);
const routes = [{ match: [{ host: ['localhost'] }], handle: [{ handler: 'acme_server' }] }];
const document = {
  admin: { disabled: true },
  storage: { module: 'file_system', root: folder },
  apps: {
    pki: { certificate_authorities: { local: { install_trust: false } } },
    tls: { automation: { policies: [{ subjects: ['localhost'], issuers: [{ module: 'internal' }] }] } },
    http: {
      http_port: 8080,
      https_port: 8443,
      servers: { s: { listen: ['127.0.0.1:8443'], routes, automatic_https: { disable_redirects: true } } },
    },
  },
};
writeFileSync(join(folder, 'config.json'), JSON.stringify(document));
const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
const server = spawn(command, ['run', '--config', join(folder, 'config.json')], { env, stdio: 'ignore' });
try {
  const root = join(folder, 'pki', 'authorities', 'local', 'root.crt');
  const leaf = join(folder, 'certificates', 'local', 'localhost', 'localhost.crt');
  while (!existsSync(root) || !existsSync(leaf)) await sleep(50);
  for (const other of ['http', 'tls-alpn']) {
    const { issuer, close } = await provisionIssuer({
      module: 'acme',
      ca: 'https://localhost:8443/acme/local/directory',
      trusted_roots_pem_files: [root],
      challenges: { [other]: { disabled: true } },
    });
    const first = await issuer.issue(await orderFor(['localhost']));
    const second = await issuer.issue(await orderFor(['localhost'], { replaces: first.chain }));
    await issuer.revoke?.(second.chain, 1, AbortSignal.timeout(10_000));
    process.stdout.write(`without ${other}: ${namesOf(second.chain) ?? 'nothing'}\n`);
    await close();
  }
} finally {
  server.kill('SIGKILL');
}
