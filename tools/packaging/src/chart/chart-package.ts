/** Packs the Helm chart in the same way as `helm package`. */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identity } from '../identity.ts';
import { run } from '../npm-files.ts';
import { readJson, workspaceRoot } from '../workspace.ts';

const source = join(workspaceRoot, 'tools/packaging/chart');

/** Packs the chart with the given version into a directory. Returns the path of the archive. The build is reproducible. */
export function makeChart(folder: string, version: string = serverVersion()): string {
  const archive = join(folder, `sluice-chart-${version}.tgz`);
  const stage = join(folder, 'chart');
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  try {
    cpSync(source, join(stage, 'sluice'), { recursive: true });
    cpSync(join(workspaceRoot, 'LICENSE'), join(stage, 'sluice/LICENSE'));
    writeFileSync(join(stage, 'sluice/Chart.yaml'), chartFile(version));
    const options = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
    run('tar', [...options, '-czf', archive, '-C', stage, 'sluice']);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
  return archive;
}

function serverVersion(): string {
  const { version } = readJson(join(workspaceRoot, 'apps/server/package.json')) as { readonly version: string };
  return version;
}

/** Returns the content of `Chart.yaml` with the given version. */
function chartFile(version: string): string {
  const { repository } = identity();
  const text = readFileSync(join(source, 'Chart.yaml'), 'utf8')
    .replace(/^#.*\n/, '')
    .replaceAll(/^(version|appVersion): .*$/gm, `$1: ${version}`);
  return repository === null ? text : `${text}home: ${repository}\n`;
}
