import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { nativeProblem } from '@sluice/native';
import { haveWrk } from '../../src/load.ts';
import { findCommand } from '../../src/machine.ts';
import { soakFailover } from '../../src/soak/failover.ts';
import { soakKeepAlive } from '../../src/soak/keep-alive.ts';
import { soakLogFile } from '../../src/soak/log-file.ts';
import { soakLogNet } from '../../src/soak/log-net.ts';
import { soakHttp2Connections } from '../../src/soak/http2-connections.ts';
import { soakMemory } from '../../src/soak/memory.ts';
import { soakMixedAbuse } from '../../src/soak/mixed-abuse.ts';
import { soakProtocols } from '../../src/soak/protocols/index.ts';
import { fullProtocolPlan, protocols } from '../../src/soak/protocols/plan.ts';
import { soakUnderChange } from '../../src/soak/under-change.ts';

const main = fileURLToPath(new URL('../../../../apps/server/src/main.ts', import.meta.url));
const command = [process.execPath, '--conditions=@sluice/source', main];

describe('soak tests at small scale', function () {
  this.timeout(120_000);

  it('the proxy does not interrupt requests and streams when other routes change', async () => {
    const plan = { webSockets: 40, eventStreams: 10, requestsPerSecond: 200, changes: 12, seconds: 3 };
    const { webSockets, eventStreams, requests, changes } = await soakUnderChange('sluice', command, plan);
    expect(webSockets).to.include({ opened: 40, closed: 0, lost: 0 });
    expect(webSockets.received).to.be.at.least(80);
    expect(eventStreams).to.include({ opened: 10, closed: 0, lost: 0 });
    expect(eventStreams.received).to.be.at.least(40);
    expect(requests.failures).to.deep.equal({});
    expect(requests.responded).to.equal(requests.sent).and.to.be.at.least(300);
    expect(changes).to.equal(12);
  });

  it('the proxy loses no requests to an upstream that is killed and restarted', async () => {
    const { sent, responded, failures } = await soakFailover('sluice', command, {
      requestsPerSecond: 200,
      seconds: 3,
      kills: 4,
    });
    expect(failures).to.deep.equal({});
    expect(responded).to.equal(sent).and.to.be.at.least(300);
  });

  it('the proxy loses no requests to an upstream that closes idle connections', async () => {
    const { sent, responded, failures } = await soakKeepAlive('sluice', command, {
      keepAlive: 1000,
      spread: 100,
      connections: 100,
      requests: 400,
    });
    expect(failures).to.deep.equal({});
    expect(responded).to.equal(sent).and.to.equal(400);
  });

  it('the access log contains one line per request, even if the file is rotated and moved', async () => {
    const { files, ...counts } = await soakLogFile('sluice', command, { requests: 9000, workers: 4 });
    const whole = { failed: 0, missing: 0, doubled: 0, torn: 0 };
    expect(counts).to.deep.equal({ requests: 9000, lines: 9000, changes: 3, ...whole });
    expect(files).to.be.greaterThan(3);
  });

  it('every log line reaches a log receiver that is killed and restarted', async () => {
    const plan = { requests: 6000, requestsPerSecond: 2000, workers: 4, kills: 2, away: 100 };
    const { missing, failed, lines } = await soakLogNet('sluice', command, plan);
    expect({ missing, failed }).to.deep.equal({ missing: 0, failed: 0 });
    expect(lines).to.be.at.least(6000);
  });

  it('the server does not use more memory after more requests', async function () {
    if (!haveWrk) this.skip();
    const { errors, samples } = await soakMemory('sluice', command, 10_000, 1);
    expect(errors).to.equal(0);
    expect(samples.at(-1)).to.be.lessThan(400);
  });

  it('the server releases all resources of closed HTTP/2 connections regardless of how the connections end', async () => {
    const plan = { rounds: 3, connections: 200, atATime: 50 };
    const { responses, collected } = await soakHttp2Connections('sluice', command, plan);
    // Out of every 50 connections, 17 read ten responses to the end.
    expect(responses).to.equal(4 * 4 * 17 * 10);
    // A leak per connection shows up after each round. Lazy loading and compilation show up only once.
    const growth = collected.slice(1).map((size, round) => size - (collected[round] ?? 0));
    // A connection without its responses uses a few kilobytes.
    expect(Math.min(...growth)).to.be.below(200 * 4096);
  });

  it('the server releases all resources of malicious clients, serves other clients, and exits within the grace period', async () => {
    const plan = { seconds: 10, warmUpSeconds: 5, samples: 1, snapshots: '', graceSeconds: 3 };
    const { opened, requests, memory, descriptors, shutdownSeconds } = await soakMixedAbuse('sluice', command, plan);
    expect(opened).to.be.at.least(300);
    expect(requests.failures).to.deep.equal({});
    expect(requests.responded).to.equal(requests.sent).and.to.be.at.least(300);
    // Even this short test detects memory that is retained for each client. `npm run soak -- abuse` is stricter.
    expect(memory[1]).to.be.below(memory[0] + 16);
    expect(descriptors[1]).to.be.at.most(descriptors[0]);
    expect(shutdownSeconds).to.be.within(0, 5);
  });

  it('the OpenSSL bindings serve all protocols without failures during changes', async function () {
    if (findCommand('go') === null || nativeProblem() !== null) this.skip();
    this.timeout(240_000);
    const results = await soakProtocols('sluice', command, {
      ...fullProtocolPlan,
      // Each kind is requested several times, and only the first connections can't resume a session.
      rates: { ...fullProtocolPlan.rates, resumed: 6, large: 0.5, upload: 1, dropped: 1 },
      minutes: 0.25,
      sampleSeconds: 2,
      changeSeconds: 2,
      certificateSeconds: 4,
      lifetimeSeconds: 10,
      countsObjects: false,
    });
    expect(results.map(({ protocol }) => protocol)).to.deep.equal(protocols);
    // `settleMinutes` is longer than the test, so the problems don't include the growth.
    for (const { problems, samples, changes, replacements } of results) {
      expect(problems).to.deep.equal([]);
      expect(samples.at(-1)?.collected).to.be.above(10 * 1024 * 1024);
      expect(samples.at(-1)?.allocated).to.be.above(10 * 1024 * 1024);
      expect(changes).to.be.at.least(2);
      expect(replacements).to.be.at.least(1);
    }
  });
});
