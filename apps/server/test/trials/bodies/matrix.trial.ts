/**
 * Tests the delivery of response bodies through all producers, filters, transports, protocols, readers and connection endings. `BODIES` is
 * the number of combinations, `BODIES_SEED` selects them, and `BODIES_ONLY` repeats a single one.
 *
 * `BODIES_REFERENCE` is the command of a server to compare with, such as the path of Caddy.
 */
import { expect } from 'chai';
import { Sandbox } from '../../support/sandbox.ts';
import { TestServer, type LogLine } from '../../support/server.ts';
import { combinations, nameOf, type Combination } from '../../bodies/combinations.ts';
import { configurationOf } from '../../bodies/configuration.ts';
import { play, problemOf, Stage } from '../../bodies/play.ts';

const count = Number(process.env['BODIES'] ?? 200);
const seed = Number(process.env['BODIES_SEED'] ?? 1);
const only = process.env['BODIES_ONLY'] ?? '';
const reference = process.env['BODIES_REFERENCE'] ?? '';

describe('response bodies of all combinations', function () {
  this.timeout(3_600_000);
  const sandbox = new Sandbox();
  after(() => sandbox.remove());

  it(`the server neither drops nor adds body bytes in ${count} combinations`, async () => {
    const stage = await Stage.build(sandbox);
    try {
      const places = await stage.places();
      const all = combinations(seed).filter(({ producer }) => producer !== 'php' || stage.php !== null);
      const one = all.filter((each) => nameOf(each) === only);
      const list = one.length > 0 ? Array.from({ length: count }, () => one[0] as Combination) : all.slice(0, count);
      const file = await sandbox.write('bodies.json', configurationOf(places));
      const server = await TestServer.start(sandbox, ['--config', file], places.admin, places.plain);
      const outcomes = await play(places, list);
      const problems = list.map((each, i) => problemOf(each, outcomes[i] as Error)).filter((problem) => problem !== '');
      const others = reference === '' ? [] : await play(await stage.runReference(reference), list);
      if (others.length > 0) {
        const theirs = list.map((each, i) => problemOf(each, others[i] as Error)).filter((problem) => problem !== '');
        process.stdout.write(
          `${list.length} combinations; problems: ${problems.length}, the reference: ${theirs.length}\n`,
        );
        for (const each of theirs) process.stdout.write(`  the reference: ${each}\n`);
      }
      const slow = list.filter(({ reader }) => reader !== 'fast').length;
      process.stdout.write(`${list.length} combinations, ${slow} of them with slow readers\n`);
      if (problems.length > 0)
        expect.fail([...problems, ...server.log.filter(isUnexpected).map(nameOfEntry)].join('\n'));
      expect(server.log.filter(({ msg }) => msg.includes('fault')).map(nameOfEntry)).to.deep.equal([]);
    } finally {
      await stage.close();
    }
  });
});

/** Reports whether a log entry is unexpected. Entries about responses that an upstream deliberately truncates are expected. */
function isUnexpected(entry: LogLine): boolean {
  return entry.level === 'error' && !/ending=(?:cut|excess|reset)/.test(JSON.stringify(entry));
}

function nameOfEntry({ msg, error, request }: LogLine): string {
  return JSON.stringify({ msg, error, uri: (request as { uri?: string } | undefined)?.uri });
}
