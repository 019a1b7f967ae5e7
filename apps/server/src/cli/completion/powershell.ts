/** Generates the completion script for PowerShell. */
import { isInner, wordsOf, type CompletedCommand } from './completed-command.ts';

export function powershell(commands: readonly CompletedCommand[]): string {
  const cases = commands.map((command) => `    '${command.name}' { ${listed(wordsOf(command))} }`);
  const inner = commands.filter(isInner).map(({ name }) => name);
  const names = commands.filter((command) => !isInner(command)).map(({ name }) => name);
  return `# PowerShell completion for sluice: sluice completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName sluice -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $elements = @($commandAst.CommandElements | ForEach-Object { $_.ToString() })
  if ($wordToComplete -ne '') { $elements = @($elements | Select-Object -SkipLast 1) }
  $command = $elements[1]
  if ($elements.Count -gt 2 -and @(${listed(inner)}) -contains "$command $($elements[2])") { $command = "$command $($elements[2])" }
  $words = if ($elements.Count -gt 1) { switch ($command) {
${cases.join('\n')}
  } } else { ${listed([...names, 'help'])} }
  $words | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}
`;
}

function listed(words: readonly string[]): string {
  return words.map((word) => `'${word}'`).join(', ');
}
