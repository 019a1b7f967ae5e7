/**
 * Compares the configurations that command options create with Caddy's configurations. Caddy disables its admin endpoint for these
 * commands. Therefore, `fixtures/command-line/quick-commands.json` was read from the memory of the Caddy process.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { Command } from 'commander';
import type { CommandSpec } from '@sluice/registry';
import { optionOf } from '../../../src/cli/option.ts';
import { withoutFlagValues } from '../../../src/cli/flag-values.ts';
import { quickCommands } from '../../../src/cli/quick-commands.ts';
import { fileServerConfig } from '../../../src/cli/quick/file-server-config.ts';
import { reverseProxyConfig } from '../../../src/cli/quick/reverse-proxy-config.ts';
import { respondConfig } from '../../../src/cli/quick/respond-config.ts';
import type { QuickConfig } from '../../../src/cli/quick/quick-config.ts';

/** A command line and Caddy's configuration for it, or `null` if Caddy rejects the command line. */
interface Recorded {
  readonly args: readonly string[];
  readonly stdin?: string;
  readonly config: unknown;
  /** True if Caddy accepts a command that Sluice rejects, because no client or upstream could be reached; see docs/differences.md. */
  readonly refusedHere?: true;
}

const recorded = JSON.parse(
  readFileSync(new URL('../../fixtures/command-line/quick-commands.json', import.meta.url), 'utf8'),
) as readonly Recorded[];

const makers: Readonly<Record<string, (options: object, piped: () => string) => QuickConfig>> = {
  'file-server': (options) => fileServerConfig(options),
  'reverse-proxy': (options) => reverseProxyConfig(options),
  respond: (options, piped) => respondConfig(options, piped),
};

/** Returns the configuration that a command line creates. Throws the error of the command. */
function configOf([name = '', ...rest]: readonly string[], stdin = ''): QuickConfig {
  const spec = quickCommands.find((command) => command.name === name) as CommandSpec;
  const command = new Command(name)
    .exitOverride()
    .allowExcessArguments()
    .configureOutput({ writeErr: () => undefined });
  for (const option of spec.options) command.addOption(optionOf(option));
  command.argument('[argument]').parse(withoutFlagValues(rest, spec), { from: 'user' });
  const { args } = command;
  return makers[name]?.({ ...command.opts<object>(), arguments: args }, () => stdin) as QuickConfig;
}

describe('configurations created by quick commands', () => {
  for (const { args, stdin, config, refusedHere = false } of recorded) {
    const text = args.map((arg) => (/^[\w:/.,=*-]+$/.test(arg) ? arg : `'${arg}'`)).join(' ');
    const piped = stdin === undefined ? '' : ` < ${JSON.stringify(stdin)}`;
    const isRefused = config === null || refusedHere;
    it(`the quick command's configuration ${isRefused ? 'is rejected' : 'equals that of Caddy'}: ${text}${piped}`, () => {
      if (isRefused) expect(() => configOf(args, stdin)).to.throw();
      else expect(configOf(args, stdin).document).to.deep.equal(config);
    });
  }
});
