import { expect } from 'chai';
import { httpHandlers } from '@sluice/http-app';
import { defineModule, options, type Json, type JsonObject, type Registry } from '@sluice/registry';
import { request, withRoutes } from '@sluice/testing';
import { register } from '@sluice/http.handlers';

/** Writes two pieces of a hundred bytes. */
function registerWriter(registry: Registry): void {
  registry.add(
    defineModule(httpHandlers, {
      name: 'write',
      help: 'Writes.',
      config: options({}),
      provision: () => ({
        handle: ({ response }) => {
          response.write(Buffer.alloc(100, 'a'));
          response.end('b'.repeat(100));
        },
      }),
    }),
  );
}

/** Deadlines that were set, in milliseconds from now, rounded to a second. */
async function deadlines(settings: JsonObject): Promise<[of: string, seconds: number][]> {
  const set: [string, number][] = [];
  const start = performance.now();
  const config = withRoutes([{ handle: [{ handler: 'timeouts', ...settings }, { handler: 'write' }] }]);
  const setDeadline = (of: 'body' | 'answer', at: number): void => void set.push([of, Math.round((at - start) / 1000)]);
  const response = await request(config, { connection: { setDeadline } }, { register: [register, registerWriter] });
  expect(response.body).to.have.length(200);
  return set;
}

const second = 1e9;

describe('http.handlers.timeouts', () => {
  const cases: readonly [settings: JsonObject, expected: [string, number][]][] = [
    [{}, []],
    [{ read_timeout: 5 * second }, [['body', 5]]],
    [{ write_timeout: 7 * second }, [['answer', 7]]],
    [{ write_timeout: -1 }, [['answer', Number.POSITIVE_INFINITY]]],
    [{ read_min_rate: 5, write_min_rate: 5 }, []],
    [
      { write_timeout: 10 * second, write_min_rate: 50 },
      [
        ['answer', 10],
        ['answer', 12],
        ['answer', 14],
      ],
    ],
    [{ write_timeout: 10 * second, max_write_chunk: 7 }, [['answer', 10]]],
  ];
  for (const [settings, expected] of cases) {
    it(`sets ${JSON.stringify(expected)} for ${JSON.stringify(settings)}`, async () => {
      expect(await deadlines(settings)).to.deep.equal(expected);
    });
  }

  const refused: readonly Json[] = ['1s', 1.5, true];
  for (const value of refused) {
    it(`refuses ${JSON.stringify(value)} as a time`, async () => {
      const failure = await deadlines({ read_timeout: value }).then(
        () => null,
        (error: unknown) => error,
      );
      expect(String(failure)).to.include('read_timeout');
    });
  }
});
