import { mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createLogger, type JsonObject, type LogEntry } from '@sluice/base';
import { MemoryStorage, provision } from '@sluice/testing';
import { ticketKeySources, type TicketKeySettings } from '@sluice/tls-app';
import { register } from '../src/index.ts';

/** A started session ticket key source, with the keys that it has provided so far. */
interface Started {
  readonly seen: string[][];
  stop(): Promise<void>;
}

const logged: LogEntry[] = [];
const log = createLogger({ enabled: () => true, write: (entry) => logged.push(entry) });
const texts = (keys: readonly Buffer[]): string[] => keys.map((key) => key.toString('hex'));

async function start(config: JsonObject, settings: TicketKeySettings, storage: MemoryStorage): Promise<Started> {
  const { instance, close } = await provision(ticketKeySources, config, {
    register: [register],
    key: 'provider',
    storage,
    log,
  });
  const ending = new AbortController();
  const seen: string[][] = [];
  const first = await instance
    .start(settings, (keys) => seen.push(texts(keys)), ending.signal)
    .catch(async (error: unknown) => {
      await close();
      throw error;
    });
  seen.unshift(texts(first));
  return {
    seen,
    stop: async () => {
      ending.abort();
      await close();
    },
  };
}

const forever = { rotationInterval: 0, maxKeys: 4 };

for (const provider of ['standard', 'distributed']) {
  describe(`tls.stek.${provider}`, () => {
    it('tls.stek.${provider} starts with one key', async () => {
      const { seen, stop } = await start({ provider }, forever, new MemoryStorage());
      expect(seen).to.have.length(1);
      expect(seen[0]).to.have.length(1);
      expect(seen[0]?.[0]).to.match(/^[0-9a-f]{96}$/);
      await stop();
    });

    it('tls.stek.${provider} adds a new key at each rotation and drops the oldest key', async () => {
      const { seen, stop } = await start({ provider }, { rotationInterval: 10, maxKeys: 3 }, new MemoryStorage());
      while (seen.length < 5) await sleep(5);
      await stop();
      const count = seen.length;
      for (let i = 1; i < count; i++) expect(seen[i]?.slice(1)).to.deep.equal(seen[i - 1]?.slice(0, 2));
      expect(new Set(seen.flat()).size).to.equal(count);
      await sleep(30);
      expect(seen.length).to.equal(count);
    });
  });
}

describe('tls.stek.distributed', () => {
  const config = { provider: 'distributed' };

  it('tls.stek.distributed provides the same keys to all servers that share a storage', async () => {
    const storage = new MemoryStorage();
    const all = await Promise.all([1, 2, 3].map(() => start(config, { rotationInterval: 400, maxKeys: 2 }, storage)));
    while (all.some(({ seen }) => seen.length < 2)) await sleep(5);
    for (const each of all) await each.stop();
    for (const { seen } of all) expect(seen.slice(0, 2)).to.deep.equal(all[0]?.seen.slice(0, 2));
  });

  it('tls.stek.distributed keeps the configured number of previous keys', async () => {
    const storage = new MemoryStorage();
    const first = await start(config, { rotationInterval: 10, maxKeys: 4 }, storage);
    while (first.seen.length < 4) await sleep(5);
    await first.stop();
    const second = await start({ ...config, storage: { module: 'memory' } }, { ...forever, maxKeys: 2 }, storage);
    expect(second.seen[0]).to.deep.equal(first.seen.at(-1)?.slice(0, 2));
    await second.stop();
  });

  it('tls.stek.distributed generates new keys and reports the problem if the stored keys are unreadable', async () => {
    for (const text of ['', '{}', '{"keys":[],"next":1}', '{"keys":["AAAA"],"next":1}', '\0\0', 'null']) {
      logged.length = 0;
      const storage = new MemoryStorage();
      storage.values.set('stek/keys.json', text);
      const { seen, stop } = await start(config, forever, storage);
      expect(seen[0], text).to.have.length(1);
      expect(logged.map(({ message }) => message).join()).to.match(
        /cannot read session ticket keys from storage; generating new ones/,
      );
      await stop();
    }
  });

  it('tls.stek.distributed keeps its keys while the storage fails', async () => {
    logged.length = 0;
    const storage = new MemoryStorage();
    const { seen, stop } = await start(config, { rotationInterval: 20, maxKeys: 2 }, storage);
    storage.failure = new Error('the disk is full');
    while (logged.length === 0) await sleep(5);
    expect(logged[0]?.fields).to.deep.include({ error: 'the disk is full' });
    expect(seen).to.have.length(1);
    await stop();
  });

  it('tls.stek.distributed does not start if the storage is unavailable', async () => {
    const storage = new MemoryStorage();
    storage.failure = new Error('the disk is gone');
    const error = await start(config, forever, storage).catch((reason: Error) => reason.message);
    expect(error).to.equal('the disk is gone');
  });
});

describe('tls.stek.distributed with a clock that is set back', () => {
  // Attack in docs/security.md: The clock is set back after ticket keys were rotated.
  it('tls.stek.distributed rotates keys correctly after the clock is set back', async () => {
    const storage = new MemoryStorage();
    const settings = { rotationInterval: 60_000, maxKeys: 3 };
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 365 * 86_400_000 });
    const ahead = await start({ provider: 'distributed' }, settings, storage);
    await ahead.stop();
    mock.timers.reset();
    const back = await start({ provider: 'distributed' }, settings, storage);
    await back.stop();
    expect(back.seen[0]).to.have.length(2);
    const again = await start({ provider: 'distributed' }, settings, storage);
    await again.stop();
    expect(again.seen[0]).to.deep.equal(back.seen[0]);
  });
});
