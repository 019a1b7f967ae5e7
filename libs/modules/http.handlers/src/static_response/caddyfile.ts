/** The directives `respond`, `redir` and `abort`. */
import { escapeHtml, isObject } from '@sluice/base';
import { alias, flag, handler, text, words, type Dispenser } from '@sluice/caddyfile';
import { textAndStatus } from '../common/text-and-status.ts';

const page = (to: string): string => `<!DOCTYPE html>
<html>
	<head>
		<title>Redirecting...</title>
		<script>window.location.replace("${to}");</script>
		<meta http-equiv="refresh" content="0; URL='${to}'">
	</head>
	<body>Redirecting to <a href="${to}">${to}</a>...</body>
</html>
`;

function redirectStatus(code: string, reader: Dispenser): number | string {
  if (code === 'permanent') return 301;
  if (code === 'temporary' || code === '') return 302;
  if (code.startsWith('{')) return code;
  if (!/^[+-]?\d+$/.test(code)) throw reader.error(`Not a supported redir code type or not valid integer: '${code}'`);
  const status = Number(code);
  if (status === 401 || (status >= 300 && status <= 399)) return status;
  throw reader.error(`Redir code not in the 3xx range or 401: '${status}'`);
}

export const respond = handler('static_response', {
  shown: ['<status>', '<body> [<status>]'],
  line: textAndStatus('body'),
  block: {
    body: alias(
      text('<text>', { once: 'body already specified' }),
      'Response body, as an alternative to the argument.',
    ),
    close: flag({ takes: 'lax', once: 'close already specified', help: 'Closes the connection after the response.' }),
  },
  help: 'Writes a fixed response. The body and status code may contain placeholders. Default status code: 200.',
  example: 'respond /health 204\nrespond <<HTML\n\t<h1>{host}</h1>\n\tHTML 200',
});

export const redir = handler('static_response', {
  line: {
    shown: '<to> [<status>|permanent|temporary|html]',
    read(reader, draft) {
      const to = reader.argument();
      const code = reader.nextArgument() ? reader.value : 'temporary';
      const isPage = code === 'html';
      if (isPage) draft.put(['body'], page(escapeHtml(to)));
      draft.put(['headers'], isPage ? { 'Content-Type': ['text/html; charset=utf-8'] } : { Location: [to] });
      draft.put(['status_code'], isPage ? 200 : redirectStatus(code, reader), true);
    },
    write(option, { headers, status_code: status, body }) {
      if (!isObject(headers)) return [];
      if (body !== undefined) {
        const [to] = /(?<=content="0; URL=')[^']*/.exec(String(body)) ?? [];
        return to === undefined ? [] : [{ words: [option, to, 'html'] }];
      }
      const code = status === 302 ? [] : status === 301 ? ['permanent'] : words(status);
      return [{ words: [option, ...words(headers['Location']), ...code] }];
    },
  },
  help: 'Redirects to another URI. Default status code: 302. `html` sends an HTML page that redirects, for clients that do not follow HTTP redirects.',
  example: 'redir /old /new permanent\nredir /docs https://docs.example.com{uri}',
});

export const abort = handler('static_response', {
  line: flag({ field: 'abort', takes: 'last' }),
  help: 'Closes the connection without a response.',
  example: '@scanners path *.asp *.cgi\nabort @scanners',
});
