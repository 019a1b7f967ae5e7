/** Assembles the files of a release from the executables built for each platform. */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { makeChart } from '../chart/chart-package.ts';
import { makeDebianPackage } from '../debian/debian-package.ts';
import { identity } from '../identity.ts';
import { writeImage, type Layer } from '../image/oci-image.ts';
import { copyright } from '../linux/layout.ts';
import { makeRpmPackage } from '../linux/rpm-package.ts';
import { cliFolder, licensesName } from '../npm-package.ts';
import { readJson, workspaceRoot } from '../workspace.ts';
import { makeExtension } from './extension.ts';
import { run } from '../npm-files.ts';
import { programName, targets, type Target } from '../targets.ts';
import { engineOf } from '../waf-engine.ts';

/** Release directory. `programs` contains the executables, and `files` the files to publish. */
export const releaseFolder: string = join(workspaceRoot, 'tools/packaging/out/release');

/** Creates the release files. Returns one line per file with the checksum, size and name. */
export async function assemble(): Promise<readonly string[]> {
  const files = join(releaseFolder, 'files');
  rmSync(files, { recursive: true, force: true });
  mkdirSync(files, { recursive: true });
  const { version } = readJson(join(cliFolder, 'package.json')) as { readonly version: string };
  const made = targets.filter((target) => existsSync(programOf(target)));
  if (made.length === 0) throw new Error(`${releaseFolder}/programs is empty: run with --target first`);
  const layers: Layer[] = [];
  for (const target of made) {
    archive(target, version, files);
    if (target.platform !== 'linux' || target.isMusl) continue;
    makeDebianPackage(programOf(target), target, files);
    makeRpmPackage(programOf(target), target, files);
    const image = join(releaseFolder, 'programs', target.id, 'image.tar');
    if (existsSync(image)) layers.push({ arch: target.arch, archive: image });
  }
  if (layers.length > 0) {
    const digest = writeImage(layers, join(files, `sluice-${version}-image.tar`), version);
    writeFileSync(join(files, `sluice-${version}-image.digest`), `${digest}\n`);
  }
  run('npm', ['pack', '--loglevel=error', '--pack-destination', files], cliFolder);
  makeChart(files, version);
  await makeExtension(files, version);
  copyFileSync(join(cliFolder, 'sbom.cdx.json'), join(files, `sluice-${version}.cdx.json`));
  writeInstallScript(files, version);
  return writeChecksums(files);
}

function programOf(target: Target): string {
  return join(releaseFolder, 'programs', target.id, programName(target));
}

/** Packs an executable with its licenses. Archives are reproducible. */
function archive(target: Target, version: string, files: string): void {
  const name = `sluice-${version}-${target.id}`;
  const stage = join(files, name);
  const program = programOf(target);
  mkdirSync(stage);
  cpSync(program, join(stage, programName(target)));
  chmodSync(join(stage, programName(target)), 0o755);
  const engine = engineOf(program);
  if (engine !== null) {
    cpSync(engine, join(stage, 'waf-engine'));
    chmodSync(join(stage, 'waf-engine'), 0o755);
  }
  copyFileSync(join(workspaceRoot, 'LICENSE'), join(stage, 'LICENSE'));
  copyFileSync(join(workspaceRoot, 'README.md'), join(stage, 'README.md'));
  writeFileSync(join(stage, licensesName), copyright(program));
  copyFileSync(`${program}.cdx.json`, join(stage, 'sbom.cdx.json'));
  const options = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner'];
  run('tar', [...options, '-czf', join(files, `${name}.tar.gz`), '-C', files, name]);
  rmSync(stage, { recursive: true });
}

/** Writes the install script. The script contains the repository and version and therefore installs the release that it belongs to. */
function writeInstallScript(files: string, version: string): void {
  const script = readFileSync(join(workspaceRoot, 'tools/packaging/install.sh'), 'utf8');
  const { repository } = identity();
  const text = script.replaceAll('@VERSION@', version).replaceAll('@REPOSITORY@', repository ?? '');
  writeFileSync(join(files, 'install.sh'), text, { mode: 0o755 });
}

/** Writes `SHA256SUMS`, the input of `sha256sum -c`. */
function writeChecksums(files: string): readonly string[] {
  const names = globSync('*', { cwd: files }).filter((name) => statSync(join(files, name)).isFile());
  const lines = names.sort().map((name) => {
    const content = readFileSync(join(files, name));
    return { sum: createHash('sha256').update(content).digest('hex'), name, size: content.length };
  });
  writeFileSync(join(files, 'SHA256SUMS'), lines.map(({ sum, name }) => `${sum}  ${name}\n`).join(''));
  return lines.map(({ sum, name, size }) => `${sum.slice(0, 16)}  ${(size / 1e6).toFixed(1).padStart(6)} MB  ${name}`);
}
