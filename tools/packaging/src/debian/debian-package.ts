/** Builds the Debian package of a Linux executable with `dpkg-deb`. */
import { chmodSync, copyFileSync, globSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { binaryFile } from '../binary/make-binary.ts';
import { identity } from '../identity.ts';
import { layOut } from '../linux/layout.ts';
import { cliFolder } from '../npm-package.ts';
import { run } from '../npm-files.ts';
import { ownTarget, type Target } from '../targets.ts';
import { readJson, workspaceRoot } from '../workspace.ts';

const files = join(workspaceRoot, 'tools/packaging');
/** Debian architecture names by Node architecture name. */
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
const executable = 0o755;

/** Builds the Debian package of an executable in a directory. Returns the path of the package. */
export function makeDebianPackage(
  program: string = binaryFile,
  target: Target = ownTarget(),
  folder: string = dirname(binaryFile),
): string {
  const { version } = readJson(join(cliFolder, 'package.json')) as { readonly version: string };
  const architecture = architectures[target.arch];
  if (target.platform !== 'linux' || target.isMusl || architecture === undefined)
    throw new Error(`Debian packages do not support ${target.id}`);
  const stage = join(folder, `debian-${architecture}`);
  const deb = join(folder, `sluice_${version}_${architecture}.deb`);
  rmSync(stage, { recursive: true, force: true });
  try {
    layOut(stage, program);
    writeControl(join(stage, 'DEBIAN'), { version, architecture, size: sizeOf(stage) });
    // The executable makes up most of the package. Stronger compression takes ten times as long and reduces the size by only a tenth.
    run('dpkg-deb', ['--build', '--root-owner-group', '-Zxz', '-z1', stage, deb]);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
  return deb;
}

interface Control {
  readonly version: string;
  readonly architecture: string;
  /** Installed size of the package, in KiB. */
  readonly size: number;
}

function writeControl(folder: string, { version, architecture, size }: Control): void {
  mkdirSync(folder, { recursive: true });
  const { name, email, repository } = identity();
  const control = [
    'Package: sluice',
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    `Maintainer: ${name} <${email}>`,
    ...(repository === null ? [] : [`Homepage: ${repository}`]),
    `Installed-Size: ${size}`,
    'Depends: libc6 (>= 2.28), libstdc++6, libgcc-s1, libatomic1, passwd, init-system-helpers (>= 1.52)',
    'Section: httpd',
    'Priority: optional',
    'Provides: httpd',
    'Description: web server that you configure while it runs',
    ' Its configuration is one JSON document. You can change every value through a REST',
    " API or a Caddyfile, without dropping connections. Compatible with Caddy's",
    ' configuration and API.',
  ];
  writeFileSync(join(folder, 'control'), `${control.join('\n')}\n`);
  writeFileSync(join(folder, 'conffiles'), '/etc/sluice/Caddyfile\n');
  for (const script of ['postinst', 'prerm', 'postrm']) {
    copyFileSync(join(files, 'debian', script), join(folder, script));
    chmodSync(join(folder, script), executable);
  }
}

function sizeOf(folder: string): number {
  const sizes = globSync('**/*', { cwd: folder }).map((name) => statSync(join(folder, name)).size);
  return Math.ceil(sizes.reduce((sum, size) => sum + size, 0) / 1024);
}
