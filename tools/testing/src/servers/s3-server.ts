/** Runs an S3 server (`versitygw`) on a loopback address, with data in a temporary directory. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../machine.ts';

/** True if versitygw is installed. */
export const hasS3: boolean = spawnSync('versitygw', ['--version']).status === 0;

export class S3Server {
  readonly port: number;
  readonly #folder: string;
  readonly #process: ChildProcess;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.port = port;
    const env = { ...process.env, ROOT_ACCESS_KEY: 'id', ROOT_SECRET_KEY: 'secret' };
    this.#process = spawn('versitygw', ['--port', `127.0.0.1:${port}`, 'posix', folder], { env, stdio: 'ignore' });
  }

  static async start(): Promise<S3Server> {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-s3-'));
    await mkdir(join(folder, 'certificates'));
    const server = new S3Server(folder, await freePort());
    for (let i = 0; !(await listens(server.port)); i++) {
      if (i > 200 || server.#process.exitCode !== null) throw new Error('versitygw did not start');
      await sleep(50);
    }
    return server;
  }

  async stop(): Promise<void> {
    const gone = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await gone;
    await rm(this.#folder, { recursive: true, force: true });
  }
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  return once(socket, 'connect')
    .then(
      () => true,
      () => false,
    )
    .finally(() => socket.destroy());
}
