import { expect } from 'chai';
import { createLogger, type LogEntry } from '@sluice/base';
import { LogRouter } from '@sluice/telemetry';
import type { LogOutput } from '@sluice/contracts';
import { reportProcessWarnings } from '../../src/logging/process-warnings.ts';

describe('warnings of the Node process', () => {
  it('process warnings go to the logs, or to the configured sink', async () => {
    const entries: LogEntry[] = [];
    const written: string[] = [];
    const router = new LogRouter({ enabled: () => true, write: (entry) => void entries.push(entry) });
    const end = reportProcessWarnings(router, createLogger(router, 'process'));
    const sink: LogOutput = { write: (text) => void written.push(text), close: () => undefined };
    const warn = async (text: string): Promise<void> => {
      process.emit('warning', Object.assign(new Error(text), { name: 'TestWarning' }));
      await Promise.resolve();
    };
    try {
      await warn('first');
      router.use([], sink);
      await warn('second');
    } finally {
      end();
    }
    expect(entries.map(({ level, logger, message }) => [level, logger, message])).to.deep.equal([
      ['warn', 'process', 'first'],
    ]);
    expect(written.map((line) => (JSON.parse(line) as { msg: string }).msg)).to.deep.equal(['second']);
  });
});
