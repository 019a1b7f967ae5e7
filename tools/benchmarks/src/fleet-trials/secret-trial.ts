/**
 * Fleet trial of secrets. If a document refers to secrets with placeholders, the secrets must not leave the machines. The store, logs,
 * saved files and the admin API must never contain them.
 */
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ask } from './admin-client.ts';
import type { StoreEngine } from './engines/index.ts';
import { says, startFleet, type Fleet } from './fleet-of-members.ts';
import type { MemberProcess } from './member-process.ts';
import { settle } from './observe.ts';
import { until } from './until.ts';

/** Admin API paths whose responses are searched for secrets. */
const adminPaths = ['/fleet', '/fleet/history', '/fleet/events', '/config/', '/metrics'];

/** Time spent reading each event stream, in milliseconds. */
const timeout = 1500;

export interface SecretPlan {
  readonly seed: number;
  readonly secrets: number;
  /** Number of routes in the document. The store compresses documents over 256 KiB and splits them into parts. */
  readonly routes: number;
  /** Number of changes. After 256 changes, the store contains a snapshot. */
  readonly changes: number;
}

/** Parameters of the full secret trial. */
export const fullSecretPlan: SecretPlan = { seed: 1, secrets: 20, routes: 3000, changes: 300 };

export interface SecretReport {
  readonly planted: number;
  /** Number of secrets that the members' responses contained. It proves that the secrets were in use. */
  readonly used: number;
  /** Searched places, with their sizes in bytes. */
  readonly places: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

/** A secret, with the placeholder that refers to it in the document. */
interface Secret {
  readonly value: string;
  readonly placeholder: string;
}

/** Runs the secret trial with a fleet store. The store keeps running after the trial. `command` starts the server. */
export async function trySecrets(
  engine: StoreEngine,
  command: readonly string[],
  plan: SecretPlan,
): Promise<SecretReport> {
  const vault = await mkdtemp(join(tmpdir(), 'sluice-vault-'));
  try {
    const { secrets, env } = await plant(vault, plan.secrets);
    const plain = `plain-${randomUUID()}`;
    const routes = secrets.map(({ placeholder }, i) =>
      says(placeholder, { '@id': `secret-${i}`, match: [{ host: [`secret-${i}.test`] }] }),
    );
    const many = Array.from({ length: plan.routes }, (_, i) =>
      says(`site ${i} ${'-'.repeat(40)}`, { match: [{ host: [`site-${i}.test`] }] }),
    );
    const fleet = await startFleet({
      command,
      members: 3,
      address: () => engine.address(`secrets-${plan.seed}`),
      env: () => env,
      document: { routes: [...routes, ...many, says(plain)] },
    });
    try {
      return await lookFor(secrets, plain, { engine, fleet, plan });
    } finally {
      await fleet.stop();
    }
  } finally {
    await rm(vault, { recursive: true });
  }
}

/** Writes half of the secrets to environment variables, and the other half to files. */
async function plant(
  vault: string,
  count: number,
): Promise<{ readonly secrets: readonly Secret[]; readonly env: Readonly<Record<string, string>> }> {
  const secrets: Secret[] = [];
  const env: Record<string, string> = {};
  for (let i = 0; i < count; i++) {
    const value = `planted-${randomUUID()}`;
    if (i % 2 === 0) {
      env[`PLANTED_${i}`] = value;
      secrets.push({ value, placeholder: `{env.PLANTED_${i}}` });
    } else {
      const path = join(vault, `secret-${i}`);
      await writeFile(path, value);
      secrets.push({ value, placeholder: `{file.${path}}` });
    }
  }
  return { secrets, env };
}

/** State of one secret trial. */
interface Trial {
  readonly engine: StoreEngine;
  readonly fleet: Fleet;
  readonly plan: SecretPlan;
}

async function lookFor(secrets: readonly Secret[], plain: string, trial: Trial): Promise<SecretReport> {
  const { engine, fleet, plan } = trial;
  const [first, second, third] = fleet.members as [MemberProcess, MemberProcess, MemberProcess];
  let used = 0;
  for (const [i, { value }] of secrets.entries())
    if ((await ask(second.httpPort, { path: '/', headers: { host: `secret-${i}.test` } })).text === value) used++;
  for (let i = 0; i < plan.changes; i++)
    await first
      .ask({ method: 'PUT', path: '/id/secret-0/terminal', body: i % 2 === 0 })
      .then(() => (i % 2 === 0 ? null : first.ask({ method: 'DELETE', path: '/id/secret-0/terminal' })));
  // Stop the store, because the trial must also search the logs of an outage. During the outage, one member restarts, and another member
  // rejects a change.
  const back = await engine.takeAway();
  await third.kill();
  await third.run();
  await first.ask({ method: 'PATCH', path: '/id/secret-0/terminal', body: true });
  await back();
  await until(
    async () => (await settle(fleet.members)).every(({ applied, known }) => applied === known),
    'all members are back',
  );
  const places = new Map<string, string>([['the store', unpacked(await engine.dump())]]);
  for (const member of fleet.members) {
    places.set(`the log of ${member.name}`, await member.log());
    places.set(`the files of ${member.name}`, await filesOf(join(fleet.folder, member.name)));
    for (const path of adminPaths) places.set(`${path} of ${member.name}`, await saidBy(member, path));
  }
  const found = [...places].flatMap(([place, text]) =>
    secrets.filter(({ value }) => text.includes(value)).map(({ placeholder }) => `${placeholder} is in ${place}`),
  );
  return {
    planted: secrets.length,
    used,
    places: Object.fromEntries([...places].map(([place, text]) => [place, text.length])),
    problems: [
      ...found,
      ...(used === secrets.length ? [] : [`${secrets.length - used} secrets were not served, so they were not in use`]),
      // Verify the search itself: it must find a public string of the document, and would therefore also find a secret.
      ...(places.get('the store')?.includes(plain) === true ? [] : ['the store dump contains no document']),
    ],
  };
}

/** Returns the stored strings, including those that were compressed and split into parts. */
function unpacked(values: readonly Buffer[]): string {
  const packed = Buffer.concat(values.filter((value) => value[0] === 0x1f && value[1] === 0x8b));
  const texts = values.map((value) => value.toString());
  return [...texts, ...(packed.length === 0 ? [] : [gunzipSync(packed).toString()])].join('\n');
}

async function filesOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return (await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1')))).join(
    '\n',
  );
}

/** Returns a member's response at an admin API path. Reads only the beginning of endless streams. */
function saidBy({ adminPort }: MemberProcess, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = request({ host: '127.0.0.1', port: adminPort, path, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      const end = setTimeout(() => call.destroy(), timeout);
      response.on('close', () => {
        clearTimeout(end);
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${path}: ${response.statusCode} ${text}`));
      });
    });
    call.on('error', reject);
    call.end();
  });
}
