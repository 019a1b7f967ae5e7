/** Encryption levels (RFC 9001 §4) in handshake order. OpenSSL uses the same numbers. */
export const level = { initial: 0, early: 1, handshake: 2, application: 3 } as const;
