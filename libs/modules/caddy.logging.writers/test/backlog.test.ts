import { expect } from 'chai';
import { Backlog } from '../src/net/backlog.ts';

/** Takes the queued text for sending and returns it. */
function sent(backlog: Backlog, now: number): string {
  let text = '';
  backlog.send((piece) => (text += piece), now);
  return text;
}

/** Sends a line every 10 ms from 10,000 to 11,990. The connection is confirmed alive after each line. */
function busy(): Backlog {
  const backlog = new Backlog(1000);
  for (let now = 10_000; now < 12_000; now += 10) {
    backlog.add(`${now}\n`, 1);
    sent(backlog, now);
    backlog.settle(now, 0);
  }
  return backlog;
}

function linesFrom(first: number): string {
  let text = '';
  for (let now = first; now < 12_000; now += 10) text += `${now}\n`;
  return text;
}

describe('Backlog of caddy.logging.writers.net', () => {
  it('Backlog sends queued text once and in order, and rejects text beyond the limit', () => {
    const backlog = new Backlog(5);
    expect(['a\n', 'b\n', 'c\n'].map((text) => backlog.add(text, 1))).to.deep.equal([true, true, false]);
    expect(backlog.waitingLines).to.equal(2);
    expect([sent(backlog, 1), sent(backlog, 2), backlog.waitingLines]).to.deep.equal(['a\nb\n', '', 0]);
    expect(backlog.add('c\n', 1)).to.equal(true);
  });

  it('Backlog requeues the text sent in the last 100 ms if the peer had read all text', () => {
    const backlog = busy();
    backlog.requeue(0, 'late');
    expect(sent(backlog, 20_000)).to.equal(linesFrom(11_900));
  });

  it('Backlog requeues all text sent since the connection was last known to be alive, regardless of its age', () => {
    const backlog = busy();
    backlog.add('late\n', 1);
    sent(backlog, 15_000);
    backlog.requeue(0, 'late');
    expect(sent(backlog, 20_000)).to.equal(`${linesFrom(11_900)}late\n`);
  });

  it('Backlog requeues the text sent in the last second if the peer had unread text', () => {
    const backlog = busy();
    backlog.requeue(0, 'unread');
    expect(sent(backlog, 20_000)).to.equal(linesFrom(11_000));
  });

  it('Backlog keeps unsent and queued text regardless of its age', () => {
    const backlog = new Backlog(1000);
    for (const text of ['a\n', 'b\n', 'c\n']) {
      backlog.add(text, 1);
      sent(backlog, 1);
    }
    backlog.settle(100_000, 3);
    backlog.add('d\n', 1);
    backlog.requeue(3, 'late');
    expect([backlog.waitingLines, sent(backlog, 100_001)]).to.deep.equal([3, 'b\nc\nd\n']);
  });

  it('Backlog keeps at most 4 MiB of sent text, but always the last 100 ms', () => {
    const backlog = new Backlog(100 * 1024 * 1024);
    const mebibyte = 'x'.repeat(1024 * 1024);
    const remembered = (now: number): number => {
      for (let i = 0; i < 8; i++) {
        backlog.add(mebibyte, 1);
        sent(backlog, 10_000);
      }
      backlog.settle(now, 0);
      backlog.requeue(0, 'unread');
      const { length } = sent(backlog, 1);
      backlog.settle(200_000, 0);
      return length / mebibyte.length;
    };
    expect([remembered(10_050), remembered(10_500)]).to.deep.equal([8, 4]);
  });
});
