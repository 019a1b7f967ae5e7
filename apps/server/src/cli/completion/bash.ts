/** Generates the completion script for bash. */
import { isInner, wordsOf, type CompletedCommand } from './completed-command.ts';

export function bash(commands: readonly CompletedCommand[]): string {
  const cases = commands.map((command) => {
    const files = command.options.filter(({ takesFile }) => takesFile).flatMap(({ flags }) => flags);
    return `    "${command.name}") words="${wordsOf(command).join(' ')}" files="${files.join(' ')}" ;;`;
  });
  const inner = commands.filter(isInner).map(({ name }) => `"${name}"`);
  const names = commands.filter((command) => !isInner(command)).map(({ name }) => name);
  return `# bash completion for sluice: source <(sluice completion bash)
_sluice() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}"
  local words="${names.join(' ')} help" files=""
  if [ "$COMP_CWORD" -gt 2 ]; then case "$command \${COMP_WORDS[2]}" in
    ${inner.join('|')}) command="$command \${COMP_WORDS[2]}" ;;
  esac; fi
  if [ "$COMP_CWORD" -gt 1 ]; then case "$command" in
${cases.join('\n')}
  esac; fi
  case " $files " in
    *" $previous "*) COMPREPLY=($(compgen -f -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
  esac
}
complete -o default -o filenames -F _sluice sluice
`;
}
