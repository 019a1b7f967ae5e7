import { expect } from 'chai';
import { loadContentTypes } from '../../src/file_server/content-type.ts';

describe('http.handlers.file_server content types', () => {
  const types: readonly [path: string, type: string | null][] = [
    ['/a/index.html', 'text/html; charset=utf-8'],
    ['/a/UPPER.HTML', 'text/html; charset=utf-8'],
    ['x.js', 'text/javascript; charset=utf-8'],
    ['x.mjs', 'text/javascript; charset=utf-8'],
    ['x.json', 'application/json'],
    ['x.xml', 'text/xml; charset=utf-8'],
    ['x.svg', 'image/svg+xml'],
    ['x.ico', 'image/vnd.microsoft.icon'],
    ['x.tar.gz', 'application/gzip'],
    ['x.mp4', 'video/mp4'],
    ['x.webm', 'video/webm'],
    ['x.woff2', 'font/woff2'],
    ['x.wasm', 'application/wasm'],
    ['x.webmanifest', 'application/manifest+json'],
    ['x.md', 'text/markdown; charset=utf-8'],
    ['x.map', null],
    ['x.unknownext', null],
    ['/a.html/x', null],
    ['noext', null],
    ['/.hidden', null],
    ['x.', null],
    ['x.constructor', null],
  ];
  for (const [path, type] of types) {
    it(`the content type of ${path} is ${type}`, async () => {
      expect((await loadContentTypes())(path)).to.equal(type);
    });
  }
});
