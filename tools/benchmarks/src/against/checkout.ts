/** Checkout of another commit of this repository, built in a separate directory. */
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const workspace = fileURLToPath(new URL('../../../..', import.meta.url));

/** A commit that has been checked out and built. */
export interface Checkout {
  readonly root: string;
  readonly commit: string;
  remove(): void;
}

/** Checks out a commit and builds its server. Uses this workspace's installed packages if the lockfiles are equal. */
export function checkOut(name: string): Checkout {
  const commit = git(['rev-parse', '--verify', `${name}^{commit}`]).trim();
  const parent = mkdtempSync(join(tmpdir(), 'sluice-bench-commit-'));
  const root = join(parent, commit.slice(0, 8));
  const remove = (): void => {
    git(['worktree', 'remove', '--force', root]);
    rmSync(parent, { recursive: true, force: true });
  };
  git(['worktree', 'add', '--detach', root, commit]);
  try {
    if (git(['diff', '--name-only', commit, '--', 'package-lock.json']) === '') linkPackages(root);
    else execFileSync('npm', ['ci', '--ignore-scripts', '--loglevel=error'], { cwd: root, stdio: 'inherit' });
    execFileSync(join(workspace, 'node_modules/.bin/tsc'), ['-b', 'apps/server/tsconfig.lib.json'], {
      cwd: root,
      stdio: 'inherit',
    });
    return { root, commit, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** Links all installed packages except the workspace's own packages. The workspace packages come from the other commit. */
export function linkPackages(root: string, from: string = workspace): void {
  const linkAll = (folder: string): void => {
    mkdirSync(join(root, folder), { recursive: true });
    for (const name of readdirSync(join(from, folder))) {
      const path = join(folder, name);
      const found = lstatSync(join(from, path));
      if (found.isSymbolicLink()) {
        // Copy the link as it is. Workspace packages are linked relative to node_modules, so the copy resolves to the commit's packages.
        symlinkSync(readlinkSync(join(from, path)), join(root, path));
      } else if (name.startsWith('@') || name === '.bin') linkAll(path);
      else symlinkSync(join(from, path), join(root, path));
    }
  };
  linkAll('node_modules');
}

function git(args: readonly string[]): string {
  return execFileSync('git', [...args], { cwd: workspace, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}
