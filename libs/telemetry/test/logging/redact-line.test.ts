import { expect } from 'chai';
import { LogTail } from '@sluice/telemetry';

/** Returns a log line as subscribers receive it. */
function actual(line: string): string {
  const tail = new LogTail();
  const seen: string[] = [];
  tail.watch((_output, lines) => void seen.push(...lines));
  tail.written('stderr', 1, () => `${line}\n`);
  return seen.join('\n');
}

const headers = {
  'X-Api-Key': ['planted-1'],
  'X-Auth-Token': ['planted-2'],
  'X-Session': ['planted-3'],
  Accept: ['*/*'],
};
const request = { uri: '/private?token=planted-4&page=2&pass%77ord=planted-5#api_key=planted-6', headers };
const line = {
  ts: 1.5,
  msg: 'handled request to https://user:planted-7@example.com/',
  request,
  resp_headers: { 'Set-Cookie': ['a=planted-8'] },
  options: { client_secret: 'planted-9', credentials: { name: 'planted-10' } },
};

describe('log tail and secrets', () => {
  it('the log tail redacts fields, header fields, queries and URLs in JSON lines', () => {
    const text = actual(JSON.stringify(line));
    expect(text).to.not.contain('planted-');
    expect(JSON.parse(text)).to.have.nested.property('request.headers.Accept[0]', '*/*');
    expect(text).to.contain('/private?token=REDACTED&page=2&');
  });

  it('the log tail redacts lines in console format, even truncated lines', () => {
    const text = `1.5\tINFO\taccess\thandled https://user:planted-7@example.com/\t${JSON.stringify(line)}`;
    expect(actual(text)).to.contain('INFO\taccess').and.not.contain('planted-');
    expect(actual(text.slice(0, text.indexOf('planted-9') + 9))).to.not.match(/planted-[124-79]/);
  });

  it('the log tail redacts plain text lines', () => {
    expect(actual('login token=planted-1 X-Api-Key: planted-2 password="planted-3 and more" user=me')).to.equal(
      'login token=REDACTED X-Api-Key: REDACTED password="REDACTED" user=me',
    );
  });

  it('the log tail does not change lines without secrets', () => {
    for (const each of [
      '{"ts":1700000000.0,"size":12345678901234567890,"code":"ERR_X","state":"open","tokens":3}',
      '1.5\tINFO\tserving https://example.com/?page=1\t{"a": 1}',
      'key=value',
    ])
      expect(actual(each)).to.equal(each);
  });
});
