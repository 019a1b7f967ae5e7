/**
 * `node publish.mjs <package directory> [--dryRun] [--registry=…] [--tag=…]` publishes one package with npm. `nx release publish` runs this
 * command for each package. With `--dryRun`, the command packs the package and prints the files that would be published. In a workflow with
 * the permission `id-token: write`, the package includes provenance.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { workspaceRoot } from '@sluice/workspace';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    dryRun: { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    registry: { type: 'string' },
    tag: { type: 'string' },
  },
});
const [path = ''] = positionals;
/** The server bundle is a generated package. */
const isBundle = path === 'tools/packaging';
/** Publishes the generated packages. They exclude files that only the workspace needs. */
const made = isBundle ? ['cli', 'libraries/create-module'] : [join('libraries', path)];
const folders = made.map((name) => join(workspaceRoot, 'tools/packaging/out', name));
const isDry = values.dryRun === true || values['dry-run'] === true || process.env.NX_DRY_RUN === 'true';

/** @param {string} command @param {readonly string[]} args @param {string} cwd */
function run(command, args, cwd) {
  const { status } = spawnSync(command, args, { cwd, stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}

const make = isBundle ? [['src/main.ts'], ['src/libraries/create-module-main.ts']] : [['src/libraries/main.ts', path]];
for (const args of make) run(process.execPath, args, join(workspaceRoot, 'tools/packaging'));
const withProvenance = process.env.ACTIONS_ID_TOKEN_REQUEST_URL !== undefined && !isDry;
const options = [
  '--access=public',
  '--ignore-scripts',
  ...(isDry ? ['--dry-run'] : []),
  ...(withProvenance ? ['--provenance'] : []),
  ...(typeof values.registry === 'string' ? [`--registry=${values.registry}`] : []),
  `--tag=${typeof values.tag === 'string' ? values.tag : 'latest'}`,
];
for (const folder of folders) run('npm', ['publish', ...options], folder);
