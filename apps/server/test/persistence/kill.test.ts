import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { silentLogger } from '@sluice/base';
import { FileStore } from '../../src/persistence/file-store.ts';

const writer = fileURLToPath(new URL('./writer.ts', import.meta.url));
const foldersPerProcess = 10;

/** Runs a writer process and kills it at a random time. Returns the last started and the last acknowledged change for each directory. */
async function killedWriter(folders: readonly string[]): Promise<{ begun: number[]; safe: number[] }> {
  const child = spawn(process.execPath, ['--conditions=@sluice/source', writer, ...folders], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const begun = folders.map(() => 0);
  const safe = folders.map(() => 0);
  let text = '';
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  // Kills the process while it writes changes, regardless of how long they take.
  await new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.split('\n').length > 8 * folders.length) resolve();
    });
    child.once('exit', () => resolve());
  });
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 80));
  child.kill('SIGKILL');
  await ended;
  for (const line of text.split('\n').slice(0, -1)) {
    const [kind, index, value] = [line[0], Number(line[1]), Number(line.slice(3))];
    (kind === 'b' ? begun : safe)[index] = value;
  }
  return { begun, safe };
}

/** Saves once more, as a restarted server would, and checks that no other files remain. */
async function continueAfter(folder: string): Promise<void> {
  const store = new FileStore({ folder, log: silentLogger });
  await store.save({ value: -1 });
  await store.close();
  expect(await readdir(folder)).to.deep.equal(['autosave.json']);
  expect((await new FileStore({ folder, log: silentLogger }).resume())?.document).to.deep.equal({ value: -1 });
}

describe('FileStore and kill -9', () => {
  it('FileStore resumes with the last acknowledged or a later change after 50 kills at random times', async function () {
    this.timeout(60_000);
    await killAndResume(5);
  });

  it('FileStore resumes with the last acknowledged or a later change after 200 kills at random times @long', async function () {
    this.timeout(120_000);
    await killAndResume(20);
  });

  async function killAndResume(processes: number): Promise<void> {
    const root = await mkdtemp(join(tmpdir(), 'sluice-kill-'));
    let saved = 0;
    for (let i = 0; i < processes; i++) {
      const folders = Array.from({ length: foldersPerProcess }, (_, folder) => join(root, `${i}-${folder}`));
      const { begun, safe } = await killedWriter(folders);
      for (const [index, folder] of folders.entries()) {
        const resumed = await new FileStore({ folder, log: silentLogger }).resume();
        const value = (resumed?.document as { value?: number } | undefined)?.value ?? 0;
        expect(value, `folder ${folder}, safe ${safe[index]}, begun ${begun[index]}`).to.be.within(
          safe[index]!,
          begun[index]!,
        );
        expect(resumed?.warnings ?? []).to.deep.equal([]);
        await continueAfter(folder);
        saved += safe[index]!;
      }
    }
    expect(saved).to.be.greaterThan(processes * foldersPerProcess);
    await rm(root, { recursive: true });
  }
});
