import { expect } from 'chai';
import fc from 'fast-check';
import { register } from '@sluice/caddy.logging.encoders';
import { logEncoders } from '@sluice/contracts';
import type { LogEntry } from '@sluice/base';
import { provisionNamed } from '@sluice/testing';
import { formatJson, formatText } from '../../src/logging/format.ts';
import { TerminalSink } from '../../src/logging/terminal-sink.ts';

const entry: LogEntry = {
  time: 1_700_000_000_123,
  level: 'warn',
  logger: 'http',
  message: 'a "message"',
  fields: { count: 2, path: '/x y' },
};

describe('formatJson', () => {
  it("formatJson uses Caddy's field names, with the time in seconds", () => {
    expect(JSON.parse(formatJson(entry))).to.deep.equal({
      level: 'warn',
      ts: 1_700_000_000.123,
      logger: 'http',
      msg: 'a "message"',
      count: 2,
      path: '/x y',
    });
    expect(formatJson({ ...entry, logger: '', fields: {} })).to.equal(
      String.raw`{"level":"warn","ts":1700000000.123,"msg":"a \"message\""}`,
    );
  });

  it('formatJson returns a single line of JSON for any fields (property)', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.anything({ withBigInt: true, withDate: true, withMap: true })),
        fc.string(),
        (fields, message) => {
          const line = formatJson({ ...entry, message, fields });
          expect(line).not.to.include('\n');
          expect(() => JSON.parse(line) as unknown).not.to.throw();
        },
      ),
    );
  });

  it('fields cannot override the message or level in formatJson', () => {
    const line = formatJson({ ...entry, fields: { msg: 'other', level: 'info', ts: 1 } });
    expect(JSON.parse(line)).to.deep.equal({
      level: 'warn',
      ts: 1_700_000_000.123,
      logger: 'http',
      msg: 'a "message"',
    });
  });

  it('formatJson supports circular fields', () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(() => JSON.parse(formatJson({ ...entry, fields: { circle } })) as unknown).not.to.throw();
  });
});

describe('formatText', () => {
  it('formatText returns human-readable text', () => {
    expect(formatText(false)(entry)).to.equal(
      '2023/11/14 22:13:20.123\tWARN\thttp\ta "message"\t{"count": 2, "path": "/x y"}',
    );
  });

  it('formatText equals the default console encoder on a terminal', async () => {
    const { instance, close } = await provisionNamed(logEncoders, 'console', {}, { register: [register] });
    for (const [logger, fields] of [
      ['http', entry.fields],
      ['', {}],
      ['a', { deep: { list: [1, { x: null }], big: 5n } }],
    ] as const) {
      const other = { ...entry, logger, fields };
      expect(`${formatText(true)(other)}\n`).to.equal(instance.encode(other));
    }
    await close();
  });

  it('formatText escapes control characters', () => {
    const line = formatText(false)({ ...entry, message: 'a\nb', fields: { uri: '/\u001b[2J' } });
    expect(line)
      .to.contain('a\\x0ab\t')
      .and.not.match(/[\n\u001b]/);
  });

  it('formatText uses colors only on request', () => {
    expect(formatText(true)(entry)).to.include('\u001b[33mWARN');
    expect(formatText(false)(entry)).not.to.include('\u001b');
  });
});

describe('TerminalSink', () => {
  it('TerminalSink writes one line for each entry at or above its minimum level', () => {
    const lines: string[] = [];
    const sink = new TerminalSink({
      level: 'info',
      format: ({ message }) => message,
      write: (line) => lines.push(line),
    });
    expect(sink.enabled('debug')).to.equal(false);
    expect(sink.enabled('info')).to.equal(true);
    sink.write(entry);
    expect(lines).to.deep.equal(['a "message"\n']);
  });
});
