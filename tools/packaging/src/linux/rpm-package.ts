/** Builds the RPM package of a Linux executable. nfpm creates it from the same files as the Debian package. */
import { globSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identity } from '../identity.ts';
import { cliFolder } from '../npm-package.ts';
import { run } from '../npm-files.ts';
import type { Target } from '../targets.ts';
import { readJson, workspaceRoot } from '../workspace.ts';
import { layOut } from './layout.ts';

const scripts = join(workspaceRoot, 'tools/packaging/rpm');

/** Builds the RPM package in a directory. `nfpm` must be in PATH. Returns the path of the package. */
export function makeRpmPackage(program: string, target: Target, folder: string): string {
  const { version } = readJson(join(cliFolder, 'package.json')) as { readonly version: string };
  const architecture = target.arch === 'arm64' ? 'aarch64' : 'x86_64';
  const rpm = join(folder, `sluice-${version}-1.${architecture}.rpm`);
  const stage = join(folder, `rpm-${architecture}`);
  const config = `${stage}.json`;
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  const { name, email, repository } = identity();
  try {
    layOut(stage, program);
    const names = globSync('**/*', { cwd: stage }).filter((each) => statSync(join(stage, each)).isFile());
    const contents = names.sort().map((each) => ({
      src: join(stage, each),
      // Red Hat and derived distributions use /usr/lib and not /lib.
      dst: each.startsWith('lib/') ? `/usr/${each}` : `/${each}`,
      ...(each.startsWith('etc/') ? { type: 'config|noreplace' } : {}),
      file_info: { mode: statSync(join(stage, each)).mode & 0o777, owner: 'root', group: 'root' },
    }));
    // nfpm reads YAML, and JSON is a subset of YAML.
    writeFileSync(
      config,
      JSON.stringify({
        name: 'sluice',
        arch: target.arch === 'arm64' ? 'arm64' : 'amd64',
        platform: 'linux',
        version,
        release: '1',
        license: 'Apache-2.0',
        maintainer: `${name} <${email}>`,
        vendor: name,
        ...(repository === null ? {} : { homepage: repository }),
        description: "Web server that you configure while it runs, compatible with Caddy's configuration and API.",
        depends: ['glibc >= 2.28', 'libstdc++', 'libgcc', 'libatomic', 'shadow-utils'],
        contents,
        scripts: {
          postinstall: join(scripts, 'postinstall'),
          preremove: join(scripts, 'preremove'),
          postremove: join(scripts, 'postremove'),
        },
      }),
    );
    run('nfpm', ['package', '--config', config, '--packager', 'rpm', '--target', rpm]);
  } finally {
    rmSync(stage, { recursive: true, force: true });
    rmSync(config, { force: true });
  }
  return rpm;
}
