import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { silentLogger, type Logger } from '@sluice/base';
import { EngineProcess } from '../../src/waf/engine-process.ts';

describe('EngineProcess', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waf-test-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Writes a program that simulates the WAF engine. Returns the path of the program. */
  async function program(script: string): Promise<string> {
    const path = join(folder, 'engine');
    await writeFile(path, `#!/bin/sh\nread settings\necho "$settings" >> ${folder}/runs\n${script}`);
    await chmod(path, 0o755);
    return path;
  }

  const settings = (engine: string) => ({ engine, directives: 'SecRuleEngine On', include: [], load_owasp_crs: false });
  const runs = async (): Promise<string[]> => (await readFile(join(folder, 'runs'), 'utf8')).trim().split('\n');

  it('EngineProcess restarts an exited engine with the same rules and socket', async () => {
    const logged: string[] = [];
    const log: Logger = { ...silentLogger, info: () => undefined, error: (message) => void logged.push(message) };
    // This simulated engine exits only after its first start.
    const engine = await program('echo \'{"ready":true}\'\n[ $(wc -l < "${0%/*}/runs") = 1 ] && exit 3\nread rest\n');
    const started = await EngineProcess.start(settings(engine), log);
    while ((await runs()).length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(new Set(await runs()).size).to.equal(1);
    expect(JSON.parse((await runs())[1] ?? '')).to.deep.equal({
      directives: 'SecRuleEngine On',
      include: [],
      load_owasp_crs: false,
      socket: started.socket,
    });
    expect(logged).to.deep.equal(['web application firewall engine exited, restarting']);
    await started.close();
    expect(existsSync(dirname(started.socket))).to.equal(false);
  });

  it('EngineProcess waits longer before each restart of an engine that keeps exiting', async () => {
    const delays: unknown[] = [];
    const log: Logger = {
      ...silentLogger,
      info: () => undefined,
      error: (_message, fields) => void delays.push(fields?.['delay_ms']),
    };
    const started = await EngineProcess.start(settings(await program('echo \'{"ready":true}\'\nexit 3\n')), log);
    while (delays.length < 4) await new Promise((resolve) => setTimeout(resolve, 20));
    await started.close();
    expect(delays.slice(0, 4)).to.deep.equal([200, 400, 800, 1600]);
    expect(started).to.include({ lastExit: '3', isRunning: false });
  });

  it("EngineProcess.start rejects with the engine's error, and does not restart the engine", async () => {
    const engine = await program('echo \'{"error":"unknown directive"}\'\nexit 1\n');
    const failure = await EngineProcess.start(settings(engine), silentLogger).catch((error: unknown) => error);
    expect(String(failure)).to.contain('unknown directive');
    expect(await runs()).to.have.length(1);
  });

  it('EngineProcess logs engine messages at their original level', async () => {
    const logged: string[] = [];
    const log: Logger = {
      ...silentLogger,
      error: (message) => void logged.push(`error ${message}`),
      warn: (message) => void logged.push(`warn ${message}`),
    };
    const engine = await program(
      'echo \'{"level":"error","message":"a"}\'\necho \'{"level":"warn","message":"b"}\'\necho \'{"ready":true}\'\nread rest\n',
    );
    await (await EngineProcess.start(settings(engine), log)).close();
    expect(logged).to.deep.equal(['error a', 'warn b']);
  });
});
