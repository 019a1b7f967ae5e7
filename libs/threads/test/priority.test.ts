import { spawnSync } from 'node:child_process';
import { expect } from 'chai';

/** Tests in a child process whether priorities can be raised. In this process, a lowered priority might be permanent. */
function mayPrefer(): boolean {
  if (process.platform !== 'linux') return false;
  return spawnSync(process.execPath, ['-e', 'os.setPriority(-1)']).status === 0;
}

/** Runs a script in a separate process and returns its output. A separate process is needed because priorities apply to whole threads. */
function printed(script: string): string {
  const from = JSON.stringify(new URL('../src/priority.ts', import.meta.url).href);
  const code = `import os from 'node:os'; import { spawnSync } from 'node:child_process';
    const { atOriginalPriority, preferThisThread } = await import(${from}); ${script}`;
  // Disables colors, because they would appear in the output, including in numbers that a nested process prints.
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
    // Disables coverage, because the user of the child process may not write it.
    env: { ...process.env, FORCE_COLOR: '0', NODE_V8_COVERAGE: '' },
  });
  return stdout.trim() + stderr;
}

describe('preferThisThread', () => {
  it('preferThisThread raises the priority once, and starts child threads at the original priority', function () {
    if (!mayPrefer()) this.skip();
    const script = `
      const child = () => Number(spawnSync(process.execPath, ['-p', 'os.getPriority()']).stdout);
      const before = os.getPriority();
      preferThisThread(); preferThisThread();
      console.log(before - os.getPriority(), before - atOriginalPriority(child), before - child(), before - os.getPriority());`;
    expect(printed(script)).to.equal('5 0 5 5');
  });

  it('preferThisThread has no effect if the process lacks permission', () => {
    const script = `
      const before = os.getPriority();
      if (process.getuid?.() === 0) { process.setgid(65534); process.setuid(65534); }
      preferThisThread();
      console.log(before - os.getPriority(), atOriginalPriority(() => 'done'));`;
    expect(printed(script)).to.equal('0 done');
  });
});
