import { expect } from 'chai';
import { Option } from 'commander';
import { withoutFlagValues } from '../../src/cli/flag-values.ts';

const spec = {
  name: 'sluice',
  summary: '',
  options: [],
  subcommands: [{ name: 'do', summary: '', options: [new Option('-q, --quiet'), new Option('-n, --name <text>')] }],
};

describe('flags with values', () => {
  const cases: readonly [args: string, plain: string][] = [
    ['do --quiet', 'do --quiet'],
    ['do --quiet=true x', 'do --quiet x'],
    ['do -q=1', 'do -q'],
    ['do --quiet=false x', 'do x'],
    ['do -q=F', 'do'],
    ['do --quiet=maybe', 'do --quiet=maybe'],
    ['do --name=true', 'do --name=true'],
    ['do --name --quiet=true', 'do --name --quiet=true'],
    ['do -- --quiet=true', 'do -- --quiet=true'],
    ['other --quiet=true', 'other --quiet=true'],
  ];
  for (const [args, plain] of cases)
    it(`withoutFlagValues converts ${args}`, () => {
      expect(withoutFlagValues(args.split(' '), spec).join(' ')).to.equal(plain);
    });
});
