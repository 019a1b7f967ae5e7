import { escapeHtml, escapeXml } from '@sluice/base';
import { expect } from 'chai';

describe('escapeHtml and escapeXml', () => {
  it('escapeHtml escapes the characters that end content or an attribute value, and keeps all others', () => {
    expect(escapeHtml(`<a b="c" d='e'>&amp;\r\n\0ü`)).to.equal('&lt;a b=&#34;c&#34; d=&#39;e&#39;&gt;&amp;amp;\r\n\0ü');
  });

  it('escapeXml also escapes carriage returns, and replaces characters that XML 1.0 does not permit', () => {
    expect(escapeXml(`<&>"'\t\r\n`)).to.equal("&lt;&amp;&gt;&quot;'\t&#13;\n");
    expect(escapeXml('\0\x1b\ud800\ufffe\u{1f600}')).to.equal('\ufffd\ufffd\ufffd\ufffd\u{1f600}');
  });
});
