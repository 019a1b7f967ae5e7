import { expect } from 'chai';
import { LogTail } from '@sluice/telemetry';

describe('LogTail', () => {
  it('LogTail passes on at most a thousand lines per second, and counts the remaining lines', () => {
    let now = 0;
    const tail = new LogTail(() => now);
    let [actual, dropped, made] = [0, 0, 0];
    const end = tail.watch((_output, lines, missed) => {
      actual += lines.length;
      dropped += missed;
    });
    const write = (count: number): void =>
      tail.written('stderr', count, () => {
        made++;
        return 'line\n'.repeat(count);
      });
    write(600);
    write(600);
    expect([actual, dropped]).to.deep.equal([1000, 200]);
    write(5000);
    expect([actual, dropped, made]).to.deep.equal([1000, 5200, 2]);
    now = 1000;
    write(1);
    expect([actual, dropped]).to.deep.equal([1001, 5200]);
    end();
    expect(tail.isWatched).to.equal(false);
  });

  it('LogTail truncates very long lines', () => {
    const tail = new LogTail(() => 0);
    const seen: string[] = [];
    tail.watch((_output, lines) => void seen.push(...lines));
    tail.written('stderr', 2, () => `${'x'.repeat(10_000)}\nshort\n`);
    expect(seen.map(({ length }) => length)).to.deep.equal([8192, 5]);
  });
});
