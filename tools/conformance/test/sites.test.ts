import { expect } from 'chai';
import { isThere, ours } from '../src/servers/commands.ts';
import { needsCertificates } from '../src/sites/certificates.ts';
import { differencesOf } from '../src/sites/compare.ts';
import { playSteps } from '../src/sites/play.ts';
import { readRecorded } from '../src/sites/recording.ts';
import type { Running } from '../src/sites/running.ts';
import { listenScripts } from '../src/sites/scripts.ts';
import { readSites, type Site } from '../src/sites/site.ts';
import { Stage } from '../src/sites/stage.ts';
import { isRequest } from '../src/sites/step.ts';
import type { Stub } from '../src/sites/stubs.ts';

describe('conformance tool: sites compared with Caddy', () => {
  const sites = readSites();
  let scripts: Stub;
  let stage: Stage;
  let running: Running | null = null;
  before(async () => {
    scripts = await listenScripts();
    stage = await Stage.open(scripts);
  });
  after(async () => {
    await running?.stop();
    stage.close();
    scripts.close();
  });

  /** Starts the server with the first site. Loads the Caddyfiles of the other sites while the server runs. */
  async function serve(site: Site): Promise<void> {
    stage.put(site);
    if (running === null) running = await stage.start(ours, ['--workers', '1']);
    else await stage.load();
    await stage.certified();
  }

  it('there are at least 30 test sites with 400 requests', () => {
    expect(sites).to.have.length.at.least(30);
    const requests = sites.flatMap(({ steps }) => steps.filter(isRequest));
    expect(requests).to.have.length.at.least(400);
  });

  for (const site of sites) {
    it(`Sluice and Caddy respond identically on the site ${site.name}`, async function () {
      this.timeout(60_000); // Timeout for a busy machine, on which a server starts slowly.
      if (needsCertificates(site) && !isThere('openssl')) return this.skip();
      await serve(site);
      expect(differencesOf(readRecorded(site), await playSteps(site, stage))).to.deep.equal([]);
    });
  }
});
