import { expect } from 'chai';
import type { Transport } from '@sluice/http-app';
import { makeExchange } from '@sluice/testing';
import { allocateSharedCells, SharedCells } from '@sluice/threads';
import { HeaderMap } from '@sluice/http1';
import { Mirror } from '../../src/mirror/mirror.ts';
import type { MirrorParts } from '../../src/mirror/mirror-parts.ts';
import type { MirrorResult } from '../../src/mirror/metrics.ts';
import { UpstreamTable } from '../../src/reverse_proxy/upstream-table.ts';
import { ProxyUpstream } from '../../src/reverse_proxy/proxy-upstream.ts';

/** Returns a seeded pseudorandom number generator (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describe('http.handlers.mirror: share', () => {
  const cells = new SharedCells(allocateSharedCells({ capacity: 16, threads: 1 }), 0);
  const lease = new UpstreamTable().acquire(
    'localhost:1',
    cells,
    { key: '', node: null, where: '', finds: false },
    false,
  );
  const passive = { failDuration: 0, unhealthyStatus: [], unhealthyLatency: 0 };
  const upstream = new ProxyUpstream(
    lease,
    0,
    { maxFails: 0, maxRequests: 0, breaker: null, turn: null, passive },
    { active: null, outlier: null },
  );

  /** Sends requests through a mirror. Returns the number of mirrored requests. */
  function copiesOf(share: number, requests: number, random: () => number): number {
    const results: MirrorResult[] = [];
    let sent = 0;
    const transport: Transport = {
      send(_address, _request, sink) {
        sent++;
        sink.onHead(200, 'HTTP/1.1', new HeaderMap(), 0);
        sink.onEnd(null);
        return { resume: () => undefined, abort: () => undefined };
      },
    };
    const parts: MirrorParts = {
      transport,
      upstreams: [upstream],
      policy: { select: ([first]) => first ?? null },
      share,
      maxConcurrent: 1,
      maxBody: 0,
      timeout: 1000,
      namesUpstream: false,
      isTrusted: () => false,
      rewrite: null,
      requestOperations: null,
      cell: cells.acquire('mirror'),
      metrics: { count: (result) => results.push(result) },
      random,
    };
    const mirror = new Mirror(parts);
    let passed = 0;
    for (let i = 0; i < requests; i++) void mirror.handle(makeExchange(), () => void passed++);
    expect(passed).to.equal(requests);
    expect(results).to.have.length(sent);
    expect(new Set(results)).to.deep.equal(new Set(sent === 0 ? [] : ['success']));
    expect([upstream.requests, cells.acquire('mirror').get(0)]).to.deep.equal([0, 0]);
    return sent;
  }

  it('a mirror with share 0.1 copies one in ten of 5,000 requests', () => {
    // The tolerance is four standard deviations of the binomial distribution: 4 · √(5000 · 0.1 · 0.9).
    for (const seed of [1, 2, 3]) expect(copiesOf(0.1, 5000, seeded(seed))).to.be.within(415, 585);
  });

  it('a mirror with share 0 copies no requests, and a mirror with share 1 copies every request', () => {
    expect(copiesOf(0, 500, seeded(1))).to.equal(0);
    expect(copiesOf(1, 500, seeded(1))).to.equal(500);
    expect(copiesOf(0, 1, () => 0)).to.equal(0);
  });
});
