/** Generates the completion script for fish. */
import { itemAt } from '@sluice/base';
import { isInner, type CompletedCommand } from './completed-command.ts';

export function fish(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap((command) => [nameLine(command), ...optionLines(command), ...wordLines(command)]);
  return `# fish completion for sluice: sluice completion fish | source\n${lines.join('\n')}\n`;
}

function nameLine(command: CompletedCommand): string {
  const { name, summary } = command;
  const [first = '', second] = name.split(' ');
  const when = second === undefined ? '__fish_use_subcommand' : `'__fish_seen_subcommand_from ${first}'`;
  return `complete -c sluice -n ${when} -f -a ${second ?? first} -d ${quoted(summary)}`;
}

function optionLines(command: CompletedCommand): string[] {
  return command.options.map(({ flags, help, takesValue, takesFile }) => {
    const names = flags
      .map((flag) => (flag.startsWith('--') ? ` -l ${flag.slice(2)}` : ` -s ${flag.slice(1)}`))
      .join('');
    const value = takesFile ? ' -r -F' : takesValue ? ' -x' : '';
    return `complete -c sluice -n ${seen(command)}${names}${value} -d ${quoted(help)}`;
  });
}

/** Returns the lines that complete subcommand names after a command. */
function wordLines(command: CompletedCommand): string[] {
  const { words, takesFile } = command;
  if (words.length > 0) return [`complete -c sluice -n ${seen(command)} -f -a '${words.join(' ')}'`];
  return takesFile ? [] : [`complete -c sluice -n ${seen(command)} -f`];
}

function seen(command: CompletedCommand): string {
  const all = command.name.split(' ').map((word) => `__fish_seen_subcommand_from ${word}`);
  return quoted(isInner(command) ? all.join('; and ') : itemAt(all, 0));
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
}
