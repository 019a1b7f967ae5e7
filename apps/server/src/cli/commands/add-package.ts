/** `sluice add-package`: installs third-party module packages. */
import { resolve } from 'node:path';
import { CommandError } from '../../failure.ts';
import { modulesFolder, requireNpm } from '../npm/npm.ts';
import { keepList, listedPackages, lockedPackage, problemOf } from '../npm/package-list.ts';

/** Options of `sluice add-package` and `sluice remove-package`. */
export interface PackageOptions {
  readonly arguments?: readonly string[];
  readonly keepBackup?: boolean;
}

/** Installs exact versions and prints them. The lockfile contains the package hashes. Servers load the packages on startup. */
export async function addPackage({ arguments: specifiers = [], keepBackup = false }: PackageOptions): Promise<number> {
  if (specifiers.length === 0) throw new CommandError('add-package requires a package name');
  const before = new Set(listedPackages());
  const there = specifiers.map(nameOf).find((name) => before.has(name));
  if (there !== undefined)
    throw new CommandError(`${there} is already installed; run remove-package ${there} before adding another version`);
  if (keepBackup) keepList();
  await requireNpm('install', ['--save-exact', '--', ...specifiers.map(absolute)]);
  const added = listedPackages().filter((name) => !before.has(name));
  const problems = (await Promise.all(added.map(problemOf))).filter((problem) => problem !== null);
  if (problems.length > 0) {
    await requireNpm('uninstall', ['--', ...added]);
    throw new CommandError(`${problems.join('; ')}: nothing was added`);
  }
  process.stdout.write(added.map((name) => `${lockedPackage(name)}\n`).join(''));
  process.stderr.write(
    `installed in ${modulesFolder()}; to load new modules into a running server, run \`sluice upgrade --exec\` or restart the server\n`,
  );
  return 0;
}

/** Resolves a directory or archive relative to the working directory. npm itself would resolve it relative to the installation directory. */
function absolute(specifier: string): string {
  return /^\.{0,2}\/|\.t(?:ar\.)?gz$/.test(specifier) ? resolve(specifier) : specifier;
}

/** Removes the version from a package specifier: `@scope/name@1.2.3` becomes `@scope/name`. */
function nameOf(specifier: string): string {
  const at = specifier.indexOf('@', 1);
  return at < 0 ? specifier : specifier.slice(0, at);
}
