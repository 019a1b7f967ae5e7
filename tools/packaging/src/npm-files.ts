/**
 * Obtains npm packages for other platforms, which npm does not install on this machine. The build downloads the packages and verifies them
 * against the lockfile.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { readJson, workspaceRoot } from './workspace.ts';

const cache = join(workspaceRoot, 'tools/packaging/out/npm');

interface Locked {
  readonly version: string;
  readonly integrity: string;
}

/**
 * Returns the directory of a package at the version in the lockfile. The package is either installed or downloaded with `npm pack`. Throws
 * if the package is not in the lockfile or not in the registry.
 */
export function packageFolder(name: string): string {
  const installed = join(workspaceRoot, 'node_modules', name);
  if (existsSync(join(installed, 'package.json'))) return installed;
  const { packages } = readJson(join(workspaceRoot, 'package-lock.json')) as {
    readonly packages: Readonly<Record<string, Locked | undefined>>;
  };
  const locked = packages[`node_modules/${name}`];
  if (locked === undefined) throw new Error(`package-lock.json has no package ${name}`);
  const folder = join(cache, `${name.replaceAll('/', '+')}-${locked.version}`);
  if (existsSync(folder)) return folder;
  const staged = `${folder}.part`;
  rmSync(staged, { recursive: true, force: true });
  mkdirSync(staged, { recursive: true });
  const packed = run('npm', [
    'pack',
    `${name}@${locked.version}`,
    '--json',
    '--loglevel=error',
    '--pack-destination',
    staged,
  ]);
  const [{ filename = '' } = {}] = Object.values(JSON.parse(packed) as Record<string, { filename?: string }>);
  const tarball = join(staged, filename);
  const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  if (integrity !== locked.integrity)
    throw new Error(
      `${name}@${locked.version} is not the package of the lockfile: ${integrity} instead of ${locked.integrity}`,
    );
  run('tar', ['-xzf', tarball, '-C', staged, '--strip-components=1']);
  rmSync(tarball);
  renameSync(staged, folder);
  return folder;
}

export function run(program: string, args: readonly string[], cwd: string = workspaceRoot): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 26 });
  if (error !== undefined) throw new Error(`cannot start ${program}: ${error.message}`);
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed: ${stderr.trim()}`);
  return stdout;
}
