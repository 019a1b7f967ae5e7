/**
 * Adapts Caddyfiles with one changed line each, using Caddy and Sluice, and reports differences. Some differences are intended; see
 * docs/differences.md.
 *   node tools/conformance/src/caddyfile/lines.ts FILE…
 */
import { readFileSync } from 'node:fs';
import { ours, reference } from '../servers/commands.ts';
import { ServerProcess } from '../servers/server-process.ts';
import { adapt, agree, type Adapted } from './adapting.ts';
import { changedLines } from './changed-lines.ts';

const files = process.argv.slice(2);
const command = reference();
if (command === null || files.length === 0) {
  console.log('usage: lines.ts FILE… (requires caddy)');
  process.exitCode = 1;
} else {
  const theirs = await ServerProcess.start(command);
  const mine = await ServerProcess.start(ours);
  try {
    await playAll(theirs.admin, mine.admin);
  } finally {
    await theirs.stop();
    await mine.stop();
  }
}

async function playAll(theirs: number, mine: number): Promise<void> {
  let [all, differing] = [0, 0];
  for (const file of files) {
    // A file may contain a Caddyfile and its JSON separated by dashes. Only the first part is the Caddyfile.
    const [text = ''] = readFileSync(file, 'utf8').split(/^-{10}$/m);
    for (const { change, text: changed } of changedLines(text)) {
      all++;
      const [a, b] = await Promise.all([adapt(theirs, changed), adapt(mine, changed)]);
      if (agree(a, b)) continue;
      differing++;
      console.log(`--- ${file}, ${change}\n${changed}\ncaddy:  ${said(a)}\nsluice: ${said(b)}`);
    }
  }
  console.log(`${all} files with a changed line, ${differing} differ`);
}

function said(adapted: Adapted): string {
  return 'error' in adapted ? adapted.error : JSON.stringify(adapted.document);
}
