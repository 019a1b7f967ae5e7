/**
 * Adapts every Caddyfile of a repository, such as Caddy's public documentation, with Caddy and Sluice, and prints the differences. The
 * Caddyfiles are the code blocks of Markdown files and the upper halves of `.caddyfiletest` files. They are read from a checkout and are
 * not stored here.
 *   node tools/conformance/src/caddyfile/documentation.ts --docs CHECKOUT [--only TEXT]
 * `--only` selects blocks by location (`file:line`) or text. Exits with 1 if a block differs and is not listed in
 * `documentation-differences.ts`.
 */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { ours, reference } from '../servers/commands.ts';
import { ServerProcess } from '../servers/server-process.ts';
import { adapt, agree, type Adapted } from './adapting.ts';
import { blocksOf, type DocumentedBlock } from './documented-blocks.ts';

const { values } = parseArgs({
  options: { docs: { type: 'string', default: '' }, only: { type: 'string', default: '' } },
});
const command = reference();
if (values.docs === '' || command === null) {
  console.log('documentation.ts --docs CHECKOUT requires a checkout of the documentation, and Caddy on this machine');
  process.exitCode = 1;
} else {
  const theirs = await ServerProcess.start(command);
  const mine = await ServerProcess.start(ours);
  try {
    process.exitCode = (await playAll(theirs.admin, mine.admin, readBlocks(values.docs))) ? 0 : 1;
  } finally {
    await theirs.stop();
    await mine.stop();
  }
}

/** Returns the Caddyfile blocks of all files in the newest commit of a repository. The repository may be bare. */
function readBlocks(checkout: string): DocumentedBlock[] {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-C', checkout, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const files = git('ls-tree', '-r', '--name-only', 'HEAD').split('\n');
  return files
    .filter((file) => /\.(?:md|caddyfiletest)$/.test(file))
    .flatMap((file) => blocksOf(file, git('show', `HEAD:${file}`)))
    .filter(({ place, text }) => place.includes(values.only) || text.includes(values.only));
}

async function playAll(theirs: number, mine: number, blocks: readonly DocumentedBlock[]): Promise<boolean> {
  const counts = { same: 0, refused: 0, differing: 0 };
  for (const { place, text } of blocks) {
    const [a, b] = [await adapt(theirs, text), await adapt(mine, text)];
    if (!agree(a, b)) {
      counts.differing++;
      console.log(`--- ${place}\n${text}\ncaddy:  ${shown(a)}\nsluice: ${shown(b)}`);
    } else counts['error' in a ? 'refused' : 'same']++;
  }
  console.log(
    `${blocks.length} blocks: ${counts.same} with the same JSON, ${counts.refused} rejected by both, ${counts.differing} differ`,
  );
  return counts.differing === 0;
}

function shown(adapted: Adapted): string {
  return 'error' in adapted ? `error: ${adapted.error}` : JSON.stringify(adapted.document);
}
