/**
 * `npm run release` builds all files of a release in `tools/packaging/out/release`.
 * - `--target ID`: builds the executable of one platform in `programs/ID` and, on Linux, the image file system. Must run on that platform.
 * - `--assemble`: builds archives, packages, image, extension, install script and checksums from the existing executables.
 * - `--dry-run`: does both for every platform that this machine can build for, and starts the executables that can run here.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { makeBinary } from '../binary/make-binary.ts';
import { makeImageRoot } from '../image/image-root.ts';
import { packImageRoot } from '../image/oci-image.ts';
import { cliFolder, makeNpmPackage } from '../npm-package.ts';
import { assemble, releaseFolder } from './assemble.ts';
import { ownTarget, programName, targetOf, targets, type Target } from '../targets.ts';
import { makeEngine } from '../waf-engine.ts';

const { values } = parseArgs({
  options: { target: { type: 'string' }, assemble: { type: 'boolean' }, 'dry-run': { type: 'boolean' } },
});
const isDry = values['dry-run'] === true;

if (isDry) rmSync(releaseFolder, { recursive: true, force: true });
if (isDry || values.target !== undefined || !existsSync(cliFolder)) await makeNpmPackage();
if (values.target !== undefined) await makeProgram(targetOf(values.target));
if (isDry) {
  for (const each of targets) {
    try {
      await makeProgram(each);
    } catch (error) {
      // Executables that cannot be built here are built on their platform during a release.
      if (each === ownTarget()) throw error;
      rmSync(join(releaseFolder, 'programs', each.id), { recursive: true, force: true });
      console.warn(`skipped ${each.id}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
if (isDry || values.assemble === true) for (const line of await assemble()) console.log(line);

/** Builds the executable of a target. On the target platform, also starts the executable and creates the image file system. */
async function makeProgram(target: Target): Promise<void> {
  const folder = join(releaseFolder, 'programs', target.id);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const program = join(folder, programName(target));
  await makeBinary(program, target, { addonIsOptional: isDry });
  const missing = target.platform === 'win32' ? null : makeEngine(folder, target);
  if (missing !== null && !isDry) throw new Error(`cannot build the firewall engine for ${target.id}: ${missing}`);
  if (missing !== null) console.warn(`${target.id} is built without the firewall engine: ${missing}`);
  if (target !== ownTarget()) return;
  const { status, stdout } = spawnSync(program, ['version'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} does not start`);
  console.log(`${target.id}: ${stdout.trim()} starts`);
  if (target.platform !== 'linux' || target.isMusl) return;
  const root = join(folder, 'image');
  makeImageRoot(root, program);
  packImageRoot(root, join(folder, 'image.tar'));
  rmSync(root, { recursive: true });
}
