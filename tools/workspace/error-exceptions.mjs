/**
 * Files and directories whose errors need no code, with the reason. Either the error never leaves its package, or the package catches it
 * and throws an error with a code.
 * @type {Readonly<Record<string, string>>}
 */
export const exceptions = {
  'apps/server/src/cli/commands/storage-import.ts': 'converted to ERR_COMMAND where the archive is read',
  'apps/server/src/persistence/past.ts': 'caught by its caller: the file is set aside, with a warning',
  'apps/server/src/workers/traffic-thread.ts': 'terminates a script that was started by hand',
  'libs/acme/src/client/obtain.ts':
    'the next challenge is tried; if none is left, the cause is thrown, which has a code',
  'libs/acme/src/server/validation/': 'converted to a problem document, ERR_ACME',
  'libs/admin-api/src/access/certificates.ts': 'the section adds the path: ERR_CONFIG',
  'libs/admin-api/src/access/tokens.ts': 'the section adds the path: ERR_CONFIG',
  'libs/admin-api/src/http/body.ts': 'the client disconnected: the response is dropped',
  'libs/base/src/collections/bounded.ts': 'a bug in the caller: a fault, reported with its stack',
  'libs/base/src/json/json-text.ts': 'converted to ERR_ADMIN_BODY or ERR_COMMAND where text is read',
  'libs/base/src/network/socket-file.ts': 'converted to ERR_LISTEN or ERR_ADMIN_ADDRESS where sockets are bound',
  'libs/tls-app/src/termination/native-tls.ts':
    'the error that the system reports for a closed socket, handled by the engines',
  'libs/base/src/regexp/parse.ts': 'indicates that RE2 must handle the pattern',
  'libs/caddyfile/src/loaded.ts': 'indicates that a syntax must be loaded first',
  'libs/reconciler/src/changes/adapt-config.ts':
    'converted to ERR_ADAPTER in the same file, like other errors from adapters',
  'libs/http-app/src/engine/': 'a bug in a handler: a fault, logged with its source location like any other',
  'libs/http-app/src/listener/bind.ts': 'converted to ERR_LISTEN where it is thrown',
  'libs/http-app/src/placeholders/der.ts': 'a certificate that no library accepts: a fault of the request that uses it',
  'libs/http-app/src/server/server.ts': 'a bug in a handler: a fault, logged with its source location like any other',
  'libs/http1/src/header-map.ts': 'a bug in the caller: a fault, reported with its stack',
  'libs/language-server/src/': 'the editor connection converts it to a protocol error',
  'libs/modules/caddy.adapters/src/': 'contract of adapters: the reconciler converts their errors to ERR_ADAPTER',
  'libs/modules/caddy.logging.writers/src/common/line-queue.ts':
    'the queue counts the lines as dropped and logs the cause',
  'libs/modules/caddy.logging.writers/src/net/stream-output.ts': 'the listener of the same socket logs it',
  'libs/modules/http.handlers/src/file_server/lookup.ts': 'indicates that a file must be waited for',
  'libs/modules/http.handlers/src/reverse_proxy/health/health-request.ts':
    'the reason of a failed check, logged by its caller',
  'libs/modules/http.handlers/src/templates/': 'text-template converts errors from functions to ERR_TEMPLATE_EXECUTION',
  'libs/modules/http.handlers/src/tracing/export-transport.ts': 'for the OpenTelemetry library, which logs it',
  'libs/modules/http.handlers/src/waf/':
    'converted to ERR_CONFIG when the module is provisioned, or to the status of a response',
  'libs/modules/http.matchers/src/expression/': 'the CEL library converts errors from functions to evaluation errors',
  'libs/modules/http.reverse_proxy/src/transport/http/': 'converted to ERR_UPSTREAM before the caller sees it',
  'libs/modules/tls.issuance/src/acme/account/account-store.ts':
    'caught by its caller: the account is registered again',
  'libs/modules/tls.issuance/src/acme/challenges/tls-alpn.ts': 'ends a handshake of the challenge server',
  'libs/text-template/src/': 'converted to a TemplateError where a template is parsed or executed',
  'libs/native/src/': 'HTTP/3 is rejected with this reason, or it is a fault of one connection: a bug in the caller',
  'libs/quic/src/': 'a bug in this package: a fault, which closes one connection with INTERNAL_ERROR',
  'libs/tls-app/src/termination/parse-hello.ts': 'caught in the same file: not a ClientHello',
};
