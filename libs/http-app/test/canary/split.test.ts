import { expect } from 'chai';
import { HeaderMap } from '@sluice/http1';
import type { CanaryKey } from '@sluice/registry';
import { CanarySplit } from '../../src/canary/split.ts';
import type { ConnectionInfo } from '../../src/exchange/connection.ts';
import type { SocketFacts } from '../../src/engine/facts.ts';
import { HandlerServer } from '../engine/harness.ts';

const serving = new HandlerServer(() => undefined);
const canary = new HandlerServer(() => undefined);

function facts(remoteAddress = '127.0.0.1'): SocketFacts {
  const notes = { opening: null, point: null };
  return { remoteAddress, remotePort: 1, localAddress: '', localPort: 1, unix: false, tls: null, notes };
}

function headers(fields: Readonly<Record<string, string>> = {}): { headers: HeaderMap } {
  const map = new HeaderMap();
  for (const [name, value] of Object.entries(fields)) map.append(name, value);
  return { headers: map };
}

/** Returns a traffic split and its settings. */
function split(key: CanaryKey, share: number, id = 'r') {
  const traffic = { id, key, share };
  return { split: new CanarySplit(canary, traffic), traffic };
}

function connectionOf(socket: SocketFacts): ConnectionInfo {
  return { ...socket, upgrade: () => null, destroy: () => undefined };
}

const clients = Array.from({ length: 2000 }, (_, i) => `client-${i}`);

describe('CanarySplit', () => {
  it('CanarySplit sends all requests of a connection to the same configuration', () => {
    const { split: by } = split({ of: 'connection' }, 0.5);
    for (let i = 0; i < 50; i++) {
      const connection = facts();
      const first = by.choose(serving, headers(), connection);
      for (let j = 0; j < 5; j++) expect(by.choose(serving, headers(), connection)).to.equal(first);
    }
  });

  it('CanarySplit distributes even a few connections evenly', () => {
    const { split: by } = split({ of: 'connection' }, 0.1);
    for (let round = 0; round < 20; round++) {
      const chosen = Array.from({ length: 30 }, () => by.choose(serving, headers(), facts()) === canary);
      expect(chosen.filter(Boolean).length).to.be.within(2, 4);
    }
  });

  for (const [title, key, ask] of [
    ['cookie', { of: 'cookie', name: 'session' }, (id: string) => headers({ cookie: `a=b; session=${id}` })],
    ['header', { of: 'header', name: 'X-User' }, (id: string) => headers({ 'x-user': id })],
  ] as const)
    it(`CanarySplit keeps clients on the new configuration when the share grows, if it splits by ${title}`, () => {
      const { split: by, traffic } = split(key, 0.1);
      const chosenAt = (share: number): Set<string> => {
        traffic.share = share;
        return new Set(clients.filter((id) => by.choose(serving, ask(id), facts()) === canary));
      };
      const [small, large] = [chosenAt(0.1), chosenAt(0.5)];
      expect(small.size).to.be.within(140, 260);
      expect(large.size).to.be.within(900, 1100);
      for (const id of small) expect(large.has(id)).to.equal(true);
      expect(chosenAt(1).size).to.equal(clients.length);
      expect(chosenAt(0).size).to.equal(0);
    });

  it('CanarySplit by cookie or header uses the current configuration for requests without the cookie or header', () => {
    const { split: by } = split({ of: 'cookie', name: 'session' }, 1);
    expect(by.choose(serving, headers(), facts())).to.equal(serving);
    expect(by.choose(serving, headers({ cookie: 'session=' }), facts())).to.equal(serving);
  });

  it('CanarySplit by address selects different clients in each rollout', () => {
    const chosen = ['one', 'two'].map((id) => {
      const { split: by } = split({ of: 'address' }, 0.2, id);
      return clients.map((_, i) => by.choose(serving, headers(), facts(`10.0.${i >> 8}.${i & 255}`)) === canary);
    }) as [boolean[], boolean[]];
    for (const each of chosen) expect(each.filter(Boolean).length).to.be.within(320, 480);
    const both = clients.filter((_, i) => chosen[0][i] === true && chosen[1][i] === true).length;
    expect(both).to.be.within(40, 130);
  });

  it('CanarySplit assigns all requests of a client to one cell, and distributes the clients over all cells', () => {
    const { split: by, traffic } = split({ of: 'header', name: 'X-User' }, 0.05);
    const cellOf = (id: string): number => by.cellOf(serving, headers({ 'x-user': id }).headers, connectionOf(facts()));
    for (const id of clients.slice(0, 50)) expect(cellOf(id)).to.equal(cellOf(id));
    const chosen = clients.filter((id) => by.choose(serving, headers({ 'x-user': id }), facts()) === canary);
    expect(new Set(chosen.map(cellOf)).size).to.equal(8);
    expect(traffic.share).to.equal(0.05);
  });

  it('CanarySplit by cookie or header compares only clients that send the cookie or header', () => {
    const byCookie = split({ of: 'cookie', name: 'session' }, 0.5).split;
    expect(byCookie.isCompared?.(headers({ cookie: 'a=b' }).headers)).to.equal(false);
    expect(byCookie.isCompared?.(headers({ cookie: 'session=' }).headers)).to.equal(false);
    expect(byCookie.isCompared?.(headers({ cookie: 'session=1' }).headers)).to.equal(true);
    const byHeader = split({ of: 'header', name: 'X-User' }, 0.5).split;
    expect(byHeader.isCompared?.(headers().headers)).to.equal(false);
    expect(byHeader.isCompared?.(headers({ 'x-user': 'ada' }).headers)).to.equal(true);
    expect(split({ of: 'connection' }, 0.5).split.isCompared).to.equal(null);
  });
});
