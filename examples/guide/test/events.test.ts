import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { register } from '@sluice/module-guide';
import { eventsApp } from '@sluice/module';
import { serve } from '@sluice/testing';

describe('events.handlers.file', function () {
  // The timeout is long because the first standard server of a process loads all modules.
  this.timeout(60_000);

  it('events.handlers.file appends subscribed events to a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-guide-'));
    const path = join(folder, 'events');
    const subscriptions = [{ events: ['placed'], handlers: [{ handler: 'file', path }] }];
    const server = await serve({ apps: { events: { subscriptions } } }, { register: [register], standard: true });
    const events = server.runtime.app(eventsApp);
    await events?.emit('shop', 'placed', { order: 7 });
    await events?.emit('shop', 'cancelled', { order: 7 });
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
    expect(lines).to.have.length(1);
    expect(JSON.parse(lines[0] ?? '')).to.deep.include({ data: { order: 7 } });
    await server.close();
    await rm(folder, { recursive: true });
  });
});
