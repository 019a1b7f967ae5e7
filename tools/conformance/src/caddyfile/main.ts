/**
 * Adapts generated Caddyfiles with Caddy and Sluice and reports differences.
 *   node tools/conformance/src/caddyfile/main.ts [--count 200] [--seed 1] [--only NUMBER]
 */
import { parseArgs } from 'node:util';
import { Random } from '../differential/random.ts';
import { ours, reference } from '../servers/commands.ts';
import { ServerProcess } from '../servers/server-process.ts';
import { adapt, agree, type Adapted } from './adapting.ts';
import { makeCaddyfile } from './generator.ts';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
});
const command = reference();
if (command === null) {
  console.log('skipped: caddy is not installed');
} else {
  const theirs = await ServerProcess.start(command);
  const mine = await ServerProcess.start(ours);
  try {
    process.exitCode = (await compareAll(theirs, mine)) ? 0 : 1;
  } finally {
    await theirs.stop();
    await mine.stop();
  }
}

async function compareAll(theirs: ServerProcess, mine: ServerProcess): Promise<boolean> {
  const counts = { documents: 0, refused: 0, different: 0 };
  for (let number = 0; number < Number(values.count); number++) {
    if (values.only !== undefined && number !== Number(values.only)) continue;
    const text = makeCaddyfile(new Random(Number(values.seed) * 100_000 + number));
    const [a, b] = [await adapt(theirs.admin, text), await adapt(mine.admin, text)];
    if (!agree(a, b)) counts.different++;
    else if ('error' in a) counts.refused++;
    else counts.documents++;
    if (!agree(a, b)) report(number, text, a, b);
  }
  console.log(`${counts.documents} with the same JSON, ${counts.refused} rejected by both, ${counts.different} differ`);
  return counts.different === 0;
}

function report(number: number, text: string, a: Adapted, b: Adapted): void {
  console.log(`--- ${number}\n${text}caddy:  ${JSON.stringify(a)}\nsluice: ${JSON.stringify(b)}`);
}
