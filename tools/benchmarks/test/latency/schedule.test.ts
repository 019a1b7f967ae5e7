import { expect } from 'chai';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openHttp1Lane } from '../../src/latency/http1-lane.ts';
import { runSchedule, type Lane } from '../../src/latency/schedule.ts';
import { percentile } from '../../src/statistics.ts';
import { freePort } from '@sluice/testing';

describe('benchmark tool: latency at a fixed rate', () => {
  it('runSchedule attributes the delay of a stalled server to all requests scheduled during the stall', async () => {
    const began = performance.now();
    // A simulated server that responds immediately, except between 100 ms and 300 ms.
    const lane: Lane = {
      send(done) {
        const now = performance.now() - began;
        setTimeout(() => done(true), now > 100 && now < 300 ? 300 - now : 0);
      },
    };
    const { times, failed } = await runSchedule([lane], 200, 0.5);
    expect([times.length, failed]).to.deep.equal([100, 0]);
    // A closed-loop load generator would measure only one slow request. With an open loop, a third of the requests are slow.
    expect(percentile(times, 0.8)).to.be.at.least(50);
  });

  it('runSchedule counts failed requests', async () => {
    const lane: Lane = { send: (done) => setImmediate(() => done(false)) };
    const { times, failed } = await runSchedule([lane], 1000, 0.05);
    expect([times.length, failed]).to.deep.equal([0, 50]);
  });

  it('runSchedule does not wait indefinitely for missing responses', async () => {
    const { times, failed } = await runSchedule([{ send: () => undefined }], 1000, 0.02);
    expect([times.length, failed]).to.deep.equal([0, 20]);
  });
});

describe('benchmark tool: HTTP/1.1 lane', () => {
  let server: Server;
  let port: number;

  before(async () => {
    server = createServer((request, response) => {
      if (request.url === '/chunks') {
        response.write('one');
        setTimeout(() => response.end('two'), 5);
      } else if (request.url === '/closed') request.socket.destroy();
      else response.writeHead(request.url === '/missing' ? 404 : 200, { 'Content-Length': 5 }).end('hello');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });

  after(() => {
    server.closeAllConnections();
    server.close();
  });

  it('openHttp1Lane retries if the first connection is refused', async () => {
    const free = await freePort();
    const opened = openHttp1Lane({ port: free, path: '/', headers: [], serverName: null });
    await sleep(100);
    const later = createServer((_request, response) => void response.end('hello')).listen(free, '127.0.0.1');
    const lane = await opened;
    expect(await new Promise((resolve) => lane.send(resolve))).to.equal(true);
    later.closeAllConnections();
    later.close();
  });

  const ask = async (path: string, count = 3): Promise<boolean[]> => {
    const lane = await openHttp1Lane({ port, path, headers: [], serverName: null });
    const outcomes: boolean[] = [];
    for (let i = 0; i < count; i++) outcomes.push(await new Promise((resolve) => lane.send(resolve)));
    return outcomes;
  };

  it('an HTTP/1.1 lane finds the end of chunked bodies and of bodies with a Content-Length', async () => {
    expect(await ask('/')).to.deep.equal([true, true, true]);
    expect(await ask('/chunks')).to.deep.equal([true, true, true]);
  });

  it('an HTTP/1.1 lane reports requests without a response', async () => {
    expect(await ask('/missing', 1)).to.deep.equal([false]);
    expect(await ask('/closed', 2)).to.deep.equal([false, false]);
  });
});
