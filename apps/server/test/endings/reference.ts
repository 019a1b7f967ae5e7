/** Runs Caddy as a server under test. */
import { spawn, type ChildProcess } from 'node:child_process';
import { commandOf, freePort } from '@sluice/testing';
import { until, type Sandbox } from '../support/sandbox.ts';
import { send } from '../support/server.ts';
import { configuration, writeFile, type Played } from './endings.ts';

/** Path of the Caddy executable, or `null` if it is not in PATH. */
export const referenceCommand = commandOf('caddy');

/** A Caddy process. */
export class ReferenceServer implements Played {
  readonly admin: number;
  readonly http: number;
  readonly log: string;
  readonly #child: ChildProcess;

  private constructor({ admin, http, log }: Played, child: ChildProcess) {
    this.admin = admin;
    this.http = http;
    this.log = log;
    this.#child = child;
  }

  /** Starts Caddy with both upstreams. The `caddy` command must exist. */
  static async start(sandbox: Sandbox, upstreams: readonly string[]): Promise<ReferenceServer> {
    const played = { admin: await freePort(), http: await freePort(), log: sandbox.path('reference/log') };
    const file = await sandbox.write('reference/config.json', configuration(played, upstreams));
    await writeFile(played);
    const home = sandbox.path('reference');
    // Caddy supports extended CONNECT (RFC 8441) only with this environment variable.
    const environment = { GODEBUG: 'http2xconnect=1', HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home };
    const child = spawn(referenceCommand as string, ['run', '--config', file], {
      stdio: 'ignore',
      env: { ...process.env, ...environment },
    });
    const isReady = (): Promise<boolean> =>
      send(played.admin, '/config/').then(
        ({ status }) => status === 200,
        () => false,
      );
    await until(isReady, 'the reference', 20_000);
    return new ReferenceServer(played, child);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('close', resolve));
    this.#child.kill();
    await ended;
  }
}
