/** A member in the certificate trial. It runs in a separate process. */
import { spawn, type ChildProcess } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { until } from '../until.ts';
import type { Told } from './stopping-storage.ts';

const program = fileURLToPath(new URL('holder-process.ts', import.meta.url));

/** Running member processes, which are killed when this process exits. */
const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export class Holder {
  readonly told: Told[] = [];
  readonly #port: number;
  readonly #child: ChildProcess;
  #errors = '';

  private constructor(port: number, child: ChildProcess) {
    this.#port = port;
    this.#child = child;
    child.stderr?.on('data', (text) => (this.#errors += String(text)));
  }

  /** Starts a member that serves TLS on a port. Resolves when it is ready. */
  static async start(port: number, config: unknown): Promise<Holder> {
    const child = spawn(process.execPath, [...process.execArgv, program, JSON.stringify(config)], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    running.add(child);
    child.once('exit', () => running.delete(child));
    const holder = new Holder(port, child);
    let serves = false;
    createInterface(child.stdout).on('line', (line) => {
      if (!line.startsWith('{')) return;
      const reported = JSON.parse(line) as Told | { readonly serves: true };
      if ('serves' in reported) serves = true;
      else holder.told.push(reported);
    });
    await until(() => {
      if (child.exitCode !== null) throw new Error(`a member has exited:\n${holder.#errors}`);
      return serves;
    }, 'a member is serving');
    return holder;
  }

  /** Returns the warnings and errors that the member has logged. */
  get errors(): string {
    return this.#errors;
  }

  /** Makes the member manage a certificate for a name. */
  want(name: string): void {
    this.#child.stdin?.write(`${name}\n`);
  }

  /** Reports whether the member has reported an event. */
  hasReported(reported: Told): boolean {
    const text = JSON.stringify(reported);
    return this.told.some((each) => JSON.stringify(each) === text);
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** Returns the fingerprint of the certificate that the member presents for a name, or `null` if there is none. */
  async shows(name: string): Promise<string | null> {
    const socket = connect({ host: '127.0.0.1', port: this.#port, servername: name, rejectUnauthorized: false });
    try {
      await once(socket, 'secureConnect', { signal: AbortSignal.timeout(5000) });
      const shown = socket.getPeerX509Certificate();
      return shown === undefined ? null : new X509Certificate(shown.raw).fingerprint256;
    } catch {
      return null;
    } finally {
      socket.destroy();
    }
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }
}
