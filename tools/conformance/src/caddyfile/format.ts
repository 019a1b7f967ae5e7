/**
 * Formats generated Caddyfiles with Caddy and Sluice and reports differences. Also reports files that change when Sluice formats them a
 * second time. Files on the command line replace the generated files.
 *   node tools/conformance/src/caddyfile/format.ts [--count 1000] [--seed 1] [--only NUMBER] [--broken] [FILE…]
 * `--broken` corrupts the files first, because the formatter must handle any text.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { formatCaddyfile } from '@sluice/caddyfile';
import { Random } from '../differential/random.ts';
import { reference } from '../servers/commands.ts';
import { breakText } from './breaking.ts';
import { makeUntidy } from './untidy.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    broken: { type: 'boolean', default: false },
  },
});

function* texts(): Generator<readonly [name: string, text: string], void, void> {
  for (const file of positionals) yield [file, readFileSync(file, 'utf8')];
  if (positionals.length > 0) return;
  for (let number = 0; number < Number(values.count); number++) {
    if (values.only !== undefined && number !== Number(values.only)) continue;
    const random = new Random(Number(values.seed) * 100_000 + number);
    const text = makeUntidy(random);
    yield [String(number), values.broken ? breakText(text, random) : text];
  }
}

const [command] = reference() ?? [];
if (command === undefined) console.log('skipped: caddy is not installed');
else process.exitCode = compareAll(command) ? 0 : 1;

function compareAll(program: string): boolean {
  const counts = { same: 0, different: 0, unstable: 0 };
  const formatted = (text: string): string =>
    spawnSync(program, ['fmt', '-'], { input: text, encoding: 'utf8' }).stdout;
  for (const [name, text] of texts()) {
    const theirs = formatted(text);
    const ours = formatCaddyfile(text);
    const stable = formatCaddyfile(ours) === ours;
    counts[ours === theirs ? 'same' : 'different']++;
    if (!stable) counts.unstable++;
    if (ours === theirs && stable) continue;
    const again = formatted(theirs) === theirs ? 'stable' : 'not stable itself';
    console.log(`--- ${name}, ${stable ? 'stable' : 'not stable'}; Caddy is ${again}`);
    console.log(`${JSON.stringify(text)}\ncaddy:  ${JSON.stringify(theirs)}\nsluice: ${JSON.stringify(ours)}`);
  }
  console.log(`${counts.same} same as Caddy, ${counts.different} differ, ${counts.unstable} not stable`);
  return counts.different === 0 && counts.unstable === 0;
}
