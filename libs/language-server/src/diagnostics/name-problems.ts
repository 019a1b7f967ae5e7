/** Finds all unknown names in a Caddyfile. The adapter stops at the first one. */
import { directives, globalOptions } from '@sluice/caddyfile';
import type { Descriptions } from '../caddyfile/descriptions.ts';
import type { PlacedName, Project } from '../caddyfile/project.ts';
import { isBare, type Block, type CaddyfileTree } from '../caddyfile/tree.ts';
import type { LanguageServices } from '../services.ts';
import type { Problem } from './diagnostic.ts';
import { suggestion } from './json-problems.ts';

export interface NamedCaddyfile {
  readonly path: string;
  readonly tree: CaddyfileTree;
  readonly project: Project;
}

/** Returns unknown directives, options, matchers and named routes, and unmatched closing braces. */
export async function nameProblems(
  { registry }: LanguageServices,
  descriptions: Descriptions,
  { path, tree, project }: NamedCaddyfile,
): Promise<Problem[]> {
  const found: Problem[] = [];
  const sites = registry.contributions(directives);
  for (const { kind, block } of tree.sections) {
    if (block === null) continue;
    if (kind === 'global') found.push(...unknownNames(block, registry.contributions(globalOptions)));
    if (kind !== 'site' && kind !== 'route' && kind !== 'fragment') continue;
    for (const each of await blocksOfDirectives(block, descriptions)) found.push(...unknownNames(each, sites));
  }
  for (const { start, end } of tree.strayBraces) {
    found.push({ start, end, severity: 'error', message: "unexpected '}': no matching '{'" });
  }
  return project.isComplete ? [...found, ...undefinedNames(project, path)] : found;
}

/** Returns a block of directives and its nested blocks of directives, according to the directive descriptions. */
async function blocksOfDirectives(outer: Block, descriptions: Descriptions): Promise<Block[]> {
  const blocks = [outer];
  for (const { lines } of blocks) {
    for (const line of lines) {
      if (line.block === null) continue;
      const entry = await descriptions.directive(line.words[0]?.token.text ?? '');
      if (entry?.description?.block === 'directives') blocks.push(line.block);
    }
  }
  return blocks;
}

function unknownNames({ lines, section }: Block, known: ReadonlyMap<string, unknown>): Problem[] {
  const what = section.kind === 'global' ? 'global option' : 'directive';
  return lines.flatMap(({ words: [first] }) => {
    if (first === undefined || isBare(first, 'import') || known.has(first.token.text)) return [];
    const { text } = first.token;
    if (text.startsWith('@') || text.startsWith('{')) return [];
    const { start, end } = first;
    return [{ start, end, severity: 'error', ...suggestion(`unrecognized ${what}: ${text}`, text, known.keys()) }];
  });
}

/** Returns uses of undefined names. Omits names in a snippet or fragment that may be defined where it is imported. */
function undefinedNames(project: Project, path: string): Problem[] {
  const used = project.namesIn(path).filter(({ defines, kind, section }) => {
    return !defines && kind !== 'snippet' && section.kind !== 'snippet' && section.kind !== 'fragment';
  });
  return used
    .filter((name) => !name.name.includes('{') && project.definitionsOf(name).length === 0)
    .map((name) => undefinedName(project, name));
}

function undefinedName(project: Project, { kind, name, start, end }: PlacedName): Problem {
  const isMatcher = kind === 'matcher';
  const message = isMatcher
    ? `unrecognized matcher name: @${name}`
    : `cannot invoke named route '${name}', which was not defined`;
  const known = project.definitions(kind).map((each) => each.name);
  const { replacement, ...said } = suggestion(message, name, known);
  const problem: Problem = { start: isMatcher ? start - 1 : start, end, severity: 'error', ...said };
  return replacement === undefined ? problem : { ...problem, replacement: isMatcher ? `@${replacement}` : replacement };
}
