/** Checks that the commands and options in docs/guide/cli.md and docs/guide/from-caddy.md exist. Tests in test/cli verify their effects. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { CommandSpec } from '@sluice/registry';
import { addStandardCommands } from '../../src/cli/commands.ts';
import { optionOf } from '../../src/cli/option.ts';

const folder = new URL('../../../../docs/guide/', import.meta.url);
const guide = ['cli.md', 'from-caddy.md'].map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');
const commands: CommandSpec[] = [];
addStandardCommands({ add: (command) => void commands.push(command) });

/** Commands in the code blocks of the guide, without comments and quoted strings. */
const examples = [...guide.matchAll(/```sh\n([^]*?)```/g)]
  .flatMap(([, block = '']) =>
    block
      .replaceAll(/ #.*$/gm, '')
      .replaceAll(/'[^']*'/g, 'text')
      .split(/[\n|]/),
  )
  .map((line) => line.trim())
  .filter((line) => line.startsWith('sluice '));

describe('guides docs/guide/cli.md and from-caddy.md', () => {
  it('the guides cli.md and from-caddy.md contain examples', () => {
    expect(examples.length).to.be.greaterThan(8);
  });

  for (const example of examples)
    it(`sluice accepts the command from the guide: ${example}`, () => {
      const [, ...words] = example.split(/ +/);
      let [spec, among] = [undefined as CommandSpec | undefined, commands as readonly CommandSpec[]];
      while (among.some(({ name }) => name === words[0])) {
        spec = among.find(({ name }) => name === words[0]);
        among = spec?.subcommands ?? [];
        words.shift();
      }
      expect(spec?.load, example).to.be.a('function');
      const known = spec?.options.map(optionOf).flatMap(({ short, long }) => [short, long]);
      for (const word of words.filter((each) => /^--?\w/.test(each))) expect(known).to.include(word.split('=')[0]);
    });
});
