/** Collects the license texts of all shipped software: each bundled package, and Node with its dependencies. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import licenseList from 'spdx-license-list/full.js';
import { readJson } from '../workspace.ts';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name?: string };
}

const names = /^(?:licen[sc]e|copying|notice)(?:[.-].*)?$/i;

/**
 * Returns the license texts of the packages in these directories, sorted by name. Throws if a package has no license text and no known
 * license.
 */
export function thirdPartyLicenses(folders: readonly string[]): string {
  const sections = folders.map((folder) => {
    const manifest = readJson(join(folder, 'package.json')) as Manifest;
    return { manifest, text: licenseOf(folder, manifest) };
  });
  sections.sort((a, b) => (a.manifest.name < b.manifest.name ? -1 : 1));
  const introduction = 'Sluice contains these packages, under these licenses.\n';
  return [
    introduction,
    ...sections.map(
      ({ manifest: { name, version, license }, text }) =>
        `${rule}\n${name} ${version} (${license})\n${rule}\n\n${text}\n`,
    ),
  ].join('\n');
}

const rule = '-'.repeat(80);

/** Returns the license files of a package. If there are none, returns the standard texts of the licenses in its manifest. */
function licenseOf(folder: string, { name, license = '', author }: Manifest): string {
  const texts = readdirSync(folder)
    .filter((file) => names.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (texts.length > 0) return texts.join('\n\n');
  const ids = license.split(/[\s()]+|\bAND\b/).filter((id) => id !== '' && id !== 'AND' && id !== 'OR');
  const standard = ids.map((id) => licenseList[id]?.licenseText.trim());
  if (ids.length === 0 || standard.includes(undefined))
    throw new Error(`${name} has no license file, and ${JSON.stringify(license)} is not an SPDX license: add its text`);
  const holder = typeof author === 'string' ? author : author?.name;
  return `${holder === undefined ? '' : `Copyright (c) ${holder}\n\n`}${standard.join('\n\n')}`;
}

/**
 * Returns the Node license, which includes the licenses of V8, OpenSSL, ICU and others. `others` are Node executables of the same version
 * with the same license. They are needed because some npm packages lack the license text.
 */
export function nodeLicense(program: string, others: readonly string[] = []): string {
  for (const node of [program, ...others]) {
    // In Windows archives, the license file is next to the executable.
    for (const place of [join(node, '../../LICENSE'), join(node, '../LICENSE')]) {
      if (!existsSync(place)) continue;
      const text = readFileSync(place, 'utf8');
      if (text.includes('Node.js is licensed')) return text;
    }
  }
  throw new Error(`no license of Node next to ${program}: use an official archive or the npm package of Node`);
}
