/** Generates the completion script for zsh. */
import { isInner, type CompletedCommand, type CompletedOption } from './completed-command.ts';

export function zsh(commands: readonly CompletedCommand[]): string {
  const list = commands
    .filter((command) => !isInner(command))
    .map(({ name, summary }) => `    '${name}:${quoted(summary)}'`);
  const inner = commands.filter(isInner).map(({ name }) => `"${name}"`);
  const cases = commands.map(
    (command) => `    "${command.name}") _arguments ${[...command.options.map(option), ...rest(command)].join(' ')} ;;`,
  );
  return `#compdef sluice
# zsh completion for sluice: source <(sluice completion zsh)
_sluice() {
  local -a commands=(
${list.join('\n')}
  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  local command="$words[2]"
  shift words; (( CURRENT-- ))
  if (( CURRENT > 2 )); then case "$command $words[2]" in
    ${inner.join('|')}) command="$command $words[2]"; shift words; (( CURRENT-- )) ;;
  esac; fi
  case "$command" in
${cases.join('\n')}
  esac
}
compdef _sluice sluice
`;
}

function option({ flags, help, takesValue, takesFile }: CompletedOption): string {
  const value = takesValue ? `:${(flags[0] ?? '').replace(/^-+/, '')}:${takesFile ? '_files' : ' '}` : '';
  return flags.map((flag) => `'*${flag}[${quoted(help)}]${value}'`).join(' ');
}

function rest({ words, takesFile }: CompletedCommand): string[] {
  const help = `'--help[show help]'`;
  if (words.length > 0) return [`'1:what:(${words.join(' ')})'`, help];
  return takesFile ? [`'*:file:_files'`, help] : [help];
}

/** Escapes a string for use within quotes, where brackets and colons have a special meaning. */
function quoted(text: string): string {
  return text.replaceAll(/[[\]:\\]/g, String.raw`\$&`).replaceAll("'", String.raw`'\''`);
}
