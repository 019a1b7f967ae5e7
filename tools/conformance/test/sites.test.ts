import { expect } from 'chai';
import { isThere, ours } from '../src/servers/commands.ts';
import { needsCertificates } from '../src/sites/certificates.ts';
import { differencesOf } from '../src/sites/compare.ts';
import { playSite } from '../src/sites/play.ts';
import { readRecorded } from '../src/sites/recording.ts';
import { listenScripts } from '../src/sites/scripts.ts';
import { readSites } from '../src/sites/site.ts';
import type { Stub } from '../src/sites/stubs.ts';

describe('sites with Caddyfiles beside those of the reference', () => {
  const sites = readSites();
  let scripts: Stub;
  before(async () => {
    scripts = await listenScripts();
  });
  after(() => scripts.close());

  it('are 30 at least, with 400 requests', () => {
    expect(sites).to.have.length.at.least(30);
    const requests = sites.flatMap(({ steps }) => steps.filter((step) => typeof step !== 'number'));
    expect(requests).to.have.length.at.least(400);
  });

  for (const site of sites) {
    it(site.name, async function () {
      this.timeout(60_000);
      if (needsCertificates(site) && !isThere('openssl')) return this.skip();
      const played = await playSite(site, { command: ours, options: ['--workers', '1'], scripts });
      expect(differencesOf(readRecorded(site), played)).to.deep.equal([]);
    });
  }
});
