import { expect } from 'chai';
import type { JsonArray } from '@sluice/base';
import { Component, ListComponent, type ComponentOrigin } from '../../src/reconcile/component.ts';
import { fillList, type ElementChange } from '../../src/reconcile/list-elements.ts';

const origin: Omit<ComponentOrigin, 'node'> = { key: '', kind: {}, since: 0, moduleId: null, owner: null };
const [a, b, c] = [{ n: 'a' }, { n: 'b' }, { n: 'c' }];

describe('fillList', () => {
  /** Names of the list elements that were checked for changes. */
  const asked: string[] = [];
  beforeEach(() => {
    asked.length = 0;
  });

  async function fill(
    nodes: JsonArray,
    old: ListComponent | null,
    sameNeeds: boolean,
  ): Promise<[ListComponent, ElementChange]> {
    const list = new ListComponent({ ...origin, node: nodes });
    const change = await fillList(list, old, sameNeeds, {
      isUnchanged: async ({ node }) => {
        asked.push((node as typeof a).n);
        return node === a;
      },
      make: async (i) => {
        const element = new Component({ ...origin, node: nodes[i]! });
        element.instance = {};
        return element;
      },
      discard: async () => undefined,
    });
    return [list, change];
  }

  it('fillList keeps elements without checking them if the dependencies of the list are the same', async () => {
    const [first] = await fill([a, b], null, false);
    const [second, { splice, made, departed }] = await fill([a, c, b], first, true);
    expect(asked).to.deep.equal([]);
    expect([...second.elements].map(({ node }) => node)).to.deep.equal([a, c, b]);
    expect([second.elements.at(0), second.elements.at(2)]).to.deep.equal([...first.elements]);
    expect([...second.instances]).to.deep.equal([...second.elements].map(({ instance }) => instance));
    expect([splice, made, departed]).to.deep.equal([
      { start: 1, removed: 0, inserted: 1 },
      [second.elements.at(1)],
      [],
    ]);
  });

  it('fillList keeps moved elements without checking them if the dependencies of the list are the same', async () => {
    const [first] = await fill([a, b, c], null, false);
    const [second, { made, departed }] = await fill([c, a, b], first, true);
    expect(asked).to.deep.equal([]);
    expect([...second.elements]).to.have.members([...first.elements]);
    expect([made, departed]).to.deep.equal([[], []]);
  });

  it('fillList checks elements individually if the dependencies of the list differ, and recreates changed elements', async () => {
    const [first] = await fill([a, b], null, false);
    const [second, { splice, made, departed }] = await fill([a, b], first, false);
    expect(asked).to.deep.equal(['a', 'b']);
    expect(second.elements.at(0)).to.equal(first.elements.at(0));
    expect(second.elements.at(1)).not.to.equal(first.elements.at(1));
    expect(splice).to.deep.equal({ start: 0, removed: 0, inserted: 2 });
    expect([made, departed]).to.deep.equal([[second.elements.at(1)], [first.elements.at(1)]]);
  });

  it('fillList shares dependency tables with neighbors, even if only one element is created', async () => {
    const needed = { name: 'needed' };
    const nodes = [a, b, c];
    const make = async (i: number): Promise<Component> => {
      const element = new Component({ ...origin, node: nodes[i]! });
      element.need(needed, 1);
      return element;
    };
    const maker = { isUnchanged: async () => true, make, discard: async () => undefined };
    const first = new ListComponent({ ...origin, node: [a, b] });
    await fillList(first, null, false, maker);
    for (const [list, at] of [
      [[a, b, c], 2],
      [[c, a, b], 0],
    ] as const) {
      const next = new ListComponent({ ...origin, node: list });
      await fillList(next, first, true, maker);
      expect(next.elements.at(at)?.needs).to.equal(first.elements.at(0)?.needs);
      expect([...next.needs]).to.deep.equal([[needed, 1]]);
    }
  });

  it('fillList shares unchanged chunks with the previous list', async () => {
    const nodes = Array.from({ length: 10_000 }, (_, n) => ({ n }));
    const [first] = await fill(nodes, null, false);
    const [second, { made }] = await fill(nodes.with(5000, { n: -1 }), first, true);
    expect(made).to.have.length(1);
    for (const kind of ['elements', 'instances'] as const) {
      const known = new Set<unknown>(first[kind].chunks);
      expect(second[kind].chunks.filter((chunk) => !known.has(chunk))).to.have.length(1);
      expect(second[kind].chunks.length).to.equal(known.size);
    }
  });
});
