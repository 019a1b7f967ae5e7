import { STATUS_CODES } from 'node:http';
import { expect } from 'chai';
import { statusText } from '../src/status-text.ts';

/** Reason phrases that differ between Caddy and Node. An empty string means that there is none. */
const others: Readonly<Record<number, string>> = {
  413: 'Request Entity Too Large',
  414: 'Request URI Too Long',
  416: 'Requested Range Not Satisfiable',
  418: "I'm a teapot",
  509: '',
};

describe('http1 statusText', () => {
  it("statusText returns Node's phrases, except where Caddy differs", () => {
    for (let status = 0; status < 1000; status++)
      expect(statusText(status)).to.equal(others[status] ?? STATUS_CODES[status] ?? '');
  });
});
