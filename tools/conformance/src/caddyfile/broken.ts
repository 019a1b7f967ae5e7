/**
 * Has our server adapt broken Caddyfiles: each has to be answered, soon, by a document or an error of the client.
 *
 *   node tools/conformance/src/caddyfile/broken.ts [--count 2000] [--seed 1]
 */
import { parseArgs } from 'node:util';
import { Random } from '../differential/random.ts';
import { callAdmin } from '../servers/call-admin.ts';
import { ours } from '../servers/commands.ts';
import { ServerProcess } from '../servers/server-process.ts';
import { makeCaddyfile } from './generator.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '2000' }, seed: { type: 'string', default: '1' } },
});
/** What is put in, in place of a part or in front of it. */
const splinters = [
  '{',
  '}',
  ' { ',
  ' } ',
  '\n',
  '"',
  '`',
  '<<',
  '<<END\n',
  '\\',
  '{args[0]}',
  '{args[',
  '{$',
  '{block}',
  '{blocks.',
  '@',
  '@x ',
  '(',
  '(s) {\n',
  '&(',
  ',',
  '*',
  '/',
  ':',
  '://',
  '#',
  'import ',
  'import s\n',
  '\0',
  '\uFEFF',
  '\r',
  '\u2028',
  '{}',
  '-1',
  '99999999999999999999',
  '1e309',
  '__proto__',
  'constructor ',
  '%',
  '=',
  '>',
  '-',
  '+',
  '!',
  '?',
];
/** Nothing takes longer than this, in milliseconds. */
const patience = 5_000;

/** A file of the grammar, broken in a few places. */
function breakFile(random: Random): string {
  let text = makeCaddyfile(random);
  for (let left = random.integer(1, 6); left > 0; left--) {
    const at = random.integer(0, text.length);
    const gone = random.chance(0.5) ? random.integer(0, 20) : 0;
    const put = random.chance(0.8) ? random.pick(splinters).repeat(random.chance(0.05) ? 300 : 1) : '';
    text = text.slice(0, at) + put + text.slice(at + gone);
  }
  return text;
}

const server = await ServerProcess.start(ours);
let bad = 0;
try {
  for (let number = 0; number < Number(values.count) && !server.ended; number++) {
    const text = breakFile(new Random(Number(values.seed) * 1_000_003 + number));
    const begin = performance.now();
    const call = { method: 'POST', path: '/adapt', body: text, type: 'text/caddyfile' };
    const { status, body } = await callAdmin(server.admin, call);
    const took = performance.now() - begin;
    if ((status === 200 || status === 400) && took < patience && !isCrash(body.toString())) continue;
    bad++;
    console.log(`--- ${number}: status ${status} after ${Math.round(took)} ms: ${body.toString()}\n${text}`);
  }
  console.log(server.ended ? 'the server ended' : `${values.count} broken files, ${bad} answered badly`);
} finally {
  if (server.ended || bad > 0) process.exitCode = 1;
  await server.stop();
}

/** Whether an error is one of the program, and not one about the file. */
function isCrash(answer: string): boolean {
  return /Cannot read|is not a function|is not iterable|Maximum call stack|Invalid array length|undefined/.test(answer);
}
