/** NSS trust stores of Firefox, Chromium and other programs. Each profile has one database. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SluiceError } from '@sluice/base';
import type { Machine, RootCertificate, TrustStore } from './store.ts';
import { withFile } from './with-file.ts';

/** Profile directories, relative to the user's home directory. */
const profileFolders = [
  '.mozilla/firefox',
  'snap/firefox/common/.mozilla/firefox',
  '.var/app/org.mozilla.firefox/.mozilla/firefox',
  'Library/Application Support/Firefox/Profiles',
];

/** Returns the NSS databases of the current user. */
export async function nssStores(machine: Machine): Promise<TrustStore[]> {
  const folders = [join(machine.home, '.pki/nssdb')];
  for (const folder of profileFolders) {
    const names = await readdir(join(machine.home, folder)).catch(() => []);
    folders.push(...names.map((name) => join(machine.home, folder, name)));
  }
  const stores: TrustStore[] = [];
  for (const folder of folders) {
    if (await isFile(join(folder, 'cert9.db'))) stores.push(new NssStore(machine, folder));
  }
  return stores;
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}

class NssStore implements TrustStore {
  readonly name: string;
  readonly #machine: Machine;
  readonly #database: string;

  constructor(machine: Machine, folder: string) {
    this.name = `the browser (${folder})`;
    this.#machine = machine;
    this.#database = `sql:${folder}`;
  }

  async install(root: RootCertificate): Promise<void> {
    await this.#checkProgram();
    await withFile(root, (path) =>
      this.#machine.run('certutil', ['-A', '-d', this.#database, '-t', 'C,,', '-n', root.label, '-i', path]),
    );
  }

  async remove({ label, formerId }: RootCertificate): Promise<void> {
    await this.#checkProgram();
    for (const name of [label, formerId]) {
      const there = await this.#machine.run('certutil', ['-L', '-d', this.#database, '-n', name]).then(
        () => true,
        () => false,
      );
      if (there) await this.#machine.run('certutil', ['-D', '-d', this.#database, '-n', name]);
    }
  }

  async #checkProgram(): Promise<void> {
    if (!(await this.#machine.has('certutil')))
      throw new SluiceError(
        'ERR_PKI_TRUST',
        'certutil is not installed; install the package libnss3-tools, nss-tools or nss',
      );
  }
}
