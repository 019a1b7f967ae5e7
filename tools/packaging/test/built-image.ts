/** The image as a builder makes it of the Dockerfile: with buildah, which needs no daemon. Its first stage, for which images and packages are fetched, is done here. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceRoot } from '../src/workspace.ts';

/** Whether there is a builder. */
export const canBuild: boolean = spawnSync('buildah', ['--version']).status === 0;

/** What the first stage of the Dockerfile comes to. */
const firstStage = 'FROM scratch AS build\nCOPY image /image\nCOPY volumes /volumes\n\n';

/** Builds the image of its file system, in a folder; gives where the file system of a container of it is. */
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
