/** Generates badly formatted Caddyfiles from the grammar, with spaces, blank lines, comments and quotes at all allowed positions. */
import type { Random } from '../differential/random.ts';
import { makeCaddyfile } from './generator.ts';

const comments = ['# note', '#note', '# { note }', '# "quoted', '## `x`', '#'];
const lines = [
  'respond "a  b   c"',
  'respond `{ "a":  1 }`',
  'header X "a \\" b"',
  'respond <<END\n  a   b\n\n  { c }\n  END 200',
  'import  x   {args[0]}',
];

/** Generates a badly formatted Caddyfile. The formatter must preserve its meaning. */
export function makeUntidy(random: Random): string {
  const text = makeCaddyfile(random)
    .split('\n')
    .map((line) => untidyLine(line, random))
    .join('\n');
  return `${blank(random)}${text}${blank(random)}`;
}

function untidyLine(line: string, random: Random): string {
  let changed = `${spaces(random, 0)}${line.replaceAll(' ', () => spaces(random, 1))}${spaces(random, 0)}`;
  if (random.chance(0.06)) changed = `${changed}\n${random.pick(lines)}`;
  if (random.chance(0.1)) changed = `${changed} ${random.pick(comments)}`;
  if (random.chance(0.1)) changed = `${random.pick(comments)}\n${changed}`;
  if (random.chance(0.03)) changed = changed.replace(/ \{$/, '\n{');
  return `${changed}${blank(random)}`;
}

function spaces(random: Random, least: number): string {
  if (random.chance(0.7)) return ' '.repeat(least);
  return random.pick([' ', '  ', '\t', '   \t', '     ']);
}

function blank(random: Random): string {
  return random.chance(0.85) ? '' : random.pick(['\n', '\n\n', '\n \n\n', '\n\t\n']);
}
