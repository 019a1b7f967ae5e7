/**
 * Runs a fleet on this machine: etcd, three members, and a Sluice load balancer for the members. `npm run example-fleet` builds the
 * required packages and starts all programs. Ctrl+C stops all of them. Ports: 8080 for the load balancer, and 2381 to 2383 for the members'
 * admin endpoints. If FLEET_EXAMPLE_PORT is set, port numbers start there.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const sluice = fileURLToPath(new URL('../../apps/server/bin/sluice.js', import.meta.url));
const site = fileURLToPath(new URL('site.json', import.meta.url));

const base = Number(process.env['FLEET_EXAMPLE_PORT'] ?? 0);
const ports =
  base === 0
    ? { balancer: 8080, balancerAdmin: 2380, etcd: 2479, peer: 2480, admin: 2381, site: 8081 }
    : { balancer: base, balancerAdmin: base + 1, etcd: base + 2, peer: base + 3, admin: base + 4, site: base + 7 };
const members = ['one', 'two', 'three'];

const folder = mkdtempSync(join(tmpdir(), 'sluice-fleet-'));
/** @type {import('node:child_process').ChildProcess[]} */
const running = [];

/** Prints a line. @param {string} line */
function say(line) {
  process.stdout.write(`${line}\n`);
}

/**
 * Starts a program and writes its log to a file in the directory. @param {string} name @param {string} command @param
 * {string[]} args @param {Record<string, string>} env
 */
function start(name, command, args, env = {}) {
  const home = join(folder, name);
  mkdirSync(home);
  const own = { HOME: home, XDG_CONFIG_HOME: join(home, 'config'), XDG_DATA_HOME: join(home, 'data') };
  const child = spawn(command, args, { env: { ...process.env, ...own, ...env }, stdio: 'ignore' });
  child.on('exit', () => running.splice(running.indexOf(child), 1));
  running.push(child);
}

/** Waits until a port accepts connections. @param {number} port */
async function listens(port) {
  for (let i = 0; i < 1200; i++) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await sleep(50);
  }
  throw new Error(`nothing listens on port ${port}`);
}

/** Returns the load balancer's configuration. It forwards requests to any member that reports readiness. */
function balancer() {
  const upstreams = members.map((_, i) => ({ dial: `127.0.0.1:${ports.site + i}` }));
  const active = { uri: '/readyz', interval: '500ms', timeout: '1s' };
  const proxy = {
    handler: 'reverse_proxy',
    upstreams,
    load_balancing: { selection_policy: { policy: 'round_robin' }, try_duration: '2s' },
    health_checks: { active, passive: { fail_duration: '1s' } },
  };
  const server = {
    listen: [`127.0.0.1:${ports.balancer}`],
    automatic_https: { disable: true },
    routes: [{ handle: [proxy] }],
  };
  return { admin: { listen: `127.0.0.1:${ports.balancerAdmin}` }, apps: { http: { servers: { balancer: server } } } };
}

async function main() {
  if (spawnSync('etcd', ['--version']).status !== 0) {
    say("This example keeps the fleet's document in etcd, which is not installed on this machine.");
    say('Debian and Ubuntu: apt-get install etcd-server. Others: https://etcd.io/docs/latest/install/');
    return 1;
  }
  const [client, peer] = [`http://127.0.0.1:${ports.etcd}`, `http://127.0.0.1:${ports.peer}`];
  start('etcd', 'etcd', [
    ...['--data-dir', join(folder, 'etcd-data'), '--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', `default=${peer}`],
  ]);
  await listens(ports.etcd);
  for (const [i, name] of members.entries()) {
    const address = `etcd://127.0.0.1:${ports.etcd}/example`;
    const args = ['run', '--workers', '1', '--fleet', address, '--fleet-member', name, '--config', site];
    const own = {
      SERVER_ADMIN: `127.0.0.1:${ports.admin + i}`,
      FLEET_PORT: String(ports.site + i),
      FLEET_MEMBER: name,
    };
    start(name, process.execPath, [sluice, ...args], own);
    // The first member creates the fleet with its configuration. The other members load that configuration.
    await listens(ports.site + i);
  }
  const config = join(folder, 'balancer.json');
  writeFileSync(config, JSON.stringify(balancer()));
  start('balancer', process.execPath, [sluice, 'run', '--workers', '1', '--config', config]);
  await listens(ports.balancer);
  say(`Site: http://127.0.0.1:${ports.balancer}/ , served by ${members.join(', ')} in turn.`);
  for (const [i, name] of members.entries())
    say(`Admin endpoint of ${name}: http://127.0.0.1:${ports.admin + i}/fleet`);
  say('See examples/fleet/README.md for what to try. Press ^C to stop.');
  await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
  return 0;
}

try {
  process.exitCode = await main();
} finally {
  for (const child of running) child.kill('SIGTERM');
  for (let i = 0; i < 200 && running.length > 0; i++) await sleep(50);
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
