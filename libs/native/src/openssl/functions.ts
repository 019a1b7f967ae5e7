/** Required functions of OpenSSL 3.5, resolved on first use. */
import { functionsOf, textAt, type Functions } from '../library.ts';

const signatures = {
  OPENSSL_version_major: ['u'],
  OPENSSL_version_minor: ['u'],
  ERR_get_error: ['L'],
  ERR_clear_error: ['v'],
  ERR_reason_error_string: ['p', 'L'],
  // Ciphers
  EVP_CIPHER_fetch: ['p', 'p', 's', 's'],
  EVP_CIPHER_CTX_new: ['p'],
  EVP_CIPHER_CTX_free: ['v', 'p'],
  EVP_CIPHER_CTX_ctrl: ['i', 'p', 'i', 'i', 'p'],
  EVP_CipherInit_ex: ['i', 'p', 'p', 'p', 'p', 'p', 'i'],
  EVP_EncryptInit: ['i', 'p', 'p', 'p', 'p'],
  EVP_EncryptUpdate: ['i', 'p', 'p', 'p', 'p', 'i'],
  EVP_EncryptFinal_ex: ['i', 'p', 'p', 'p'],
  EVP_DecryptInit: ['i', 'p', 'p', 'p', 'p'],
  EVP_DecryptUpdate: ['i', 'p', 'p', 'p', 'p', 'i'],
  EVP_DecryptFinal_ex: ['i', 'p', 'p', 'p'],
  EVP_Cipher: ['i', 'p', 'p', 'p', 'u'],
  // Certificates and keys
  BIO_new_mem_buf: ['p', 'p', 'i'],
  BIO_free: ['i', 'p'],
  PEM_read_bio_X509: ['p', 'p', 'p', 'p', 'p'],
  PEM_read_bio_PrivateKey: ['p', 'p', 'p', 'p', 'p'],
  X509_free: ['v', 'p'],
  i2d_X509: ['i', 'p', 'p'],
  EVP_PKEY_free: ['v', 'p'],
  // Contexts
  TLS_server_method: ['p'],
  TLS_client_method: ['p'],
  SSL_CTX_new: ['p', 'p'],
  SSL_CTX_free: ['v', 'p'],
  SSL_CTX_ctrl: ['l', 'p', 'i', 'l', 'p'],
  SSL_CTX_set_options: ['L', 'p', 'L'],
  SSL_CTX_set_ciphersuites: ['i', 'p', 's'],
  SSL_CTX_use_certificate: ['i', 'p', 'p'],
  SSL_CTX_use_PrivateKey: ['i', 'p', 'p'],
  SSL_CTX_set_num_tickets: ['i', 'p', 'L'],
  SSL_CTX_set_session_id_context: ['i', 'p', 's', 'u'],
  SSL_CTX_set_alpn_select_cb: ['v', 'p', 'p', 'p'],
  SSL_CTX_set_verify: ['v', 'p', 'i', 'p'],
  SSL_CTX_set_default_verify_paths: ['i', 'p'],
  SSL_CTX_get_cert_store: ['p', 'p'],
  SSL_CTX_add_client_CA: ['i', 'p', 'p'],
  SSL_CTX_callback_ctrl: ['l', 'p', 'i', 'p'],
  SSL_CTX_set_keylog_callback: ['v', 'p', 'p'],
  X509_STORE_add_cert: ['i', 'p', 'p'],
  // Sessions
  SSL_new: ['p', 'p'],
  SSL_free: ['v', 'p'],
  SSL_ctrl: ['l', 'p', 'i', 'l', 'p'],
  SSL_get_peer_cert_chain: ['p', 'p'],
  OPENSSL_sk_num: ['i', 'p'],
  OPENSSL_sk_value: ['p', 'p', 'i'],
  X509_verify_cert_error_string: ['p', 'l'],
  CRYPTO_malloc: ['p', 'L', 's', 'i'],
  SSL_set_accept_state: ['v', 'p'],
  SSL_set_connect_state: ['v', 'p'],
  SSL_set_alpn_protos: ['i', 'p', 'p', 'u'],
  SSL_set1_host: ['i', 'p', 's'],
  SSL_do_handshake: ['i', 'p'],
  SSL_read: ['i', 'p', 'p', 'i'],
  SSL_get_error: ['i', 'p', 'i'],
  SSL_session_reused: ['i', 'p'],
  SSL_get_current_cipher: ['p', 'p'],
  SSL_CIPHER_get_protocol_id: ['u', 'p'],
  SSL_get0_alpn_selected: ['v', 'p', 'p', 'p'],
  SSL_get1_peer_certificate: ['p', 'p'],
  SSL_get_verify_result: ['l', 'p'],
  SSL_set_quic_tls_cbs: ['i', 'p', 'p', 'p'],
  SSL_set_quic_tls_transport_params: ['i', 'p', 'p', 'L'],
  // Functions for session resumption and early data
  SSL_set_quic_tls_early_data_enabled: ['i', 'p', 'i'],
  SSL_CTX_set_allow_early_data_cb: ['v', 'p', 'p', 'p'],
  SSL_CTX_set_session_ticket_cb: ['i', 'p', 'p', 'p', 'p'],
  SSL_CTX_sess_set_new_cb: ['v', 'p', 'p'],
  SSL_SESSION_set1_ticket_appdata: ['i', 'p', 'p', 'L'],
  SSL_SESSION_get0_ticket_appdata: ['i', 'p', 'p', 'p'],
  SSL_SESSION_free: ['v', 'p'],
  SSL_get_session: ['p', 'p'],
  SSL_set_shutdown: ['v', 'p', 'i'],
  SSL_set_session: ['i', 'p', 'p'],
} as const;

let resolved: Functions<typeof signatures> | null = null;

/** Returns all functions. Throws if the process contains no OpenSSL or a version older than 3.5. */
export function openssl(): Functions<typeof signatures> {
  if (resolved !== null) return resolved;
  const functions = functionsOf(signatures);
  const version = functions.OPENSSL_version_major() * 100 + functions.OPENSSL_version_minor();
  if (version < 305)
    throw new Error(`OpenSSL ${version / 100} does not support QUIC callbacks; 3.5 or later is required`);
  resolved = functions;
  return functions;
}

/** Creates an error that contains OpenSSL's reasons. Clears OpenSSL's error queue, because `node:crypto` shares it. */
export function opensslError(what: string): Error {
  const { ERR_get_error, ERR_reason_error_string } = openssl();
  const reasons: string[] = [];
  for (let code = ERR_get_error(); code !== 0n; code = ERR_get_error()) {
    const reason = textAt(ERR_reason_error_string(code));
    reasons.push(reason === '' ? `error ${code.toString(16)}` : reason);
  }
  return new Error(reasons.length === 0 ? what : `${what}: ${reasons.join('; ')}`);
}
