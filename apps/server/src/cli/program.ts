/** Parses the command line and runs the command. */
import { itemAt } from '@sluice/base';
import { Command, CommanderError } from 'commander';
import type { CommandSpec } from '@sluice/registry';
import { addStandardCommands } from './commands.ts';
import { CommandTable } from './command-table.ts';
import { withoutFlagValues } from './flag-values.ts';
import { optionOf } from './option.ts';
import { failure, report } from '../failure.ts';

const root: CommandSpec = { name: 'sluice', summary: '', options: [] };

/** Runs the command and sets the exit code of the process. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  try {
    const { named, rest } = leadingModules(args);
    const commands = await commandsFor(rest, named);
    await makeProgram(commands).parseAsync(withoutFlagValues(rest, { ...root, subcommands: commands }), {
      from: 'user',
    });
  } catch (error) {
    if (!(error instanceof CommanderError)) process.exitCode = await report(error);
    else if (error.exitCode !== 0 && error.code !== 'commander.help') process.exitCode = failure;
  }
}

/** Returns the built-in commands, and package commands if needed. A built-in command starts fast, because no packages are searched. */
async function commandsFor(
  [first, second]: readonly string[],
  named: readonly string[],
): Promise<readonly CommandSpec[]> {
  const table = new CommandTable();
  addStandardCommands(table);
  const wanted = first === 'help' ? second : first;
  if (wanted !== undefined && wanted !== 'completion' && table.has(wanted)) return table.list();
  if (isVersion(wanted)) return table.list();
  const { addPackageCommands } = await import('./package-commands.ts');
  try {
    await addPackageCommands(table, named, wanted);
  } catch (error) {
    // Ignore the error for help output, which must be available even if a package is broken.
    if (wanted !== undefined && !wanted.startsWith('-')) throw error;
    process.stderr.write(`warning: ${error instanceof Error ? error.message : String(error)}\n`);
  }
  return table.list();
}

function isVersion(word: string | undefined): boolean {
  return word === '-v' || word === '--version';
}

/** Parses `--module <package>` in front of a command. The option makes that package's commands available. */
function leadingModules(args: readonly string[]): {
  readonly named: readonly string[];
  readonly rest: readonly string[];
} {
  const named: string[] = [];
  let at = 0;
  for (; at + 1 < args.length && args[at] === '--module'; at += 2) named.push(itemAt(args, at + 1));
  return { named, rest: args.slice(at) };
}

function makeProgram(commands: readonly CommandSpec[]): Command {
  const program = new Command('sluice')
    .description('A web server that can be reconfigured while it is running.')
    .usage('<command> [options]')
    .argument('[command]')
    .allowExcessArguments()
    .option('-v, --version', 'print the version')
    .helpCommand('help [command]', 'show help for a command')
    .enablePositionalOptions()
    .exitOverride();
  for (const spec of commands) addCommand(program, spec, commands);
  return program.action(async (name: string | undefined, options: { readonly version?: boolean }) => {
    if (options.version === true) await runCommand('version', commands);
    else if (name === undefined) program.outputHelp();
    else refuse(name, commands);
  });
}

/**
 * Throws an error for an unknown command, and suggests similar commands. The library suggests commands only for programs without a default
 * action.
 */
function refuse(name: string, commands: readonly CommandSpec[]): void {
  const table = new Command('sluice').exitOverride().showHelpAfterError(`'sluice help' lists the commands`);
  for (const spec of commands) table.command(spec.name);
  table.parse([name], { from: 'user' });
}

function addCommand(program: Command, spec: CommandSpec, commands: readonly CommandSpec[]): void {
  const command = program.command(spec.name).description(spec.summary).allowExcessArguments();
  for (const option of spec.options) command.addOption(optionOf(option));
  for (const inner of spec.subcommands ?? []) addCommand(command, inner, commands);
  if (spec.argument !== undefined) command.argument(`[${spec.argument.name}]`, spec.argument.help);
  command.action(async () => {
    const { args } = command;
    const options = { ...command.opts<object>(), argument: args[0], arguments: args };
    if (spec.load === undefined) command.outputHelp();
    else process.exitCode = await (await spec.load())(options as never, commands);
  });
}

async function runCommand(name: string, commands: readonly CommandSpec[]): Promise<void> {
  const spec = commands.find((command) => command.name === name) as CommandSpec;
  process.exitCode = await (await spec.load?.())?.({} as never, commands);
}
