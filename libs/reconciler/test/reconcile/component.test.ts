import { expect } from 'chai';
import { token } from '@sluice/registry';
import { Component, providedIn, shareNeedsWithKind } from '../../src/reconcile/component.ts';

const one = token<number>('one');
const two = token<number>('two');

function component(key = ''): Component {
  return new Component({ key, kind: {}, node: null, since: 0, moduleId: null, owner: null });
}

describe('Component', () => {
  it('Component stores no empty lists or tables', () => {
    const [first, second] = [component(), component()];
    for (const list of ['resources', 'leaveHooks', 'retireHooks', 'needs', 'provided'] as const)
      expect(first[list]).to.equal(second[list]);
    first.need(one, 1);
    first.acquired(() => {});
    first.onRetire(() => {});
    expect([second.needs.size, second.resources.length, second.retireHooks.length]).to.deep.equal([0, 0, 0]);
  });

  it('Component.shareNeeds shares the table of a component with the same dependencies', () => {
    const [first, second, third] = [component(), component(), component()];
    for (const each of [first, second, third]) each.need(one, 1);
    third.need(two, 2);
    second.shareNeeds(first);
    third.shareNeeds(first);
    expect(second.needs).to.equal(first.needs);
    expect([...third.needs]).to.deep.equal([
      [one, 1],
      [two, 2],
    ]);
    second.need(two, 2);
    expect([...first.needs]).to.deep.equal([[one, 1]]);
  });

  it('Component.shareNeeds does not share a table if a value differs', () => {
    const [first, second] = [component(), component()];
    first.need(one, 1);
    second.need(one, 2);
    second.shareNeeds(first);
    expect(second.needs.get(one)).to.equal(2);
  });

  it('shareNeedsWithKind shares equal tables among components of the same kind', () => {
    const [kind, other] = [{}, {}];
    const made = [kind, kind, other].map((each, n) => {
      const component = new Component({ key: '', kind: each, node: n, since: 0, moduleId: null, owner: null });
      component.need(one, 1);
      shareNeedsWithKind(component);
      return component;
    });
    expect(made[1]?.needs).to.equal(made[0]?.needs);
    expect(made[2]?.needs).not.to.equal(made[0]?.needs);
    made[1]?.need(two, 2);
    expect([...(made[0]?.needs ?? [])]).to.deep.equal([[one, 1]]);
  });

  it('Component.provide replaces the value of a token, and keeps the values of other tokens', () => {
    const parent = component();
    for (const [token, value] of [
      [one, 1],
      [two, 2],
      [one, 3],
    ] as const)
      parent.provide(token, value);
    expect([one, two].map((each) => providedIn(parent.provided, each)?.value)).to.deep.equal([3, 2]);
    expect(providedIn(parent.provided, token('other'))).to.equal(null);
  });

  it('Component inherits dependencies of its children that it does not provide itself', () => {
    const [parent, child] = [component(), component('child')];
    parent.provide(one, 1);
    child.need(one, 1);
    child.need(two, 2);
    parent.adopt(child);
    expect([...parent.needs]).to.deep.equal([[two, 2]]);
  });

  for (const count of [3, 8, 9, 100]) {
    it(`Component.child finds ${count} children by key, and the last child if several keys are equal`, () => {
      const parent = component();
      parent.acquired(() => {});
      const children = Array.from({ length: count }, (_, i) => component(`key ${i}`));
      for (const child of children) parent.adopt(child);
      expect(parent.child('other')).to.equal(undefined);
      const again = component('key 1');
      parent.adopt(again);
      expect([...parent.children()]).to.deep.equal([...children, again]);
      expect(parent.child('key 1')).to.equal(again);
      expect(parent.child('key 2')).to.equal(children[2]);
    });
  }
});
