/**
 * Lays out the files of a Linux package according to the Filesystem Hierarchy Standard: the executable, systemd units, manual pages, shell
 * completion, licenses and an initial configuration.
 */
import { chmodSync, copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { cliFolder, licensesName } from '../npm-package.ts';
import { run } from '../npm-files.ts';
import { engineLicenses, engineOf } from '../waf-engine.ts';
import { writeWelcomePage } from '../welcome-page.ts';
import { workspaceRoot } from '../workspace.ts';

const files = join(workspaceRoot, 'tools/packaging');
const executable = 0o755;

/** Writes the files of an executable's package below a directory. */
export function layOut(root: string, program: string): void {
  const put = (from: string, to: string, mode = 0o644): void => {
    const path = join(root, to);
    mkdirSync(dirname(path), { recursive: true });
    copyFileSync(from, path);
    chmodSync(path, mode);
  };
  put(program, 'usr/bin/sluice', executable);
  const engine = engineOf(program);
  if (engine !== null) put(engine, 'usr/lib/sluice/waf-engine', executable);
  put(`${program}.cdx.json`, 'usr/share/doc/sluice/sbom.cdx.json');
  writeFileSync(join(root, 'usr/share/doc/sluice/copyright'), copyright(program));
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
    writeFileSync(join(root, path), sluice('completion', shell));
  }
}

export function copyright(program: string): string {
  const places = [join(workspaceRoot, 'LICENSE'), join(cliFolder, licensesName), `${program}.node-license.txt`];
  const texts = places.map((file) => readFileSync(file, 'utf8').trim());
  return [...texts, engineLicenses(program)].filter((text) => text !== '').join('\n\n\n');
}

/** Writes a manual page for each command. The pages are compressed, as distributions require. */
function writePages(folder: string): void {
  mkdirSync(folder, { recursive: true });
  sluice('manpage', '--directory', folder);
  for (const name of globSync('*.8', { cwd: folder })) {
    const page = join(folder, name);
    writeFileSync(`${page}.gz`, gzipSync(readFileSync(page), { level: 9 }));
    rmSync(page);
  }
}

/** Runs the bundle instead of the executable, because the executable may be built for another platform. */
function sluice(...args: readonly string[]): string {
  return run(process.execPath, [join(cliFolder, 'dist/main.js'), ...args]);
}
