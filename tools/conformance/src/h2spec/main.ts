/**
 * Runs h2spec (https://github.com/summerwind/h2spec) against Sluice over plain TCP and over TLS. Reports unexpected failures. Skips the run
 * if h2spec is not installed.
 *      npm run h2spec
 */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ours } from '../servers/commands.ts';
import { ServerProcess } from '../servers/server-process.ts';
import { decided } from './decided.ts';
import { readReport } from './report.ts';

const find = 'command -v h2spec || { f="$(go env GOPATH 2>/dev/null)/bin/h2spec"; test -x "$f" && echo "$f"; }';

function config(port: number, secure: boolean): object {
  const server = {
    listen: [`127.0.0.1:${port}`],
    protocols: ['h1', 'h2', 'h2c'],
    automatic_https: { disable: true },
    routes: [{ handle: [{ handler: 'static_response', body }] }],
    ...(secure ? { tls_connection_policies: [{ fallback_sni: 'localhost' }] } : {}),
  };
  return {
    apps: {
      pki: { certificate_authorities: { local: { install_trust: false } } },
      ...(secure ? { tls: { certificates: { automate: ['localhost'] }, automation: internal } } : {}),
      http: { servers: { s: server } },
    },
  };
}

/** Response body. It is larger than the client's flow-control window, so streams stay open and results do not depend on a race. */
const body = 'x'.repeat(100_000);
const internal = { policies: [{ issuers: [{ module: 'internal' }] }] };

/** Runs all h2spec checks. Returns the number of unexpected failures. */
async function play(command: string, server: ServerProcess, secure: boolean): Promise<number> {
  await server.load(config(server.port, secure));
  const report = join(server.folder, 'h2spec.xml');
  const args = ['-h', '127.0.0.1', '-p', String(server.port), '-j', report, ...(secure ? ['-t', '-k'] : [])];
  await new Promise((resolve) => spawn(command, args, { stdio: 'ignore' }).once('exit', resolve));
  const checks = readReport(readFileSync(report, 'utf8'));
  const failed = checks.filter((each) => each.failed);
  const others = failed.filter(({ check }) => !decided.some((known) => known.check === check));
  const over = secure ? 'TLS' : 'cleartext connections';
  console.log(`over ${over}: ${checks.length} checks, ${failed.length} failed, ${others.length} of them unexpectedly`);
  for (const { check, because } of decided)
    if (failed.some((each) => each.check === check)) console.log(`  ${check}, as expected: ${because}`);
  for (const { check, what } of others) console.log(`  ${check}: ${what}`);
  return others.length + (checks.length === 0 ? 1 : 0);
}

const found = spawnSync('sh', ['-c', find], { encoding: 'utf8' }).stdout.trim();
if (found === '') console.log('skipped: h2spec is not installed');
else {
  const server = await ServerProcess.start(ours);
  try {
    const failures = (await play(found, server, false)) + (await play(found, server, true));
    if (failures > 0) process.exitCode = 1;
  } finally {
    await server.stop();
  }
}
