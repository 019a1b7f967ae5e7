import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import { httpHandlers } from '@sluice/http-app';
import { defineModule, options, string, type Registry } from '@sluice/registry';
import type { Json } from '@sluice/base';
import { serve, withRoutes } from '@sluice/testing';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Registers a handler without state, so that the measurement includes only routes. */
function register(registry: Registry): void {
  registry.add(
    defineModule(httpHandlers, {
      name: 'nothing',
      help: 'Does nothing.',
      config: options({ text: string('What.') }),
      provision: () => handler,
    }),
  );
}

const handler = { handle: (): void => undefined };

/** Returns the V8 heap memory that a server with `count` routes retains, in bytes, excluding the document. */
async function heapOf(count: number): Promise<number> {
  const routes: Json = Array.from({ length: count }, (_, i) => ({
    handle: [{ handler: 'nothing', text: `text ${i}` }],
    terminal: true,
  }));
  collect();
  const before = process.memoryUsage().heapUsed;
  const server = await serve(withRoutes(routes), { register: [register] });
  collect();
  const after = process.memoryUsage().heapUsed;
  await server.close();
  return after - before;
}

describe('memory usage of routes', () => {
  it('a route with one handler uses less than 1,300 bytes of memory', async function () {
    this.timeout(60_000);
    await heapOf(2000);
    const [few, many] = [await heapOf(2000), await heapOf(6000)];
    expect((many - few) / 4000).to.be.below(1300);
  });
});
