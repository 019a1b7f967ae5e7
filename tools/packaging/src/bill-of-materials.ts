/** Creates the software bill of materials (SBOM) of a bundle in CycloneDX format (https://cyclonedx.org/docs/1.6/json/). */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OutputChunk } from 'rolldown';
import { readJson, workspaceRoot } from './workspace.ts';
import { outside } from './bundle.ts';

export interface Component {
  readonly type: 'library';
  readonly 'bom-ref': string;
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly { readonly expression: string }[];
  readonly hashes: readonly { readonly alg: string; readonly content: string }[];
}

interface Manifest {
  readonly version: string;
  readonly license?: string;
}

/** Returns the third-party packages, sorted by name. These are the packages in the given files, and the packages that are not bundled. */
export function componentsOf(chunks: readonly OutputChunk[]): Component[] {
  return packageFolders(chunks)
    .map(componentOf)
    .sort((a, b) => (a.purl < b.purl ? -1 : 1));
}

export function packageFolders(chunks: readonly OutputChunk[]): string[] {
  const folders = new Set(outside.map((name) => join(workspaceRoot, 'node_modules', name)));
  for (const { moduleIds } of chunks)
    for (const id of moduleIds) {
      const [, folder] = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id) ?? [];
      if (folder !== undefined) folders.add(folder);
    }
  return [...folders];
}

function componentOf(folder: string): Component {
  const full = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const { version, license = 'NOASSERTION' } = readJson(join(folder, 'package.json')) as Manifest;
  const [group, name = full] = full.startsWith('@') ? full.split('/') : [undefined, full];
  const purl = `pkg:npm/${full.replace('@', '%40')}@${version}`;
  return {
    type: 'library',
    'bom-ref': purl,
    ...(group === undefined ? {} : { group }),
    name,
    version,
    purl,
    licenses: [{ expression: license }],
    hashes: hashesOf(folder),
  };
}

/** Returns the hash of a package from the lockfile, in CycloneDX format. */
function hashesOf(folder: string): Component['hashes'] {
  const { packages } = readJson(join(workspaceRoot, 'package-lock.json')) as {
    packages: Record<string, { integrity?: string } | undefined>;
  };
  const integrity = packages[folder.slice(workspaceRoot.length + 1)]?.integrity ?? '';
  const [algorithm = '', digest = ''] = integrity.split('-', 2);
  if (algorithm !== 'sha512') return [];
  return [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }];
}

/** Returns the bill of materials of a package with the given components. */
export function billOf(folder: string, name: string, version: string, components: readonly Component[]): object {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': purl,
        name,
        version,
        purl,
        licenses: [{ license: { id: 'Apache-2.0' } }],
        hashes: [{ alg: 'SHA-256', content: checksumOf(folder) }],
      },
    },
    components,
    dependencies: [{ ref: purl, dependsOn: components.map((component) => component['bom-ref']) }],
  };
}

/** Returns a hash of the names and hashes of the server's files. `sluice build-info` computes the same hash for installed files. */
function checksumOf(folder: string): string {
  const whole = createHash('sha256');
  const names = globSync(['dist/**', 'config/**', 'dashboard/**'], { cwd: folder }).filter((name) =>
    /\.\w+$/.test(name),
  );
  for (const name of names.sort())
    whole.update(
      `${createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex')}  ${name}\n`,
    );
  return whole.digest('hex');
}
