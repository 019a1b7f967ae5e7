import { expect } from 'chai';
import { readCases, readRecorded, type LogResponse } from '../src/logs/cases.ts';
import { playLogs } from '../src/logs/play.ts';
import { ours } from '../src/servers/commands.ts';

describe('conformance tool: comparison of logs with Caddy', () => {
  const recorded = readRecorded();
  let responses: Record<string, LogResponse> = {};

  before(async function () {
    this.timeout(120_000);
    // A single worker writes log lines in the order of the requests.
    responses = await playLogs(ours, readCases(), ['--workers', '1']);
  });

  for (const { name } of readCases()) {
    it(`Sluice writes the same log lines as Caddy in the case "${name}"`, () => {
      expect(responses[name]).to.deep.equal(recorded[name]);
    });
  }
});
