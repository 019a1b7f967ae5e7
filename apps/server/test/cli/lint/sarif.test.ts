import { expect } from 'chai';
import { defineLint, nativeJson } from '@sluice/registry';
import { sarif } from '../../../src/cli/lint/sarif.ts';

describe('lint output in SARIF format', () => {
  const example = nativeJson({});
  const check = defineLint({
    code: 'MY001',
    name: 'empty-greeting',
    severity: 'warning',
    summary: 'A greeting contains no name.',
    details: 'Name someone.',
    bad: example,
    good: example,
    check: () => undefined,
  });
  const rulesOf = (page?: string): unknown =>
    sarif({ findings: [], suppressed: [] }, [page === undefined ? check : { ...check, page }]);

  it('lint rules in SARIF link to the web page of the lint check', () => {
    expect(rulesOf('https://my.example/MY001')).to.have.nested.property(
      'runs[0].tool.driver.rules[0].helpUri',
      'https://my.example/MY001',
    );
    expect(rulesOf()).to.have.nested.property('runs[0].tool.driver.rules[0]').which.does.not.have.property('helpUri');
  });
});
