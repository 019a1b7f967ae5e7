/** Tests a sample of the body delivery combinations. `matrix.trial.ts` tests all of them. */
import { expect } from 'chai';
import { Sandbox } from '../support/sandbox.ts';
import { TestServer } from '../support/server.ts';
import { combinations, producers } from './combinations.ts';
import { configurationOf } from './configuration.ts';
import { play, problemOf, Stage } from './play.ts';

/** Combinations per producer. */
const each = 6;

describe('response bodies of all producers and filters', function () {
  this.timeout(60_000);
  const sandbox = new Sandbox();
  after(() => sandbox.remove());

  // Attack in docs/security.md: Truncated or slowly read response bodies, for every handler, filter, transport and protocol.
  it('the server sends each response body completely, or lets the client detect the truncation @long', async () => {
    const stage = await Stage.build(sandbox);
    try {
      const places = await stage.places();
      const all = combinations(7).filter(({ producer }) => producer !== 'php' || stage.php !== null);
      const list = producers.flatMap((producer) => all.filter((one) => one.producer === producer).slice(0, each));
      const file = await sandbox.write('bodies.json', configurationOf(places));
      await TestServer.start(sandbox, ['--config', file], places.admin, places.plain);
      const outcomes = await play(places, list);
      const problems = list.map((one, i) => problemOf(one, outcomes[i] as Error)).filter((problem) => problem !== '');
      if (problems.length > 0) expect.fail(problems.join('\n'));
    } finally {
      await stage.close();
    }
  });
});
