import { expect } from 'chai';
import fc from 'fast-check';
import { escapeXml } from '@sluice/base';
import { parseDocument, serialize } from '../../src/webdav/xml.ts';

const parse = (text: string) => parseDocument(Buffer.from(text));

describe('WebDAV XML', () => {
  it('parseDocument resolves prefixes and default namespaces, and supports undeclaring a default namespace', () => {
    const root = parse('<a xmlns="urn:1" xmlns:p="urn:2"><p:b/><c xmlns=""/><d xmlns:p="urn:3"><p:e/></d></a>');
    const names = root.children.map(({ namespace, name }) => `${namespace} ${name}`);
    expect([root.namespace, ...names]).to.deep.equal(['urn:1', 'urn:2 b', ' c', 'urn:1 d']);
    expect(root.children[2]?.children[0]?.namespace).to.equal('urn:3');
  });

  it('parseDocument reads UTF-16 with a byte order mark', () => {
    expect(parseDocument(Buffer.from('\ufeff<a>ü</a>', 'utf16le')).text).to.equal('ü');
    expect(() => parseDocument(Buffer.from([0x3c, 0xff, 0x3e]))).to.throw('not valid XML');
  });

  it('serialize() writes an element so that it keeps its namespaces and content in another document', () => {
    const text = fc.string({ unit: 'grapheme' });
    const uri = fc.constantFrom('urn:a', 'urn:b&<>"', 'DAV:');
    fc.assert(
      fc.property(uri, uri, text, text, (outer, inner, content, value) => {
        const [escaped, attribute] = [escapeXml(content), escapeXml(value.replaceAll(/[\t\n]/g, ' '))];
        const property = `<p:v a="${attribute}" p:b=""><d>${escaped}</d><q:e xmlns:q="${escapeXml(inner)}"/></p:v>`;
        const document = parse(`<x xmlns="DAV:" xmlns:p="${escapeXml(outer)}" xml:lang="de">${property}</x>`);
        const [original] = document.children;
        if (original === undefined) throw new Error('the document has no property');
        const copied = parse(`<y xmlns:z="z">${serialize(original, 10_000)}</y>`).children[0];
        expect(copied?.namespace).to.equal(outer);
        expect(copied?.language).to.equal('de');
        expect(copied?.source.attributes['a']).to.equal(original.source.attributes['a']);
        expect(copied?.children.map(({ namespace, name, text: inside }) => [namespace, name, inside])).to.deep.equal([
          ['DAV:', 'd', original.children[0]?.text],
          [inner, 'e', ''],
        ]);
      }),
    );
  });

  it('escapeXml makes any text valid XML', () => {
    const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
    fc.assert(
      fc.property(fc.string({ unit }), (text) => {
        expect(parse(`<a b="${escapeXml(text)}">${escapeXml(text)}</a>`).name).to.equal('a');
      }),
    );
  });

  it('parseDocument returns an element or throws status 400 for any bytes', () => {
    const pieces = [
      '<',
      '>',
      '/',
      'a',
      ':',
      'xmlns',
      '=',
      '"',
      '&',
      ';',
      '#',
      '!',
      '--',
      '[CDATA[',
      ']]',
      '?',
      ' ',
      '\0',
      '\xff',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), (parts) => {
        try {
          parseDocument(Buffer.from(`<a>${parts.join('')}</a>`, 'latin1'));
        } catch (error) {
          expect(error).to.include({ status: 400 });
        }
      }),
      { numRuns: 2000 },
    );
  });
});
