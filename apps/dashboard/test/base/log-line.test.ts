import { expect } from 'chai';
import { matchesFilters, parseLogLine, type LogFilters, type LogLine } from '../../src/page/base/log-line.ts';

const received = { id: 1, output: 'stderr', at: 5 };
const none: LogFilters = { level: '', logger: '', host: '', method: '', status: '', path: '', slower: '', find: '' };
const request = { method: 'GET', host: 'shop.example.com', uri: '/cart?id=1' };
const access = {
  level: 'info',
  ts: 1795819990.206,
  logger: 'http.log.access',
  msg: 'handled request',
  request,
  duration: 0.0125,
  status: 502,
};

function parsed(text: string): LogLine {
  return parseLogLine(text, received);
}

describe('dashboard log lines', () => {
  it('parseLogLine reads the columns of an access log in JSON', () => {
    const { text, fields, ...columns } = parsed(JSON.stringify(access));
    expect(columns).to.deep.equal({
      id: 1,
      output: 'stderr',
      time: 1795819990206,
      level: 'info',
      logger: 'http.log.access',
      message: 'handled request',
      host: 'shop.example.com',
      method: 'GET',
      status: 502,
      milliseconds: 12.5,
      path: '/cart?id=1',
    });
    expect(fields).to.deep.equal(access);
    expect(JSON.parse(text)).to.deep.equal(access);
  });

  it('parseLogLine reads the console format', () => {
    const fields = { request, status: 200, duration: '1.5ms' };
    const line = parsed(`2026/11/27 22:53:10.206\tWARN\thttp.log.access\thandled request\t${JSON.stringify(fields)}`);
    expect([line.level, line.logger, line.message, line.host, line.milliseconds]).to.deep.equal([
      'warn',
      'http.log.access',
      'handled request',
      'shop.example.com',
      1.5,
    ]);
    expect(parsed('2026/11/27 22:53:10.206\tINFO\tserving').message).to.equal('serving');
  });

  it('parseLogLine reads logfmt', () => {
    const line = parsed('ts=1795819990.2 level=error msg="no \\"route\\"" request.host=a.example.com status=404');
    expect([line.level, line.message, line.host, line.status]).to.deep.equal([
      'error',
      'no "route"',
      'a.example.com',
      404,
    ]);
  });

  it('parseLogLine keeps unparseable lines with the time at which they were received', () => {
    for (const text of ['', 'panic: out of memory', '{"level":', '[1,2]', 'null', '{"ts":"soon"}']) {
      const line = parsed(text);
      expect([text, line.text, line.time]).to.deep.equal([text, text, 5]);
    }
  });

  it('parseLogLine parses times in seconds, milliseconds, nanoseconds, and text', () => {
    for (const ts of [1795819990.206, 1795819990206, 1795819990206000000, '2026-11-27T22:53:10.206Z'])
      expect(Math.round(parsed(JSON.stringify({ ts })).time)).to.be.closeTo(1795819990206, 1);
  });

  it('matchesFilters compares each column according to its type', () => {
    const line = parsed(JSON.stringify(access));
    const matches: readonly (readonly [filters: Partial<LogFilters>, expected: boolean])[] = [
      [{}, true],
      [{ status: '5xx' }, true],
      [{ status: '4xx' }, false],
      [{ status: '502' }, true],
      [{ status: '50' }, true],
      [{ level: 'warn' }, false],
      [{ level: 'debug' }, true],
      [{ host: 'SHOP' }, true],
      [{ host: 'shop.example.com', status: '5xx' }, true],
      [{ host: 'blog', status: '5xx' }, false],
      [{ method: 'get' }, true],
      [{ method: 'ge' }, false],
      [{ path: '/cart' }, true],
      [{ logger: 'access' }, true],
      [{ slower: '12' }, true],
      [{ slower: '13' }, false],
      [{ find: 'handled' }, true],
      [{ find: 'missing' }, false],
    ];
    for (const [filters, expected] of matches)
      expect([filters, matchesFilters(line, { ...none, ...filters })]).to.deep.equal([filters, expected]);
    expect(matchesFilters(parsed('{"msg":"x"}'), { ...none, status: '5xx' })).to.equal(false);
  });
});
