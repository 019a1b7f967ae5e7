import { expect } from 'chai';
import type { AddressInfo } from 'node:net';
import { silentLogger, type Logger } from '@sluice/base';
import { Listener } from '@sluice/http-app';
import { frames } from '@sluice/testing';
import { CutReports } from '../../src/engine/cut-reports.ts';
import { HandlerServer, loopback } from './harness.ts';

const { frame, FrameClient, preface, types } = frames;

describe('CutReports', () => {
  // Attack in docs/security.md: Clients that flood the server, and clients that stop reading until buffers are full.
  it('CutReports logs closed connections at most every ten seconds, with the client, the reason, and the number of suppressed entries', () => {
    const entries: unknown[] = [];
    const log: Logger = { ...silentLogger, warn: (_message, fields) => void entries.push(fields) };
    let now = 0;
    const reports = new CutReports(log, () => now);
    reports.report('192.0.2.1', 'first');
    reports.report('192.0.2.2', 'second');
    now = 9999;
    reports.report('192.0.2.3', 'third');
    now = 10_000;
    reports.report('192.0.2.4', 'fourth');
    expect(entries).to.deep.equal([
      { remote: '192.0.2.1', reason: 'first', unsaid: 0 },
      { remote: '192.0.2.4', reason: 'fourth', unsaid: 2 },
    ]);
  });

  // Attack in docs/security.md: Clients that flood the server, and clients that stop reading until buffers are full.
  it('CutReports logs an HTTP/2 flood with the client address', async () => {
    const said = Promise.withResolvers<object>();
    const log: Logger = { ...silentLogger, warn: (message, fields) => said.resolve({ message, ...fields }) };
    const listener = await Listener.open({ address: loopback, reusePort: false, log });
    listener.target = new HandlerServer(() => undefined);
    const client = new FrameClient((listener.address as AddressInfo).port).send(preface, frame(types.settings, 0, 0));
    client.send(...Array.from({ length: 20_000 }, () => frame(types.settings, 0, 0)));
    const { reason, ...rest } = (await said.promise) as { reason: string };
    expect(rest).to.deep.equal({
      message: 'closed connection of an abusive client',
      remote: '127.0.0.1',
      unsaid: 0,
    });
    expect(reason).to.match(/^HTTP\/2: ./);
    client.close();
    await listener.close();
  });
});
