/** `layer4.matchers.dns`: matches DNS queries by their question. */
import type { SafeRegExp } from '@sluice/base';
import { compileLayer4Text, layer4Matchers, type Layer4Connection, type Layer4Template } from '@sluice/layer4-app';
import { boolean, defineModule, list, options, string, type Context, type Options } from '@sluice/registry';
import { pattern } from '../common/patterns.ts';
import { readQuery, type DnsQuestion } from './message.ts';

const ruleOptions = options({
  class: string('Query class to match, such as `IN`.'),
  class_regexp: string('Regular expression that the query class must match.'),
  name: string('Fully qualified domain name to match, in lowercase and with a trailing dot, such as `example.com.`.'),
  name_regexp: string('Regular expression that the domain name must match.'),
  type: string('Record type to match, such as `A` or `MX`.'),
  type_regexp: string('Regular expression that the record type must match.'),
});

/** Matches a question. */
type Rule = (question: DnsQuestion, connection: Layer4Connection) => boolean;

/** Size of the length prefix of DNS messages over TCP, in bytes (RFC 1035 §4.2.2). */
const lengthSize = 2;

export const dnsModule = defineModule(layer4Matchers, {
  name: 'dns',
  effect: 'pure',
  help: 'Matches DNS queries over UDP and TCP. Rules select queries by class, domain name and record type.',
  config: options({
    allow: list(
      'Rules for queries to match. A rule applies to a query if all fields set in the rule match.',
      ruleOptions,
    ),
    deny: list('Rules for queries to exclude.', ruleOptions),
    default_deny: boolean('Do not match queries to which no rule applies.'),
    prefer_allow: boolean(
      'Match queries to which both an `allow` and a `deny` rule apply. Default: they do not match.',
    ),
  }),
  provision(config, context) {
    const allow = (config.allow ?? []).map((rule, index) => compileRule(rule, context, 'allow', index));
    const deny = (config.deny ?? []).map((rule, index) => compileRule(rule, context, 'deny', index));
    const byDefault = defaultOf(config.default_deny === true, allow.length > 0, deny.length > 0);
    const preferAllow = config.prefer_allow === true;
    const accepts = (question: DnsQuestion, connection: Layer4Connection): boolean => {
      const isAllowed = allow.some((rule) => rule(question, connection));
      const isDenied = deny.some((rule) => rule(question, connection));
      if (isAllowed && isDenied) return preferAllow;
      return isAllowed || (!isDenied && byDefault);
    };
    return {
      match(connection, bytes, end) {
        let start = 0;
        let last = end;
        if (connection.transport !== 'udp') {
          if (end < lengthSize) return null;
          start = lengthSize;
          last = lengthSize + bytes.readUInt16BE(0);
          if (end > last) return false;
          if (end < last) return mayBeQuery(bytes, end) ? null : false;
        } else if (end === 0) return null;
        const questions = readQuery(bytes, start, last);
        return questions !== null && questions.every((question) => accepts(question, connection));
      },
    };
  },
});

/**
 * Returns the result for queries to which no rule applies. Such a query matches, unless queries are denied by default or only listed
 * queries are allowed.
 */
function defaultOf(denied: boolean, hasAllow: boolean, hasDeny: boolean): boolean {
  return !denied && (hasDeny || !hasAllow);
}

/** Reports whether an incomplete message may become a DNS query: it has questions and is not a response. */
function mayBeQuery(bytes: Buffer, end: number): boolean {
  const length = bytes.readUInt16BE(0);
  if (length < 17) return false;
  if (end > 4 && ((bytes[4] as number) & 0x80) !== 0) return false;
  return end < 8 || bytes.readUInt16BE(6) > 0;
}

function compileRule(rule: Options<typeof ruleOptions> | null, context: Context, ...at: (string | number)[]): Rule {
  const part = (key: keyof DnsQuestion, text: string, expression: string): Rule => {
    const template: Layer4Template | null = text === '' ? null : compileLayer4Text(text, 'empty');
    const regexp: SafeRegExp | null = expression === '' ? null : pattern(expression, context, ...at, `${key}_regexp`);
    return (question, connection) =>
      (template === null || template.expand(connection) === question[key]) &&
      (regexp === null || regexp.test(question[key]));
  };
  const parts = [
    part('class', rule?.class ?? '', rule?.class_regexp ?? ''),
    part('name', rule?.name ?? '', rule?.name_regexp ?? ''),
    part('type', rule?.type ?? '', rule?.type_regexp ?? ''),
  ];
  return (question, connection) => parts.every((matches) => matches(question, connection));
}
