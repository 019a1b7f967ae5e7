/**
 * Builds the container image from the Dockerfile with buildah, which does not require a daemon. The first build stage requires downloads,
 * so it is replaced.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../src/workspace.ts';

/** True if buildah is installed. */
export const canBuild: boolean = spawnSync('buildah', ['--version']).status === 0;

/** Text that replaces the first stage of the Dockerfile. */
const firstStage = 'FROM scratch AS build\nCOPY image /image\nCOPY volumes /volumes\n\n';

/** Builds the image from its file system in a directory. Returns the root directory of a container created from the image. */
export function buildImage(root: string, folder: string): string {
  const context = join(folder, 'context');
  mkdirSync(join(context, 'volumes'), { recursive: true });
  cpSync(root, join(context, 'image'), { recursive: true });
  for (const volume of ['data', 'config']) renameSync(join(context, 'image', volume), join(context, 'volumes', volume));
  const dockerfile = readFileSync(join(workspaceRoot, 'tools/packaging/docker/Dockerfile'), 'utf8');
  const secondStage = dockerfile.slice(dockerfile.indexOf('FROM scratch\n'));
  writeFileSync(join(context, 'Dockerfile'), firstStage + secondStage);
  const buildah = (...args: readonly string[]): string => {
    const stores = ['--root', join(folder, 'images'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'];
    const { status, stdout, stderr } = spawnSync('buildah', [...stores, ...args], { encoding: 'utf8', cwd: context });
    if (status !== 0) throw new Error(`buildah ${args.join(' ')} failed: ${stderr}`);
    return stdout.trim();
  };
  buildah('bud', '--isolation', 'chroot', '--format', 'docker', '--tag', 'sluice', '.');
  return buildah('mount', buildah('from', 'sluice'));
}
