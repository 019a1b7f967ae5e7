/** Commands and flags in Caddy's help output: `fixtures/command-line/flags.json`. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { CommandSpec } from '@sluice/registry';
import { addStandardCommands } from '../../src/cli/commands.ts';
import { optionOf } from '../../src/cli/option.ts';

/** Spellings of each flag by command, such as `["-c", "--config"]`. */
const flags = JSON.parse(
  readFileSync(new URL('../fixtures/command-line/flags.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, readonly (readonly string[])[]>>;

/** Flags that Sluice does not support. docs/differences.md documents them. */
const absent: Readonly<Record<string, readonly string[]>> = { upgrade: ['--keep-backup'] };

const commands: CommandSpec[] = [];
addStandardCommands({ add: (command) => void commands.push(command) });

function find(path: readonly string[], among: readonly CommandSpec[]): CommandSpec | undefined {
  const found = among.find(({ name }) => name === path[0]);
  return path.length === 1 ? found : find(path.slice(1), found?.subcommands ?? []);
}

describe('commands and flags of Caddy', () => {
  for (const [name, expected] of Object.entries(flags))
    it(`the command ${name} supports the same flags as in Caddy`, () => {
      const spec = find(name.split(' '), commands);
      expect(spec, name).to.not.equal(undefined);
      const ours = (spec?.options ?? [])
        .map(optionOf)
        .map(({ short, long }) => [short, long].filter((flag) => flag != null));
      const wanted = expected.filter(
        (forms) => !forms.some((form) => form === '--help' || absent[name]?.includes(form)),
      );
      expect(ours).to.deep.include.members(wanted.map((forms) => [...forms]));
    });

  it('sluice does not accept flags that are listed as unsupported', () => {
    for (const [name, forms] of Object.entries(absent)) {
      const ours =
        find([name], commands)
          ?.options.map(optionOf)
          .map(({ long }) => long) ?? [];
      expect(ours).to.not.include.members([...forms]);
    }
  });
});
