/** Linux trust store: a directory of trusted certificates, and a program that builds a bundle from them. */
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDirectory, SluiceError } from '@sluice/base';
import type { Machine, RootCertificate, TrustStore } from './store.ts';

/** A family of Linux distributions. */
interface Family {
  readonly folder: string;
  /** Required file extension. */
  readonly ending: string;
  readonly update: readonly [command: string, ...args: string[]];
}

/** Linux distribution families, in detection order. */
const families: readonly Family[] = [
  // Fedora, Red Hat Enterprise Linux and derivatives.
  { folder: '/etc/pki/ca-trust/source/anchors', ending: '.pem', update: ['update-ca-trust', 'extract'] },
  // Debian, Ubuntu, Alpine.
  { folder: '/usr/local/share/ca-certificates', ending: '.crt', update: ['update-ca-certificates'] },
  // Arch.
  { folder: '/etc/ca-certificates/trust-source/anchors', ending: '.crt', update: ['trust', 'extract-compat'] },
  // SUSE.
  { folder: '/usr/share/pki/trust/anchors', ending: '.crt', update: ['update-ca-certificates'] },
];

/** Returns the system's trust store, or `null` if the distribution is unknown. */
export async function linuxStore(machine: Machine): Promise<TrustStore | null> {
  for (const family of families) {
    const there = await stat(machine.root + family.folder).then(
      (stats) => stats.isDirectory(),
      () => false,
    );
    if (there && (await machine.has(family.update[0]))) return new LinuxStore(machine, family);
  }
  return null;
}

class LinuxStore implements TrustStore {
  readonly name: string;
  readonly #machine: Machine;
  readonly #family: Family;

  constructor(machine: Machine, family: Family) {
    this.name = `the system (${family.folder})`;
    this.#machine = machine;
    this.#family = family;
  }

  async install(root: RootCertificate): Promise<void> {
    const path = this.#pathOf(root);
    await asRoot(path, async () => {
      await makeDirectory(this.#machine.root + this.#family.folder, 0o777);
      await writeFile(path, root.pem, { mode: 0o644 });
    });
    await this.#update();
  }

  async remove(root: RootCertificate): Promise<void> {
    for (const id of [root.id, root.formerId]) {
      const path = this.#pathOf({ id });
      await asRoot(path, () => rm(path, { force: true }));
    }
    await this.#update();
  }

  #pathOf({ id }: Pick<RootCertificate, 'id'>): string {
    return join(this.#machine.root + this.#family.folder, id + this.#family.ending);
  }

  async #update(): Promise<void> {
    const [command, ...args] = this.#family.update;
    await this.#machine.run(command, args);
  }
}

/** Runs a write operation and adds advice to permission errors. */
async function asRoot(path: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS')
      throw new SluiceError(
        'ERR_PKI_TRUST',
        `no permission to write ${path}; run the command as root, for example with sudo`,
        {
          cause: error,
        },
      );
    throw error;
  }
}
