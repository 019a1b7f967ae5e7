/** Reads the command line and runs the command that it names. */
import { Command, CommanderError } from 'commander';
import { commands } from './commands.ts';
import type { CommandSpec } from './command-spec.ts';
import { failure, report } from '../failure.ts';

/** Runs a command; sets the exit code of the process. */
export async function runCommandLine(args: readonly string[]): Promise<void> {
  try {
    await makeProgram().parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) process.exitCode = await report(error);
    else if (error.exitCode !== 0 && error.code !== 'commander.help') process.exitCode = failure;
  }
}

function makeProgram(): Command {
  const program = new Command('sluice')
    .description('A web server that is configured while it runs.')
    .usage('<command> [options]')
    .argument('[command]')
    .allowExcessArguments()
    .option('-v, --version', 'print the version')
    .helpCommand('help [command]', 'show the help of a command')
    .enablePositionalOptions()
    .exitOverride();
  for (const spec of commands) addCommand(program, spec);
  return program.action(async (name: string | undefined, options: { readonly version?: boolean }) => {
    if (options.version === true) await runCommand('version');
    else if (name === undefined) program.outputHelp();
    else program.error(`error: unknown command '${name}'; 'sluice help' lists the commands`);
  });
}

function addCommand(program: Command, spec: CommandSpec): void {
  const command = program.command(spec.name).description(spec.summary).allowExcessArguments();
  for (const option of spec.options) command.addOption(option);
  if (spec.argument !== undefined) command.argument(`[${spec.argument.name}]`, spec.argument.help);
  command.action(async () => {
    process.exitCode = await (await spec.load())({ ...command.opts<object>(), argument: command.args[0] } as never);
  });
}

async function runCommand(name: string): Promise<void> {
  const spec = commands.find((command) => command.name === name) as CommandSpec;
  process.exitCode = await (await spec.load())({} as never);
}
