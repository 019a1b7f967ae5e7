/** Runs Traefik with the Docker provider, to compare how labels are interpreted. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '@sluice/testing';

/** Traefik's command: SLUICE_TRAEFIK, or `traefik` on PATH; `null` if it does not run. */
export function findTraefik(): string | null {
  const command = process.env['SLUICE_TRAEFIK'] || 'traefik';
  return spawnSync(command, ['version'], { timeout: 20_000 }).status === 0 ? command : null;
}

export class Traefik {
  readonly port: number;
  readonly #child: ChildProcess;
  #output = '';

  private constructor(port: number, child: ChildProcess) {
    this.port = port;
    this.#child = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#output += text));
  }

  /** @param socket Path of the container engine's socket. */
  static async start(command: string, socket: string): Promise<Traefik> {
    const port = await freePort();
    const args = [
      '--global.checknewversion=false',
      '--global.sendanonymoususage=false',
      `--entrypoints.web.address=127.0.0.1:${port}`,
      `--providers.docker.endpoint=unix://${socket}`,
      '--providers.docker.exposedbydefault=true',
      '--providers.providersthrottleduration=20ms',
      '--log.level=WARN',
      '--log.nocolor=true',
    ];
    return new Traefik(port, spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] }));
  }

  /** Log lines that Traefik has written so far. */
  get output(): string {
    return this.#output;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
