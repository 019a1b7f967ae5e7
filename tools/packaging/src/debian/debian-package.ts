/**
 * The Debian package: the program, units of systemd, manual pages, completion and a first configuration. Its layout is that of
 * the Filesystem Hierarchy Standard; `dpkg-deb` puts it together.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { binaryFile } from '../binary/make-binary.ts';
import { cliFolder } from '../npm-package.ts';
import { writeWelcomePage } from '../welcome-page.ts';
import { readJson, workspaceRoot } from '../workspace.ts';

const files = join(workspaceRoot, 'tools/packaging');
/** What Debian calls the processors that Node has programs for. */
const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };
const executable = 0o755;

/** Makes the package of the binary, which has to be there. Gives its path. */
export function makeDebianPackage(): string {
  const { version } = readJson(join(cliFolder, 'package.json')) as { readonly version: string };
  const architecture = architectures[process.arch];
  if (process.platform !== 'linux' || architecture === undefined)
    throw new Error(`there is no Debian package for ${process.platform} on ${process.arch}`);
  const stage = join(dirname(binaryFile), 'debian');
  const deb = join(dirname(binaryFile), `sluice_${version}_${architecture}.deb`);
  rmSync(stage, { recursive: true, force: true });
  try {
    layOut(stage);
    writeControl(join(stage, 'DEBIAN'), { version, architecture, size: sizeOf(stage) });
    // Most of it is the program, which better compression makes a tenth smaller in ten times the time.
    run('dpkg-deb', ['--build', '--root-owner-group', '-Zxz', '-z1', stage, deb]);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
  return deb;
}

/** The files of the package where they will be. */
function layOut(root: string): void {
  const put = (from: string, to: string, mode = 0o644): void => {
    const path = join(root, to);
    mkdirSync(dirname(path), { recursive: true });
    copyFileSync(from, path);
    chmodSync(path, mode);
  };
  put(binaryFile, 'usr/bin/sluice', executable);
  put(`${binaryFile}.cdx.json`, 'usr/share/doc/sluice/sbom.cdx.json');
  put(join(workspaceRoot, 'LICENSE'), 'usr/share/doc/sluice/copyright');
  put(join(files, 'debian/Caddyfile'), 'etc/sluice/Caddyfile');
  for (const unit of ['sluice.service', 'sluice-api.service'])
    put(join(files, 'systemd', unit), `lib/systemd/system/${unit}`);
  writeWelcomePage(join(root, 'usr/share/sluice/welcome'));
  const changes = gzipSync(readFileSync(join(workspaceRoot, 'CHANGELOG.md')), { level: 9 });
  writeFileSync(join(root, 'usr/share/doc/sluice/changelog.gz'), changes);
  writePages(join(root, 'usr/share/man/man8'));
  for (const [shell, path] of [
    ['bash', 'usr/share/bash-completion/completions/sluice'],
    ['zsh', 'usr/share/zsh/vendor-completions/_sluice'],
    ['fish', 'usr/share/fish/vendor_completions.d/sluice.fish'],
  ] as const) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), run(binaryFile, ['completion', shell]));
  }
}

/** A manual page for each command, compressed as Debian wants them. */
function writePages(folder: string): void {
  mkdirSync(folder, { recursive: true });
  run(binaryFile, ['manpage', '--directory', folder]);
  for (const name of globSync('*.8', { cwd: folder })) {
    const page = join(folder, name);
    writeFileSync(`${page}.gz`, gzipSync(readFileSync(page), { level: 9 }));
    rmSync(page);
  }
}

/** What a package says of itself. */
interface Control {
  readonly version: string;
  readonly architecture: string;
  /** In KiB. */
  readonly size: number;
}

function writeControl(folder: string, { version, architecture, size }: Control): void {
  mkdirSync(folder, { recursive: true });
  const control = [
    'Package: sluice',
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    'Maintainer: The maintainers of Sluice <sluice@localhost>',
    `Installed-Size: ${size}`,
    'Depends: libc6 (>= 2.28), libstdc++6, libgcc-s1, libatomic1, passwd',
    'Section: httpd',
    'Priority: optional',
    'Provides: httpd',
    'Description: web server that is configured while it runs',
    ' One JSON document, every value of which can be changed over a REST API or in a',
    ' Caddyfile, without dropping a connection. Speaks the configuration and the API',
    ' of Caddy.',
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

/** Runs a program; gives its output. */
function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 24 });
  if (error !== undefined) throw new Error(`${program} cannot be run: ${error.message}`);
  if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
  return stdout;
}
