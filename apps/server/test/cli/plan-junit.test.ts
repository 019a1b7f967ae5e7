import { expect } from 'chai';
import { planJunit } from '../../src/cli/plan/plan-junit.ts';

describe('planJunit', () => {
  it('planJunit reports failed tests even if no requests were compared', () => {
    const failure = { name: 'login', file: 'shop.yaml', line: 3, differences: [] };
    const xml = planJunit({ tests: { passed: 0, failed: 1, error: null, failures: [failure] } as never }, false);
    expect(xml).to.include('tests="1" failures="1"').and.include('<failure message="login (shop.yaml:3)">');
  });
});
