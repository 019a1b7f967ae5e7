/** `layer4.matchers.socks4`: matches connections of SOCKS 4 clients (https://www.openssh.com/txt/socks4.protocol). */
import { expandRequired } from '@sluice/base';
import { layer4Matchers } from '@sluice/layer4-app';
import { defineModule, integers, options, strings } from '@sluice/registry';
import { compiledRanges } from '../common/ranges.ts';

const version = 4;
const commands: Readonly<Record<string, number>> = { CONNECT: 1, BIND: 2 };
const headSize = 8;

export const socks4Module = defineModule(layer4Matchers, {
  name: 'socks4',
  effect: 'pure',
  help: 'Matches SOCKS4 connections by command and destination.',
  config: options({
    commands: strings('Accepted commands: CONNECT, BIND. Default: both.'),
    networks: strings('Accepted destination IP addresses and CIDR ranges. Default: any.'),
    ports: integers('Accepted destination ports. Default: any.'),
  }),
  provision(config, context) {
    const names = config.commands?.length ? config.commands : Object.keys(commands);
    const codes = new Set(
      names.map((name, index) => {
        const code = commands[expandRequired(name).toUpperCase()];
        if (code === undefined) throw context.error(`unknown command ${JSON.stringify(name)}`, 'commands', index);
        return code;
      }),
    );
    const contains = config.networks?.length ? compiledRanges(config.networks, context, 'networks') : null;
    const ports = config.ports?.length ? new Set(config.ports) : null;
    return {
      match(_, bytes, end) {
        if (end > 0 && bytes[0] !== version) return false;
        if (end > 1 && !codes.has(bytes[1] as number)) return false;
        if (end < headSize) return null;
        if (ports !== null && !ports.has(bytes.readUInt16BE(2))) return false;
        return contains === null || contains([...bytes.subarray(4, 8)].join('.'));
      },
    };
  },
});
