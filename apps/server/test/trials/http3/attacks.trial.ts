import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { expect } from 'chai';
import { nativeProblem } from '@sluice/native';
import { signedCertificate } from '@sluice/testing';
import { Aioquic } from '../../http3/aioquic.ts';
import { Sandbox } from '../../support/sandbox.ts';
import { secureConfig, TestServer } from '../../support/server.ts';

interface Latencies {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
}

interface Victim {
  readonly kept: Latencies;
  readonly fresh: Latencies;
  readonly failures: readonly string[];
}

/**
 * Attacks by name, each with the error code with which the server must close the connection. `null` means that the connection may stay
 * open.
 */
const attacks: Readonly<Record<string, string | null>> = {
  forged_initials: null,
  half_handshakes: null,
  slow_handshakes: null,
  paths: null,
  open_streams: null,
  // Each request is served before its reset arrives. `libs/http3/test/server-connection.test.ts` tests resets of slow requests.
  resets: null,
  unsent_acks: '0xa',
  crypto_gaps: '0xd',
  stream_gaps: '0x1',
  huge_offsets: '0x3',
  qpack_bombs: null,
  blocked_streams: '0x200',
  empty_frames: '0x107',
};
const seconds = 6;
/**
 * Maximum median latency of another client, in milliseconds, and maximum memory growth in MiB. On a loaded machine, the latency may be five
 * times the latency without an attack, because attacker, client and server share the CPUs.
 */
const maxLatency = 50;
const maxSlowdown = 5;
const maxGrowth = 200;

describe('attacks over HTTP/3', function () {
  this.timeout(120_000);
  let client: Aioquic;
  let sandbox: Sandbox;
  let server: TestServer;
  let calm = 0;

  before(async function () {
    if (nativeProblem() !== null) this.skip();
    const found = await Aioquic.find();
    if (found === null) this.skip();
    client = found;
    sandbox = new Sandbox();
    const { cert, key } = await signedCertificate(['localhost']);
    server = await TestServer.runWith(
      sandbox,
      (admin, http) =>
        secureConfig(admin, http, [{ handle: [{ handler: 'static_response', body: 'here' }] }], {
          cert,
          key,
          protocols: ['h1', 'h2', 'h3'],
        }),
      ['--workers', '1'],
    );
  });

  after(async () => {
    await sandbox?.remove();
  });

  async function memory(): Promise<number> {
    const status = await readFile(`/proc/${server.started.child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  }

  it('the server responds to a client in the absence of an attack', async () => {
    const { kept, fresh, failures } = (await client.play('victim', server.httpPort, 3)) as Victim;
    calm = kept.p50;
    process.stdout.write(`      p50 ${kept.p50.toFixed(1)} ms, new connections ${fresh.p50.toFixed(1)} ms\n`);
    expect(failures).to.deep.equal([]);
  });

  for (const [name, code] of Object.entries(attacks))
    it(`during the attack ${name}, the server responds to another client within ${maxLatency} ms and uses a bounded amount of memory`, async () => {
      const before = await memory();
      const attack = client.start('attacks', name, server.httpPort, seconds);
      const output = text(attack.stdout as Readable);
      const ended = once(attack, 'exit');
      const { kept, fresh, failures } = (await client.play('victim', server.httpPort, seconds - 1)) as Victim;
      expect(await ended).to.deep.equal([0, null]);
      const growth = (await memory()) - before;
      const { sent, codes } = JSON.parse(await output) as { sent: number; codes: Record<string, number> };
      process.stdout.write(
        `      ${name}: p50 ${kept.p50.toFixed(1)} ms, p99 ${kept.p99.toFixed(1)} ms, new connections ${fresh.p50.toFixed(1)} ms, ` +
          `memory +${growth.toFixed(0)} MiB, ${sent} sent, ${JSON.stringify(codes)}\n`,
      );
      expect(failures).to.deep.equal([]);
      expect(sent).to.be.above(0);
      expect(kept.p50).to.be.below(Math.max(maxLatency, maxSlowdown * calm));
      expect(growth).to.be.below(maxGrowth);
      if (code !== null) expect(codes).to.have.property(code);
    });
});
