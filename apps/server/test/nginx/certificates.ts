/** Creates certificates for the test cases: server certificates, and client certificates with their CAs. */
import { execFileSync } from 'node:child_process';

/** Server certificates: DNS names by file name. */
const servers: Readonly<Record<string, string>> = { cert: 'a.test,b.test', one: 'one.test', two: 'two.test' };

/** Client certificates with their CA and subject. The certificate of `eve` has only the server usage and is not valid for clients. */
const clients: Readonly<Record<string, readonly [authority: string, subject: string]>> = {
  ann: ['clients', '/C=CH/O=Team A/CN=ann'],
  bob: ['others', '/O=Others/CN=bob'],
  eve: ['clients', '/CN=eve'],
};

/** Creates the certificates in a directory. */
export function makeCertificates(command: string, folder: string): void {
  const make = (name: string, subject: string, rest: readonly string[]): void => {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', `${name}.key`];
    const all = ['req', '-x509', '-subj', subject, ...key, '-out', `${name}.pem`, ...rest];
    execFileSync(command, all, { cwd: folder, stdio: 'ignore' });
  };
  for (const [name, names] of Object.entries(servers)) {
    const list = names
      .split(',')
      .map((each) => `DNS:${each}`)
      .join(',');
    make(name, `/CN=${names.split(',')[0] ?? ''}`, ['-days', '3', '-addext', `subjectAltName=${list}`]);
  }
  for (const authority of ['clients', 'others']) make(authority, `/CN=${authority}`, ['-days', '3']);
  for (const [name, [authority, subject]] of Object.entries(clients)) {
    const usage = `extendedKeyUsage=${name === 'eve' ? 'serverAuth' : 'clientAuth'}`;
    const leaf = ['-addext', 'basicConstraints=critical,CA:FALSE', '-addext', usage];
    make(name, subject, ['-days', '3', '-CA', `${authority}.pem`, '-CAkey', `${authority}.key`, ...leaf]);
  }
}
