/** `sluice completion`: scripts that complete commands and options in a shell. */
import type { CommandOption, CommandSpec } from '@sluice/registry';
import { CommandError } from '../../failure.ts';
import { optionOf } from '../option.ts';

type Commands = readonly CommandSpec[];

const writers: Readonly<Record<string, (commands: Commands) => string>> = { bash, zsh, fish, powershell };

/** Prints the script of a shell, for all commands that there are. */
export function completion({ argument }: { readonly argument?: string }, commands: Commands): number {
  const write = argument !== undefined && Object.hasOwn(writers, argument) ? writers[argument] : undefined;
  if (write === undefined) throw new CommandError(`completion needs a shell: ${Object.keys(writers).join(', ')}`);
  process.stdout.write(write(commands));
  return 0;
}

/** Words that may follow a command: its options and the values of its argument. */
function wordsOf({ options, argument }: CommandSpec): string[] {
  return [
    ...options
      .map(optionOf)
      .flatMap(({ long, short }) => [long, short])
      .filter((flag) => flag != null),
    '--help',
    ...(argument?.values ?? []),
  ];
}

function namesOf(commands: Commands): string[] {
  return commands.map(({ name }) => name);
}

function bash(commands: Commands): string {
  const cases = commands.map((command) => `    ${command.name}) words="${wordsOf(command).join(' ')}" ;;`).join('\n');
  return `# bash completion of sluice: source <(sluice completion bash)
_sluice() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words="${namesOf(commands).join(' ')} help"
  case "$previous" in
    -c|--config|--envfile|--pidfile|--module) COMPREPLY=($(compgen -f -- "$current")); return ;;
  esac
  if [ "$COMP_CWORD" -gt 1 ]; then case "\${COMP_WORDS[1]}" in
${cases}
  esac; fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o filenames -F _sluice sluice
`;
}

function zsh(commands: Commands): string {
  const quote = (text: string): string => text.replaceAll("'", "''").replaceAll(/[[\]:]/g, String.raw`\$&`);
  const list = commands.map(({ name, summary }) => `    '${name}:${quote(summary)}'`).join('\n');
  const option = (declared: CommandOption): string => {
    const { long, short, description, required } = optionOf(declared);
    const value = required ? `:${(long ?? '').slice(2)}:_files` : '';
    return [long, short]
      .filter((flag) => flag != null)
      .map((flag) => `'*${flag}[${quote(description)}]${value}'`)
      .join(' ');
  };
  const cases = commands.map(({ name, options, argument }) => {
    const values = argument === undefined ? '' : ` '1:${argument.name}:${zshValues(argument.values)}'`;
    return `    ${name}) _arguments ${options.map(option).join(' ')}${values} '--help[show the help]' ;;`;
  });
  return `#compdef sluice
# zsh completion of sluice: source <(sluice completion zsh)
_sluice() {
  local -a commands=(
${list}
  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  local command="$words[2]"
  shift words; (( CURRENT-- ))
  case "$command" in
${cases.join('\n')}
  esac
}
compdef _sluice sluice
`;
}

/** What completes an argument: its values, or files. */
function zshValues(values: readonly string[]): string {
  return values.length === 0 ? '_files' : `(${values.join(' ')})`;
}

function fish(commands: Commands): string {
  const quote = (text: string): string => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
  const lines = commands.flatMap(({ name, summary, options, argument }) => [
    `complete -c sluice -n __fish_use_subcommand -f -a ${name} -d ${quote(summary)}`,
    ...options.map(optionOf).map(({ long, short, description, required }) => {
      const flags = [long == null ? '' : ` -l ${long.slice(2)}`, short == null ? '' : ` -s ${short.slice(1)}`].join('');
      return `complete -c sluice -n '__fish_seen_subcommand_from ${name}'${flags}${required ? ' -r' : ''} -d ${quote(description)}`;
    }),
    ...(argument === undefined || argument.values.length === 0
      ? []
      : [`complete -c sluice -n '__fish_seen_subcommand_from ${name}' -f -a '${argument.values.join(' ')}'`]),
  ]);
  return `# fish completion of sluice: sluice completion fish | source\n${lines.join('\n')}\n`;
}

function powershell(commands: Commands): string {
  const cases = commands
    .map(
      (command) =>
        `    '${command.name}' { ${wordsOf(command)
          .map((word) => `'${word}'`)
          .join(', ')} }`,
    )
    .join('\n');
  return `# PowerShell completion of sluice: sluice completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName sluice -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $elements = @($commandAst.CommandElements | ForEach-Object { $_.ToString() })
  $words = if ($elements.Count -gt 2 -or ($elements.Count -eq 2 -and $wordToComplete -eq '')) { switch ($elements[1]) {
${cases}
  } } else { ${[...namesOf(commands), 'help'].map((name) => `'${name}'`).join(', ')} }
  $words | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`;
}
