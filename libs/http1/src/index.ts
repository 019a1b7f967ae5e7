/** HTTP/1.1 on the wire, for servers and clients alike: bytes, field lines, chunks, heads of requests and responses. */
export { carriageReturn, lineFeed } from './byte-classes.ts';
export { ChunkDecoder } from './chunk-decoder.ts';
export { composeHead, type ComposedHead } from './composed-head.ts';
export { dateLine, dateValue } from './date.ts';
export { incomplete, refused } from './field-parser.ts';
export { HeadParser, expectsContinue, expectsOther } from './head-parser.ts';
export { HeaderMap } from './header-map.ts';
export { dropTwins, isIrregular } from './kept-names.ts';
export { badRequest, emptyHost, expectationFailed, refusalText, serverOptionsResponse } from './refusal.ts';
export type { RequestHead } from './request-head.ts';
export { fieldLines, fieldNames, responseField, safeValue, upgradePrefix } from './response-fields.ts';
export { framingOf, keepAliveTimeout, persists } from './response-framing.ts';
export { ResponseParser } from './response-parser.ts';
export { statusLine } from './status-lines.ts';
export { statusText } from './status-text.ts';
export { isHost, parseOriginForm, type Target } from './target.ts';
export { notInTrailers } from './trailer-parser.ts';
