import { expect } from 'chai';
import { Random } from '../src/differential/random.ts';
import { bytesOf } from '../src/requests/request.ts';
import { configOf } from '../src/requests/scenario.ts';
import { scenarios } from '../src/requests/scenarios/index.ts';

describe('conformance tool: generated requests', () => {
  for (const scenario of scenarios) {
    it(`generated requests are identical for the same seed (${scenario.name})`, () => {
      const make = (seed: number): string => {
        const random = new Random(seed);
        const config = configOf(scenario.routes(random, '/files'), 80);
        const requests = Array.from({ length: 50 }, () => bytesOf(scenario.request(random)).toString('latin1'));
        return JSON.stringify([config, requests]);
      };
      expect(make(1)).to.equal(make(1));
      expect(make(1)).not.to.equal(make(2));
    });

    it(`generated requests have a complete head (${scenario.name})`, () => {
      const random = new Random(1);
      for (let i = 0; i < 200; i++) {
        const head = bytesOf(scenario.request(random)).toString('latin1').split('\r\n\r\n')[0] ?? '';
        expect(head).to.match(/^[!-~]+ [!-~\x80-\xff]+ HTTP\/1\.1\r\nHost: /);
        for (const line of head.split('\r\n').slice(1)) expect(line).to.match(/^[\w-]+: ?[^\r\n\0]*$/);
      }
    });
  }
});
