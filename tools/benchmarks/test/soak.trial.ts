import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import { haveWrk } from '../src/load.ts';
import { soakFailover } from '../src/soak/failover.ts';
import { soakKeepAlive } from '../src/soak/keep-alive.ts';
import { soakLogFile } from '../src/soak/log-file.ts';
import { soakLogNet } from '../src/soak/log-net.ts';
import { soakHttp2Connections } from '../src/soak/http2-connections.ts';
import { soakMemory } from '../src/soak/memory.ts';
import { soakMixedAbuse } from '../src/soak/mixed-abuse.ts';
import { soakUnderChange } from '../src/soak/under-change.ts';

const main = fileURLToPath(new URL('../../../apps/server/src/main.ts', import.meta.url));
const command = [process.execPath, '--conditions=@sluice/source', main];

describe('tools/benchmarks: soaks, small', function () {
  this.timeout(120_000);

  it('notices nothing of changes to other routes', async () => {
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

  it('loses no request to an upstream that is killed and revived', async () => {
    const { sent, responded, failures } = await soakFailover('sluice', command, {
      requestsPerSecond: 200,
      seconds: 3,
      kills: 4,
    });
    expect(failures).to.deep.equal({});
    expect(responded).to.equal(sent).and.to.be.at.least(300);
  });

  it('loses no request to an upstream that closes idle connections', async () => {
    const { sent, responded, failures } = await soakKeepAlive('sluice', command, {
      keepAlive: 1000,
      spread: 100,
      connections: 100,
      requests: 400,
    });
    expect(failures).to.deep.equal({});
    expect(responded).to.equal(sent).and.to.equal(400);
  });

  it('leaves one line for each request in a file that is rolled and moved away', async () => {
    const { files, ...counts } = await soakLogFile('sluice', command, { requests: 9000, workers: 4 });
    const whole = { failed: 0, missing: 0, doubled: 0, torn: 0 };
    expect(counts).to.deep.equal({ requests: 9000, lines: 9000, changes: 3, ...whole });
    expect(files).to.be.greaterThan(3);
  });

  it('has every line come to a peer that is killed and revived', async () => {
    const plan = { requests: 6000, requestsPerSecond: 2000, workers: 4, kills: 2, away: 100 };
    const { missing, failed, lines } = await soakLogNet('sluice', command, plan);
    expect({ missing, failed }).to.deep.equal({ missing: 0, failed: 0 });
    expect(lines).to.be.at.least(6000);
  });

  it('holds no more memory after more requests', async function () {
    if (!haveWrk) this.skip();
    const { errors, samples } = await soakMemory('sluice', command, 10_000, 1);
    expect(errors).to.equal(0);
    expect(samples.at(-1)).to.be.lessThan(400);
  });

  it('has nothing left of connections of HTTP/2 that are gone, however they went', async () => {
    const plan = { rounds: 3, connections: 200, atATime: 50 };
    const { responses, collected } = await soakHttp2Connections('sluice', command, plan);
    // 17 of each 50 connections read ten responses to their end.
    expect(responses).to.equal(4 * 4 * 17 * 10);
    // What is left of connections shows after every round; what is loaded or compiled meanwhile, after one.
    const growth = collected.slice(1).map((size, round) => size - (collected[round] ?? 0));
    // What a connection alone holds, its responses apart, is some kilobytes.
    expect(Math.min(...growth)).to.be.below(200 * 4096);
  });

  it('has nothing left of abusive clients, serves others meanwhile, and ends within the grace period', async () => {
    const plan = { seconds: 10, warmUpSeconds: 5, samples: 1, snapshots: '', graceSeconds: 3 };
    const { opened, requests, memory, descriptors, shutdownSeconds } = await soakMixedAbuse('sluice', command, plan);
    expect(opened).to.be.at.least(300);
    expect(requests.failures).to.deep.equal({});
    expect(requests.responded).to.equal(requests.sent).and.to.be.at.least(300);
    // So short a time shows what is kept for each of some hundred clients; the hour of `npm run soak -- abuse` shows less.
    expect(memory[1]).to.be.below(memory[0] + 16);
    expect(descriptors[1]).to.be.at.most(descriptors[0]);
    expect(shutdownSeconds).to.be.within(0, 5);
  });
});
