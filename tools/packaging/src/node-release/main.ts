/**
 * `npm run node-release` fails if the shipped Node is outdated. It queries npm for the available versions, and nodejs.org for security
 * releases. `--write` records newer releases in `node-releases.json` for `sluice build-info`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeDependencies } from '../node-dependencies.ts';
import { run } from '../npm-files.ts';
import { workspaceRoot } from '../workspace.ts';
import { compareVersions, complaints, newerReleases, type IndexEntry, type NodeReleases } from './releases.ts';

const packages = Object.keys(nodeDependencies);
const [shipped = ''] = Object.values(nodeDependencies).sort(compareVersions);
const published = new Map(
  packages.map((name) => [name, JSON.parse(run('npm', ['view', name, 'versions', '--json'])) as string[]]),
);
const found: NodeReleases = {
  shipped,
  checked: new Date().toISOString().slice(0, 10),
  releases: newerReleases(shipped, published, await officialIndex()),
};
if (process.argv.includes('--write'))
  writeFileSync(join(workspaceRoot, 'tools/packaging/node-releases.json'), `${JSON.stringify(found, null, 2)}\n`);
for (const { version, security, packages: of } of found.releases) {
  const kind =
    security === null ? 'unknown whether it fixes vulnerabilities' : security ? 'security release' : 'no security fix';
  console.log(`Node ${version}: ${kind}; in ${of.length} of ${packages.length} npm packages`);
}
const problems = complaints(found, packages);
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`Node ${shipped} is the newest version that npm has for all platforms`);

/** Returns the release list of nodejs.org, or `null` if it is unavailable. */
async function officialIndex(): Promise<readonly IndexEntry[] | null> {
  try {
    const response = await fetch('https://nodejs.org/dist/index.json', { signal: AbortSignal.timeout(20_000) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    return (await response.json()) as IndexEntry[];
  } catch (error) {
    console.warn(`nodejs.org is unavailable, so security releases are unknown: ${String(error)}`);
    return null;
  }
}
