/** Creates client certificates for each run of a site that requests them. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Site } from './site.ts';
import { isRequest } from './step.ts';

/** Client names and the CAs that issue their certificates. The site does not trust the CA of `stranger`. */
const clients: Readonly<Record<string, string>> = { ann: 'clients', bob: 'clients', stranger: 'strangers' };

/** Reports whether any client of a site uses a certificate. */
export function needsCertificates({ steps }: Site): boolean {
  return steps.some((step) => isRequest(step) && step.settings.client !== undefined);
}

/**
 * If the site needs client certificates, writes `clients.pem` (the CA) and one file per client, such as `ann.pem`. The files of the clients
 * include the keys.
 */
export function makeCertificates(site: Site, folder: string): void {
  if (!needsCertificates(site)) return;
  for (const authority of new Set(Object.values(clients))) issue(folder, authority, []);
  for (const [name, authority] of Object.entries(clients)) {
    issue(folder, name, ['-CA', `${authority}.pem`, '-CAkey', `${authority}.key`]);
    writeFileSync(
      join(folder, `${name}.pem`),
      readFileSync(join(folder, `${name}.pem`), 'utf8') + readFileSync(join(folder, `${name}.key`), 'utf8'),
    );
  }
}

function issue(folder: string, name: string, issuer: readonly string[]): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', `${name}.key`];
  const use =
    issuer.length === 0
      ? []
      : ['-addext', 'basicConstraints=critical,CA:FALSE', '-addext', 'extendedKeyUsage=clientAuth'];
  const all = ['req', '-x509', '-days', '30', '-subj', `/CN=${name}`, ...key, '-out', `${name}.pem`, ...issuer, ...use];
  execFileSync('openssl', all, { cwd: folder, stdio: 'ignore' });
}
