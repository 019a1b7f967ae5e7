/** What the directive `basic_auth` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const basicAuth: Description = {
  syntax: ['basic_auth [<matcher>] [<algorithm> [<realm>]]'],
  summary:
    'Requires a user name and password (RFC 7617). Each line is a user name and a password hash from `sluice hash-password`. Default algorithm: `bcrypt`.',
  example: `:8080 {
	basic_auth /private/* {
		ada $2a$14$Zkx19XLiW6VYouLHR5NmfOFU0z2GTNmpkT/5qqR7hx4IjWJPDhjvG
	}
	respond "hello {http.auth.user.id}"
}
`,
};

export const basicauth: Description = {
  syntax: ['basicauth [<matcher>] [<algorithm> [<realm>]]'],
  summary: 'Deprecated name of `basic_auth`.',
  example: `:8080 {
	basicauth /private/* {
		ada $2a$14$Zkx19XLiW6VYouLHR5NmfOFU0z2GTNmpkT/5qqR7hx4IjWJPDhjvG
	}
	respond "hello {http.auth.user.id}"
}
`,
};
