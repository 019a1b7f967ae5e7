import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { CallList } from '../src/call-list.ts';
import { addressNumberIn } from '../src/memory.ts';

/** Seals a packet in a thread whose `process.arch` is set to `arch`. Returns the packet and the header protection mask in hexadecimal. */
async function sealedOn(arch: string): Promise<string> {
  const worker = new Worker(new URL('seal-in-thread.ts', import.meta.url), { workerData: arch });
  const [result] = (await once(worker, 'message')) as [string];
  await worker.terminate();
  return result;
}

describe('CallList', () => {
  before(function () {
    if (process.platform !== 'linux' || process.arch !== 'x64') this.skip();
  });

  it('CallList makes calls in order, with up to six arguments, and returns their results', () => {
    const list = CallList.create(3)!;
    const text = Buffer.from('abc\0');
    const copy = Buffer.alloc(16);
    const [from, to] = [addressNumberIn(text, 0, 4), addressNumberIn(copy, 0, 16)];
    list.call(0, 'memcpy', to, from, 4);
    list.call(1, 'strlen', to);
    list.call(2, 'abs', 2 ** 32 - 7);
    list.run();
    expect([list.result(1), list.result(2)]).to.deep.equal([3, 7]);
    expect(copy.toString('latin1', 0, 3)).to.equal('abc');
    list.argument(1, 0, to + 1);
    list.run();
    expect(list.result(1)).to.equal(2);
  });

  it('CallList rejects functions that do not exist', () => {
    expect(() => CallList.create(1)!.call(0, 'no_such_function')).to.throw();
  });

  it('CallList.create returns null on unsupported architectures, and packets sealed by single calls are the same as those sealed by lists', async () => {
    const [listed, single] = await Promise.all([sealedOn(process.arch), sealedOn('riscv64')]);
    expect(JSON.parse(listed)).to.include({ lists: true });
    expect(JSON.parse(single)).to.deep.equal({ ...(JSON.parse(listed) as object), lists: false });
  });
});
