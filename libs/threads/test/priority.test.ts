import { spawnSync } from 'node:child_process';
import { expect } from 'chai';

/** Whether this process may prefer a thread; a child tries, as a priority that was given up may be gone. */
function mayPrefer(): boolean {
  if (process.platform !== 'linux') return false;
  return spawnSync(process.execPath, ['-e', 'os.setPriority(-1)']).status === 0;
}

/** What a process of its own prints: priorities are those of whole threads. */
function printed(script: string): string {
  const from = JSON.stringify(new URL('../src/priority.ts', import.meta.url).href);
  const code = `import os from 'node:os'; import { spawnSync } from 'node:child_process';
    const { atUsualPriority, preferThisThread } = await import(${from}); ${script}`;
  // Colours would be in what is printed, and in the numbers that a further process prints.
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
    // Coverage would be written by a user who may not.
    env: { ...process.env, FORCE_COLOR: '0', NODE_V8_COVERAGE: '' },
  });
  return stdout.trim() + stderr;
}

describe('priority of threads', () => {
  it('prefers a thread once, but not what it starts at the usual priority', function () {
    if (!mayPrefer()) this.skip();
    const script = `
      const child = () => Number(spawnSync(process.execPath, ['-p', 'os.getPriority()']).stdout);
      const before = os.getPriority();
      preferThisThread(); preferThisThread();
      console.log(before - os.getPriority(), before - atUsualPriority(child), before - child(), before - os.getPriority());`;
    expect(printed(script)).to.equal('5 0 5 5');
  });

  it('leaves a thread as it is where it may not', () => {
    const script = `
      const before = os.getPriority();
      if (process.getuid?.() === 0) { process.setgid(65534); process.setuid(65534); }
      preferThisThread();
      console.log(before - os.getPriority(), atUsualPriority(() => 'done'));`;
    expect(printed(script)).to.equal('0 done');
  });
});
