/** What the directive `basic_auth` says of itself. */
import type { Description } from '@sluice/caddyfile/contribute';

export const basicAuth: Description = {
  syntax: ['basic_auth [<matcher>] [<algorithm> [<realm>]]'],
  summary:
    'Asks for a name and a password (RFC 7617). Its lines are names, with hashes that `sluice hash-password` makes; `bcrypt` where no algorithm is named.',
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
  summary: 'The old name of `basic_auth`.',
  example: `:8080 {
	basicauth /private/* {
		ada $2a$14$Zkx19XLiW6VYouLHR5NmfOFU0z2GTNmpkT/5qqR7hx4IjWJPDhjvG
	}
	respond "hello {http.auth.user.id}"
}
`,
};
