/** Options about TLS of the transport `http`. */
import { moduleObject, readDuration, type Dispenser } from '@sluice/caddyfile';
import type { Json } from '@sluice/base';

/** Reads an option into `tls`; false if there is none of that name. */
export function readTlsOption(option: string, tls: Record<string, Json>, reader: Dispenser): boolean {
  switch (option) {
    case 'tls':
      return true;
    case 'tls_client_auth':
      readClient(tls, reader);
      return true;
    case 'tls_insecure_skip_verify':
      reader.noArguments();
      tls['insecure_skip_verify'] = true;
      return true;
    case 'tls_curves':
      tls['curves'] = reader.arguments();
      return true;
    case 'tls_timeout':
      tls['handshake_timeout'] = readDuration(reader, reader.argument(), 'timeout');
      return true;
    case 'tls_trusted_ca_certs':
      reader.modules.warn(
        reader.token,
        "The 'tls_trusted_ca_certs' field is deprecated. Use the 'tls_trust_pool' field instead.",
      );
      tls['root_ca_pem_files'] = reader.arguments();
      return true;
    case 'tls_server_name':
      tls['server_name'] = reader.argument();
      return true;
    case 'tls_renegotiation':
      readRenegotiation(tls, reader);
      return true;
    case 'tls_except_ports':
      tls['except_ports'] = reader.arguments();
      return true;
    case 'tls_trust_pool': {
      const name = reader.argument();
      if (tls['ca'] !== undefined) throw reader.error('cannot specify "tls_trust_pool" twice in caddyfile');
      tls['ca'] = moduleObject('provider', name, reader.module(`tls.ca_pool.source.${name}`));
      return true;
    }
    default:
      return false;
  }
}

function readClient(tls: Record<string, Json>, reader: Dispenser): void {
  const [first = '', second, ...more] = reader.remaining();
  if (first === '' || more.length > 0) throw reader.argumentError();
  if (second === undefined) {
    tls['client_certificate_automate'] = first;
  } else {
    tls['client_certificate_file'] = first;
    tls['client_certificate_key_file'] = second;
  }
}

function readRenegotiation(tls: Record<string, Json>, reader: Dispenser): void {
  const value = reader.argument();
  if (value !== 'never' && value !== 'once' && value !== 'freely') throw reader.argumentError();
  tls['renegotiation'] = value;
}
