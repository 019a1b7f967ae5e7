/** Encryption levels (RFC 9001 §4), in the order of a handshake; OpenSSL has the same numbers. */
export const level = { initial: 0, early: 1, handshake: 2, application: 3 } as const;
