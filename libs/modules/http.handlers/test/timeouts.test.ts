import { expect } from 'chai';
import type { PaceRule } from '@sluice/http-app';
import type { Json, JsonObject } from '@sluice/base';
import { request, withRoutes } from '@sluice/testing';
import { register } from '@sluice/http.handlers';
import { show } from './support.ts';

/** Returns the pace rules that the handler sets for the connection. */
async function rules(settings: JsonObject): Promise<[of: string, rule: PaceRule][]> {
  const set: [string, PaceRule][] = [];
  const setPace = (of: 'body' | 'response', rule: PaceRule): void => void set.push([of, rule]);
  const config = withRoutes([{ handle: [{ handler: 'timeouts', ...settings }, show('ok')] }]);
  const response = await request(config, { connection: { setPace } }, { register: [register] });
  expect(response.text).to.equal('ok');
  return set;
}

const second = 1e9;
const chunk = 64 * 1024;

describe('http.handlers.timeouts', () => {
  const cases: readonly [settings: JsonObject, expected: [string, PaceRule][]][] = [
    [{}, []],
    [{ read_timeout: 5 * second }, [['body', { timeout: 5000, rate: 0, chunk }]]],
    [{ read_timeout: 1e8, read_min_rate: 7 }, [['body', { timeout: 100, rate: 7, chunk }]]],
    [{ write_timeout: 7 * second, write_min_rate: 50 }, [['response', { timeout: 7000, rate: 50, chunk }]]],
    [{ write_timeout: second, max_write_chunk: 7 }, [['response', { timeout: 1000, rate: 0, chunk: 7 }]]],
    [{ read_timeout: -1, write_timeout: -1 }, []],
    [{ read_min_rate: 5, write_min_rate: 5, max_write_chunk: 5 }, []],
    [{ read_timeout: second, read_min_rate: -5 }, [['body', { timeout: 1000, rate: 0, chunk }]]],
  ];
  for (const [settings, expected] of cases) {
    it(`the timeouts handler sets ${JSON.stringify(expected)} for ${JSON.stringify(settings)}`, async () => {
      expect(await rules(settings)).to.deep.equal(expected);
    });
  }

  const refused: readonly Json[] = ['1s', 1.5, true];
  for (const value of refused) {
    it(`the timeouts handler rejects ${JSON.stringify(value)} as a duration`, async () => {
      const failure = await rules({ read_timeout: value }).then(
        () => null,
        (error: unknown) => error,
      );
      expect(String(failure)).to.include('read_timeout');
    });
  }
});
