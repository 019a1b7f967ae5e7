import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { Sandbox, until } from '../support/sandbox.ts';
import { TestServer } from '../support/server.ts';
import {
  cases,
  configuration,
  nameOf,
  play,
  times,
  writeFile,
  type Case,
  type Counts,
  type Played,
} from './endings.ts';
import { ReferenceServer, referenceCommand } from './reference.ts';
import { Upstreams } from './upstreams.ts';

/** Caddy's counters for one request of each case, written by `record.ts`. */
const recorded = JSON.parse(readFileSync(new URL('expected.json', import.meta.url), 'utf8')) as Record<string, Counts>;

/** Traces returned by a trace recording. */
interface Recorded {
  readonly traces: readonly { readonly response: { readonly status: number } }[];
}

const clientGone: Counts = {
  requests: 1,
  errors: 0,
  durations: { '499': 1 },
  firstBytes: { '499': 1 },
  entries: { 'info handled request 499': 1 },
};

/** Returns the counters of one request if they differ from Caddy's counters by design; see docs/differences.md. */
function differing({ kind, ending }: Case): Counts | null {
  // Caddy counts some of the aborted uploads as 502, as if the upstream had failed.
  if (kind === 'upload') return clientGone;
  const isIncomplete = ending === 'upstream dies' && kind !== 'websocket' && kind !== 'silent';
  return isIncomplete
    ? {
        requests: 0,
        errors: 0,
        durations: {},
        firstBytes: { '200': 1 },
        entries: { 'error handled request 200': 1 },
      }
    : null;
}

const groups = Map.groupBy(
  cases,
  ({ protocol, kind }) => `${kind} over ${protocol === 'http1' ? 'HTTP/1.1' : 'HTTP/2'}`,
);

describe('counts of ended requests', () => {
  const sandbox = new Sandbox();
  let upstreams: Upstreams;
  let server: TestServer;
  let played: Played;

  before(async () => {
    upstreams = await Upstreams.start();
    const log = sandbox.path('log');
    server = await TestServer.runWith(sandbox, (admin, http) => {
      played = { admin, http, log };
      return configuration(played, upstreams.addresses);
    });
    await writeFile(played);
  });

  after(async () => {
    await server.stop();
    await upstreams.close();
    await sandbox.remove();
  });

  /** Returns the number of responses by status class, and of requests without a response, as reported by the admin API. */
  async function statusCounts(): Promise<Record<string, number>> {
    const { text } = await server.admin('/stats');
    return (JSON.parse(text) as { total: { status: Record<string, number> } }).total.status;
  }

  for (const [name, group] of groups) {
    it(`metrics and logs count completed and aborted requests in the same way as Caddy: ${name}`, async () => {
      const count = 5;
      // Delays the response, because the proxy detects disconnected clients only while it waits for a response.
      upstreams.upgradeDelay = 150;
      for (const each of group) {
        const before = await statusCounts();
        const one = differing(each) ?? recorded[nameOf(each)]!;
        expect(await play(played, upstreams, each, { count, atOnce: count }), nameOf(each)).to.deep.equal(
          times(one, count),
        );
        // The statistics must contain the same statuses, including those of truncated responses.
        const status = /\d+$/.exec(Object.keys(one.entries)[0]!)![0];
        const after = await statusCounts();
        const classes = Object.keys(after).filter((key) => after[key] !== before[key]);
        expect(classes, nameOf(each)).to.deep.equal([`${status[0]}xx`]);
        expect(after[classes[0]!]! - (before[classes[0]!] ?? 0), nameOf(each)).to.equal(count);
      }
    });
  }

  it('traces record completed and aborted requests with the same status as the access log', async () => {
    const { text } = await server.admin('/traces', { method: 'POST', body: { status: ['499'] } });
    const { id } = JSON.parse(text) as { id: string };
    await play(played, upstreams, { protocol: 'http1', kind: 'silent', ending: 'client RST' }, { count: 1, atOnce: 1 });
    let statuses: number[] = [];
    await until(async () => {
      const recordings = JSON.parse((await server.admin(`/traces?follow=false&id=${id}`)).text) as Recorded;
      statuses = recordings.traces.map(({ response }) => response.status);
      return statuses.length > 0;
    }, 'a trace');
    expect(statuses).to.deep.equal([499]);
  });

  describe(`counts compared with Caddy${referenceCommand === null ? ' (skipped: caddy is not on PATH)' : ''}`, function () {
    this.timeout(1_200_000);
    let reference: ReferenceServer;

    before(async function () {
      if (referenceCommand === null) return this.skip();
      reference = await ReferenceServer.start(sandbox, upstreams.addresses);
    });

    after(() => reference?.stop());

    for (const [name, group] of groups) {
      const count = /^(?:websocket|events|grpc)/.test(name) ? 1000 : 100;
      it(`Sluice and Caddy report the same counts for ${count} completed or aborted requests: ${name} @long`, async () => {
        upstreams.upgradeDelay = 0;
        for (const each of group) {
          const size = { count, atOnce: 50 };
          const ours = await play(played, upstreams, each, size);
          const one = differing(each);
          const theirs = one === null ? await play(reference, upstreams, each, size) : times(one, count);
          expect(ours, nameOf(each)).to.deep.equal(theirs);
        }
      });
    }
  });
});
