import { readFile } from 'node:fs/promises';
import { selectionPolicies, type Exchange, type SelectionPolicy, type Upstream } from '@sluice/http-app';
import type { JsonObject } from '@sluice/base';
import { register } from '@sluice/http.reverse_proxy';
import { makeExchange, provision } from '@sluice/testing';
import { expect } from 'chai';

interface Recorded {
  /** Dial addresses of the upstreams. Each case was recorded with the first two, with the first three, and so on. */
  readonly upstreams: readonly string[];
  readonly cases: readonly Case[];
}

interface Case {
  readonly policy: JsonObject;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Index of the upstream that Caddy selects from the first two, from the first three, and so on. */
  readonly chosen: readonly number[];
}

const recorded = JSON.parse(await readFile(new URL('recorded.json', import.meta.url), 'utf8')) as Recorded;
const upstreams: readonly Upstream[] = recorded.upstreams.map((address) => ({ address, available: true, requests: 0 }));

function exchangeOf({ target, headers }: Case): Exchange {
  const remoteAddress = headers['X-Forwarded-For'] ?? '127.0.0.1';
  return makeExchange({ path: target, headers, connection: { remoteAddress } });
}

async function withPolicy(config: JsonObject, use: (policy: SelectionPolicy) => void): Promise<void> {
  const { instance, close } = await provision(selectionPolicies, config, { register: [register], key: 'policy' });
  try {
    use(instance);
  } finally {
    await close();
  }
}

describe('http.reverse_proxy.selection_policies: hash policies', () => {
  const policies = new Map(recorded.cases.map(({ policy }) => [JSON.stringify(policy), policy]));
  for (const [text, policy] of policies) {
    it(`hash policies select the same upstream as Caddy for ${text}`, async () => {
      await withPolicy(policy, (made) => {
        for (const each of recorded.cases) {
          if (JSON.stringify(each.policy) !== text) continue;
          const chosen = each.chosen.map((_, i) => made.select(upstreams.slice(0, i + 2), exchangeOf(each)));
          expect(
            chosen.map((upstream) => upstream?.address),
            JSON.stringify(each),
          ).to.deep.equal(each.chosen.map((at) => recorded.upstreams[at]));
        }
      });
    });
  }

  it('hash policies use "@" as the address of a Unix socket peer', async () => {
    await withPolicy({ policy: 'ip_hash' }, (made) => {
      const exchange = makeExchange({ connection: { remoteAddress: '', unix: true } });
      expect(made.select(upstreams.slice(0, 6), exchange)?.address).to.equal('127.0.0.1:24103');
    });
  });

  it('hash policies skip unavailable upstreams in hash order', async () => {
    await withPolicy({ policy: 'header', field: 'x' }, (made) => {
      for (let i = 0; i < 50; i++) {
        const exchange = makeExchange({ headers: { X: `key${i}` } });
        const first = made.select(upstreams, exchange);
        const others = upstreams.map((upstream) => ({ ...upstream, available: upstream !== first }));
        const without = upstreams.filter((upstream) => upstream !== first);
        expect(made.select(others, exchange)?.address).to.equal(made.select(without, exchange)?.address);
      }
    });
  });

  it('hash policies support keys longer than the hash buffer', async () => {
    await withPolicy({ policy: 'header', field: 'x' }, (made) => {
      const keys = Array.from({ length: 40 }, (_, i) => `${'k'.repeat(3000)}${i}`);
      const chosen = keys.map((x) => made.select(upstreams, makeExchange({ headers: { x } }))?.address);
      expect(new Set(chosen).size).to.be.above(3);
    });
  });
});
