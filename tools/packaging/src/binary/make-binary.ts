/** Builds a Node single executable application that contains Node, the bundle and all its files. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeLicense } from '../licenses/third-party-licenses.ts';
import { nodeDependencies } from '../node-dependencies.ts';
import { cliFolder } from '../npm-package.ts';
import { packageFolder } from '../npm-files.ts';
import { ownTarget, type Target } from '../targets.ts';

export const binaryFile: string = join(dirname(cliFolder), process.platform === 'win32' ? 'sluice.exe' : 'sluice');

const boot = fileURLToPath(new URL('./boot.cjs', import.meta.url));

/**
 * Builds the executable from an existing npm package, for this platform or another. Writes the bill of materials and Node's license next to
 * the executable. An executable for macOS must be signed, which is possible only on macOS.
 */
export async function makeBinary(
  file: string = binaryFile,
  target: Target = ownTarget(),
  { addonIsOptional = false }: { readonly addonIsOptional?: boolean } = {},
): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  const original = nodeOf(target);
  const license = `${file}.node-license.txt`;
  writeFileSync(license, nodeLicense(original, sameNodes(target)));
  const node = `${file}.node`;
  const config = `${file}.json`;
  try {
    copyFileSync(original, node);
    // A fifth of the Node executable consists of symbols that are not used at run time. A platform's strip tool cannot process executables
    // of other platforms.
    const isOwn = target === ownTarget();
    if (isOwn && target.platform !== 'darwin' && !run('strip', [node]))
      console.warn('strip is not installed: the program is larger than necessary');
    if (isOwn && target.platform === 'darwin') run('codesign', ['--remove-signature', node]);
    writeFileSync(
      config,
      JSON.stringify({
        main: boot,
        output: file,
        executable: node,
        disableExperimentalSEAWarning: true,
        useSnapshot: false,
        useCodeCache: false,
        execArgv: ['--disable-warning=ExperimentalWarning'],
        execArgvExtension: 'none',
        assets: { ...assets(license), ...addonOf(target, addonIsOptional) },
      }),
    );
    if (!run(process.execPath, ['--build-sea', config])) throw new Error('node --build-sea failed');
    if (isOwn && target.platform === 'darwin' && !run('codesign', ['--sign', '-', file]))
      throw new Error('codesign failed: macOS starts only signed programs');
  } finally {
    for (const each of [node, config]) rmSync(each, { force: true });
  }
  copyFileSync(join(cliFolder, 'sbom.cdx.json'), `${file}.cdx.json`);
  console.log(`${target.id}: ${Math.round(statSync(file).size / 1e6)} MB`);
}

/**
 * Returns the path of Node for a target. For the current platform, this is the running Node, because the platform may have no npm package.
 */
function nodeOf(target: Target): string {
  if (target === ownTarget()) return process.execPath;
  if (target.node === null)
    throw new Error(`the program for ${target.id} must be built on that platform, because npm has no Node for it`);
  return join(packageFolder(target.node), 'bin', target.platform === 'win32' ? 'node.exe' : 'node');
}

/** Returns the package files, by their names in the executable. */
function assets(license: string): Record<string, string> {
  const names = globSync(['*.json', '*.txt', 'LICENSE', 'dist/*.js', 'config/**', 'dashboard/*'], { cwd: cliFolder });
  const files = names.filter((name) => statSync(join(cliFolder, name)).isFile());
  return {
    ...Object.fromEntries(files.map((name) => [name.replaceAll('\\', '/'), join(cliFolder, name)])),
    'NODE-LICENSE.txt': license,
    'boot.cjs': boot,
    'bcrypt.cjs': join(packageFolder('@node-rs/bcrypt'), 'api.cjs'),
  };
}

/** Returns the bcrypt addon of a target. In a dry run, the addon may be missing if the registry does not provide it. */
function addonOf({ addon, id }: Target, isOptional: boolean): Record<string, string> {
  try {
    return { 'bcrypt.node': join(packageFolder(addon), `bcrypt.${addon.slice('@node-rs/bcrypt-'.length)}.node`) };
  } catch (error) {
    if (!isOptional) throw error;
    console.warn(`${id} is built without bcrypt: ${error instanceof Error ? error.message : String(error)}`);
    return {};
  }
}

/** Returns the Node executables of npm packages that have the same version as the target's Node. */
function sameNodes({ node }: Target): string[] {
  const version = node === null ? null : nodeDependencies[node];
  const names = Object.keys(nodeDependencies).filter((name) => nodeDependencies[name] === version && name !== node);
  return names.filter((name) => name.startsWith('node-linux')).map((name) => join(packageFolder(name), 'bin/node'));
}

function run(command: string, args: readonly string[]): boolean {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return error === undefined && status === 0;
}
