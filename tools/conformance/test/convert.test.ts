import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { adaptGenerated, adaptSites, siteEnvironment, type MadeDocument } from '../src/caddyfile/documents.ts';
import { playRoundTrip } from '../src/caddyfile/round-trip.ts';
import { ours } from '../src/servers/commands.ts';
import { ServerProcess } from '../src/servers/server-process.ts';

/** Factor by which the number of cases is multiplied. The trial sets a higher factor. */
const factor = Number(process.env['SLUICE_TEST_FACTOR'] ?? 1);

describe('conformance tool: conversion of documents to Caddyfiles', function () {
  this.timeout(120_000); // Timeout for a busy machine.
  let folder: string;
  let server: ServerProcess;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-convert-'));
    server = await ServerProcess.start(ours, { workingFolder: folder, environment: siteEnvironment });
  });

  after(async () => {
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  /** Returns the fraction of documents that are identical after conversion. Verifies the server's report about each document. */
  async function identicalOf(documents: readonly MadeDocument[]): Promise<number> {
    let identical = 0;
    for (const document of documents) {
      const trip = await playRoundTrip(server.admin, document);
      expect(trip.said === 'identical', trip.name).to.equal(trip.identical);
      if (trip.identical) identical++;
    }
    return identical / documents.length;
  }

  it('at least 90 % of sites are identical after conversion to a Caddyfile and back @long', async () => {
    const sites = await adaptSites(server.admin, folder);
    expect(sites).to.have.length.at.least(30);
    expect(await identicalOf(sites)).to.be.at.least(0.96);
  });

  it('at least 90 % of generated files are identical after conversion to a Caddyfile and back @long', async () => {
    expect(await identicalOf(await adaptGenerated(server.admin, 40 * factor, 8))).to.be.at.least(0.93);
  });
});
