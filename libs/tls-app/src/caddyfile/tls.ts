/** The directive `tls [internal | force_automate | EMAIL | CERTIFICATE KEY] { … }`: TLS settings of a site. */
import { handler, issuersFor, tlsPiles, type ConfigValue, type DirectiveReader } from '@sluice/caddyfile';
import { TlsDraft } from './tls-draft.ts';
import { readTlsBlock, tlsOptions } from './tls-options.ts';

/** Parses the directive and returns its values for the site. */
function readTls(reader: DirectiveReader): readonly ConfigValue[] {
  const draft = new TlsDraft();
  const words = reader.remaining();
  const [first, second] = words;
  if (words.length > 2) throw reader.argumentError();
  if (first !== undefined && second !== undefined) {
    draft.certificate = { certificate: first, key: second };
  } else if (first === 'internal') {
    draft.isInternal = true;
  } else if (first === 'force_automate') {
    draft.add(tlsPiles.forceAutomate, true);
  } else if (first !== undefined) {
    if (!first.includes('@')) {
      throw reader.error("single argument must either be 'internal', 'force_automate', or an email address");
    }
    draft.email = first;
    draft.acmeIssuers = issuersFor(first);
  }
  if (!readTlsBlock(draft, reader) && first === undefined) throw reader.argumentError();
  return draft.finish(reader);
}

export const tls = handler(
  '',
  {
    shown: ['[internal|force_automate|<email>]', '<certificate> <key>'],
    matcher: false,
    block: tlsOptions,
    help: 'Configures TLS for a site: certificate files, issuers and connection settings.',
    within: ['example.com'],
    example: 'tls ada@example.com {\n\tprotocols tls1.3\n}\nrespond hi',
  },
  { directive: readTls },
);
