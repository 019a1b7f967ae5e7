/** One program with Node, the bundle and all its files inside (a single executable application of Node). */
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, globSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cliFolder } from '../npm-package.ts';

/** What is made. */
export const binaryFile: string = join(dirname(cliFolder), process.platform === 'win32' ? 'sluice.exe' : 'sluice');

const boot = fileURLToPath(new URL('./boot.cjs', import.meta.url));

/** Makes it of the npm package, which has to be there. The bill of materials is written beside it. */
export async function makeBinary(file: string = binaryFile): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  const node = `${file}.node`;
  const config = `${file}.json`;
  try {
    copyFileSync(process.execPath, node);
    // Symbols that nothing at run time reads are a fifth of Node.
    if (!run('strip', [node])) console.warn('strip is not here: the program is larger than it need be');
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
        assets: assets(),
      }),
    );
    if (!run(process.execPath, ['--build-sea', config])) throw new Error('node --build-sea failed');
  } finally {
    for (const each of [node, config]) rmSync(each, { force: true });
  }
  copyFileSync(join(cliFolder, 'sbom.cdx.json'), `${file}.cdx.json`);
  console.log(`${Math.round(statSync(file).size / 1e6)} MB`);
}

/** The files of the package by their names in the program. */
function assets(): Record<string, string> {
  const names = globSync(['package.json', 'sbom.cdx.json', 'dist/*.js', 'config/**', 'dashboard/*'], {
    cwd: cliFolder,
  });
  const files = names.filter((name) => statSync(join(cliFolder, name)).isFile());
  return {
    ...Object.fromEntries(files.map((name) => [name.replaceAll('\\', '/'), join(cliFolder, name)])),
    'boot.cjs': boot,
    'bcrypt.node': addonFile(),
    'bcrypt.cjs': createRequire(import.meta.url)
      .resolve('@node-rs/bcrypt')
      .replace(/index\.js$/, 'api.cjs'),
  };
}

/** The part of `@node-rs/bcrypt` that is made for this platform. */
function addonFile(): string {
  const require = createRequire(createRequire(import.meta.url).resolve('@node-rs/bcrypt'));
  const libraries = ['-gnu', '-musl', '-msvc', ''].map((kind) => `${process.platform}-${process.arch}${kind}`);
  for (const name of libraries) {
    try {
      const file = join(dirname(require.resolve(`@node-rs/bcrypt-${name}/package.json`)), `bcrypt.${name}.node`);
      if (existsSync(file)) return file;
    } catch {
      // Not for this platform: the next one.
    }
  }
  throw new Error('@node-rs/bcrypt has no part for this platform: npm install');
}

function run(command: string, args: readonly string[]): boolean {
  const { status, error } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return error === undefined && status === 0;
}
