import { Socket } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import type { TlsTermination } from '@sluice/contracts';
import type { SocketFacts } from '../../src/engine/facts.ts';
import { composeChain } from '../../src/listener/chain.ts';
import type { ListenerWrapper } from '../../src/listener/wrapper.ts';

type Place = ListenerWrapper['place'];

/** Returns the wrappers that a socket passes through, and the resulting socket. */
function walk(places: readonly Place[], secure: boolean) {
  const steps: string[] = [];
  const info = { version: 'TLSv1.3' };
  const wrappers = places.map((place, i): ListenerWrapper => ({
    place,
    wrap: (_socket, facts, next) => {
      if (place !== 'tls') steps.push(`${i}${facts.tls === null ? '' : ' secure'}`);
      // The wrapper replaces the socket with a new stream.
      next(place === 'tls' ? _socket : new Socket(), facts);
    },
  }));
  const tls = {
    accept: (_socket: Socket, _facts: SocketFacts, next: (socket: Socket, found: unknown) => void) => {
      steps.push('tls');
      next(new Socket(), info);
    },
  } as unknown as TlsTermination;
  const chain = composeChain(wrappers, secure ? tls : null);
  const facts = { tls: null } as unknown as SocketFacts;
  const first = new Socket();
  let served: unknown = null;
  chain?.(first, facts, (socket) => void (served = socket));
  return { chain, steps, facts, info, served, first };
}

describe('listener chain', () => {
  const cases: [what: string, places: Place[], secure: boolean, steps: string[]][] = [
    ['TLS first if there is no TLS marker', ['anywhere', 'anywhere'], true, ['tls', '0 secure', '1 secure']],
    ['wrappers before and after the TLS marker', ['before_tls', 'tls', 'anywhere'], true, ['0', 'tls', '2 secure']],
    ['TLS last if the TLS marker is last', ['before_tls', 'anywhere', 'tls'], true, ['0', '1', 'tls']],
    ['TLS first if the TLS marker is first', ['tls', 'anywhere'], true, ['tls', '1 secure']],
    ['wrappers in order without TLS', ['anywhere', 'anywhere', 'anywhere'], false, ['0', '1', '2']],
    ['no step for the TLS marker without TLS', ['before_tls', 'tls', 'anywhere'], false, ['0', '2']],
    ['only TLS if there are no wrappers', [], true, ['tls']],
  ];
  for (const [what, places, secure, steps] of cases) {
    it(`the listener chain has ${what}`, () => {
      const found = walk(places, secure);
      expect(found.steps).to.deep.equal(steps);
      expect(found.facts.tls).to.equal(secure ? found.info : null);
      expect(found.served).to.be.instanceOf(Socket).and.to.not.equal(found.first);
    });
  }

  it('composeChain returns null if the chain has no steps', () => {
    expect(walk([], false).chain).to.equal(null);
    expect(walk(['tls'], false).chain).to.equal(null);
  });

  it('composeChain runs each wrapper once, in order, with TLS at its configured position', () => {
    fc.assert(
      fc.property(fc.nat(4), fc.nat(4), fc.boolean(), (before, after, marked) => {
        const places: Place[] = [
          ...Array.from({ length: before }, (): Place => 'anywhere'),
          ...(marked ? (['tls'] as const) : []),
          ...Array.from({ length: after }, (): Place => 'anywhere'),
        ];
        const { steps } = walk(places, true);
        expect(steps.indexOf('tls')).to.equal(marked ? before : 0);
        expect(steps).to.have.length(before + after + 1);
        const order = steps.filter((step) => step !== 'tls').map((step) => Number.parseInt(step, 10));
        expect(order).to.deep.equal(order.toSorted((a, b) => a - b));
      }),
    );
  });
});
