/** `sluice remove-package`: removes third-party module packages. */
import { CommandError } from '../../failure.ts';
import { requireNpm } from '../npm/npm.ts';
import { keepList, listedPackages } from '../npm/package-list.ts';
import type { PackageOptions } from './add-package.ts';

/** Removes all given packages. If any of them is not installed, removes none. */
export async function removePackage({ arguments: names = [], keepBackup = false }: PackageOptions): Promise<number> {
  if (names.length === 0) throw new CommandError('remove-package requires a package name');
  const listed = listedPackages();
  const missing = names.filter((name) => !listed.includes(name));
  if (missing.length > 0)
    throw new CommandError(`not installed: ${missing.join(', ')}; installed packages: ${listed.join(', ') || 'none'}`);
  if (keepBackup) keepList();
  await requireNpm('uninstall', ['--', ...names]);
  process.stdout.write(names.map((name) => `removed ${name}\n`).join(''));
  return 0;
}
