/** OpenSSL and libc functions for TLS over TCP, resolved on first use. */
import { functionsOf, type Functions } from '../library.ts';

const signatures = {
  SSL_CTX_set_cipher_list: ['i', 'p', 's'],
  SSL_CTX_get_num_tickets: ['L', 'p'],
  SSL_CTX_set_tlsext_ticket_key_evp_cb: ['i', 'p', 'p'],
  SSL_set_bio: ['v', 'p', 'p', 'p'],
  SSL_write: ['i', 'p', 'p', 'i'],
  SSL_shutdown: ['i', 'p'],
  SSL_version: ['i', 'p'],
  SSL_CIPHER_standard_name: ['p', 'p'],
  SSL_get0_verified_chain: ['p', 'p'],
  BIO_new_bio_pair: ['i', 'p', 'L', 'p', 'L'],
  BIO_up_ref: ['i', 'p'],
  BIO_write: ['i', 'p', 'p', 'i'],
  BIO_nread0: ['i', 'p', 'p'],
  BIO_nread: ['i', 'p', 'p', 'i'],
  BIO_ctrl: ['l', 'p', 'i', 'l', 'p'],
  // The actual type is `size_t`.
  BIO_ctrl_pending: ['u', 'p'],
  EVP_EncryptInit_ex: ['i', 'p', 'p', 'p', 'p', 'p'],
  EVP_DecryptInit_ex: ['i', 'p', 'p', 'p', 'p', 'p'],
  EVP_MAC_CTX_set_params: ['i', 'p', 'p'],
  memcpy: ['p', 'p', 'p', 'L'],
  // The result is an `ssize_t`. Its lower half is sufficient for the sizes written here.
  write: ['i', 'i', 'p', 'L'],
} as const;

let resolved: Functions<typeof signatures> | null = null;

export function streamFunctions(): Functions<typeof signatures> {
  return (resolved ??= functionsOf(signatures));
}
