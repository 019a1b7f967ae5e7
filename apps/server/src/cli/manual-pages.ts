/** Generates manual pages of the commands, in man(7) format. */
import type { CommandSpec } from '@sluice/registry';
import { optionOf } from './option.ts';

/** Returns the manual pages, keyed by file name: `sluice.8`, `sluice-run.8`, `sluice-storage-export.8`, … */
export function manualPages(commands: readonly CommandSpec[]): ReadonlyMap<string, string> {
  const summary = 'a web server that can be reconfigured while it is running';
  const pages = new Map<string, string>();
  addPage(pages, { name: 'sluice', summary, options: [], subcommands: commands }, []);
  return pages;
}

function addPage(pages: Map<string, string>, spec: CommandSpec, above: readonly string[]): void {
  const path = [...above, spec.name];
  pages.set(`${path.join('-')}.8`, pageOf(spec, path));
  for (const inner of spec.subcommands ?? []) addPage(pages, inner, path);
}

function pageOf({ summary, options, argument, subcommands = [] }: CommandSpec, path: readonly string[]): string {
  const usage = [
    path.join(' '),
    ...(subcommands.length === 0 ? [] : ['[command]']),
    '[options]',
    ...(argument === undefined ? [] : [`[${argument.name}]`]),
  ].join(' ');
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['NAME', [escape(`${path.join('-')} - ${summary}`)]],
    ['SYNOPSIS', [`\\fB${escape(usage)}\\fP`]],
    ['COMMANDS', subcommands.flatMap((inner) => entry(inner.name, inner.summary))],
    ['OPTIONS', [...options.map(optionOf), help].flatMap(({ flags, description }) => entry(flags, description))],
    ['ARGUMENTS', argument === undefined ? [] : entry(argument.name, argument.help)],
    ['SEE ALSO', [related(path, subcommands)]],
  ];
  const written = sections.filter(([, lines]) => lines.some((line) => line !== ''));
  const body = written.map(([title, lines]) => `.SH ${title}\n${lines.join('\n')}`).join('\n');
  return `.TH "${path.join('-').toUpperCase()}" "8"\n${body}\n`;
}

const help = { flags: '-h, --help', description: 'show help' };

function entry(term: string, text: string): string[] {
  return ['.TP', `\\fB${escape(term)}\\fP`, escape(text)];
}

function related(path: readonly string[], subcommands: readonly CommandSpec[]): string {
  const names = subcommands.map(({ name }) => [...path, name].join('-'));
  const parent = path.slice(0, -1).join('-');
  return [...(parent === '' ? [] : [parent]), ...names].map((name) => `\\fB${escape(name)}\\fP(8)`).join(', ');
}

/** Escapes backslashes, hyphens, and lines that would be interpreted as control lines. */
function escape(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^([.'])/, '\\&$1');
}
