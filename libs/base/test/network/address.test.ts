import {
  expandPorts,
  formatNetworkAddress,
  isDatagramNetwork,
  joinHostPort,
  listenerKey,
  parseNetworkAddress,
  portCount,
  splitHostPort,
  unixSocketPath,
} from '@sluice/base';
import { expect } from 'chai';
import fc from 'fast-check';

describe('network address functions', () => {
  const read: [string, string, string, number, number, (number | null)?][] = [
    [':80', 'tcp', '', 80, 80],
    ['127.0.0.1:80', 'tcp', '127.0.0.1', 80, 80],
    ['localhost:2019', 'tcp', 'localhost', 2019, 2019],
    ['localhost', 'tcp', 'localhost', 0, 0],
    ['127.0.0.1:', 'tcp', '127.0.0.1', 0, 0],
    ['', 'tcp', '', 0, 0],
    ['/', 'tcp', '', 0, 0],
    ['/127.0.0.1:80', 'tcp', '127.0.0.1', 80, 80],
    ['tcp/', 'tcp', '', 0, 0],
    ['tcp/:80', 'tcp', '', 80, 80],
    ['TCP4/:80', 'tcp4', '', 80, 80],
    [' tcp /:80', 'tcp', '', 80, 80],
    ['udp/127.0.0.1:53', 'udp', '127.0.0.1', 53, 53],
    ['plugin+x/host:1', 'plugin+x', 'host', 1, 1],
    [':8000-8010', 'tcp', '', 8000, 8010],
    [':8000-8000', 'tcp', '', 8000, 8000],
    [':0', 'tcp', '', 0, 0],
    [':65535', 'tcp', '', 65535, 65535],
    ['127.0.0.1:08080', 'tcp', '127.0.0.1', 8080, 8080],
    ['[::1]:80', 'tcp', '::1', 80, 80],
    ['[::]:443', 'tcp', '::', 443, 443],
    ['[::1]', 'tcp', '::1', 0, 0],
    ['::1', 'tcp', '::1', 0, 0],
    ['::ffff:127.0.0.1', 'tcp', '::ffff:127.0.0.1', 0, 0],
    ['fe80::1%eth0', 'tcp', 'fe80::1%eth0', 0, 0],
    ['[fe80::1%eth0]:80', 'tcp', 'fe80::1%eth0', 80, 80],
    ['[127.0.0.1]:80', 'tcp', '127.0.0.1', 80, 80],
    ['[]:80', 'tcp', '', 80, 80],
    ['unix//run/a.sock', 'unix', '/run/a.sock', 0, 0],
    ['UNIX//run/a.sock', 'unix', '/run/a.sock', 0, 0],
    ['unix/a.sock', 'unix', 'a.sock', 0, 0],
    ['unix//run/a.sock:80', 'unix', '/run/a.sock:80', 0, 0],
    ['unix//run/a.sock|0222', 'unix', '/run/a.sock', 0, 0, 0o222],
    ['unix//run/a.sock|660', 'unix', '/run/a.sock', 0, 0, 0o660],
    ['unix//run/a.sock|01777', 'unix', '/run/a.sock', 0, 0, 0o1777],
    ['unix/@name', 'unix', '@name', 0, 0],
    ['unixgram//run/a.sock', 'unixgram', '/run/a.sock', 0, 0],
    ['unixpacket//run/a.sock', 'unixpacket', '/run/a.sock', 0, 0],
    ['fd/3', 'fd', '3', 0, 0],
    ['fdgram/4', 'fdgram', '4', 0, 0],
  ];
  for (const [text, network, host, startPort, endPort, mode = null] of read) {
    it(`parseNetworkAddress parses ${JSON.stringify(text)}`, () => {
      expect(parseNetworkAddress(text)).to.deep.equal({ network, host, startPort, endPort, mode });
    });
  }

  const refused: [string, RegExp][] = [
    ['::1:28080', /too many colons.*in brackets/],
    ['127.0.0.1:80:1', /too many colons/],
    ['[::1:80', /after "\["/],
    ['[::1]80', /after "\["/],
    ['::1]:80', /too many colons/],
    ['a]:80', /misplaced bracket/],
    [':8083-8080', /must not be lower than the first/],
    [':8080-', /"" is not a port number/],
    [':-8080', /"" is not a port number/],
    [':1-2-3', /"2-3" is not a port number/],
    [':65536', /"65536" is not a port number from 0 to 65535/],
    [':http', /"http" is not a port number/],
    [':+80', /"\+80" is not a port number/],
    [':0x10', /"0x10" is not a port number/],
    ['127.0.0.1:80 ', /"80 " is not a port number/],
    [' 127.0.0.1:80', /" 127.0.0.1" is not a host/],
    ['a b:80', /"a b" is not a host/],
    ['*:80', /omit the host for all interfaces/],
    ['{env.HOST}:80', /"\{env.HOST\}" is not a host/],
    ['tcp/a/b', /"a\/b" is not a host/],
    ['http://127.0.0.1:80', /"http:" is not a network.*not a URL/],
    ['127.0.0.1:80/', /"127.0.0.1:80" is not a network/],
    ['unix/', /socket path is missing/],
    ['unix/a\0b', /contains a NUL/],
    ['unix//a|', /octal permission bits such as 0222/],
    ['unix//a|0999', /octal permission bits/],
    ['unix//a|u=rw', /octal permission bits/],
    ['unix//a|77777777777', /octal permission bits/],
    ['unix//a|b|0222', /octal permission bits/],
    ['unix//a|0444', /owner of a socket needs write permission/],
    ['fd/', /not a file descriptor/],
    ['fd/x', /not a file descriptor/],
    ['fd/-1', /not a file descriptor/],
    ['fd/3:80', /not a file descriptor/],
  ];
  for (const [text, message] of refused) {
    it(`parseNetworkAddress rejects ${JSON.stringify(text)}`, () =>
      expect(() => parseNetworkAddress(text)).to.throw(message));
  }

  it('parseNetworkAddress uses the default network and port if they are missing', () => {
    const defaults = { network: 'udp', port: 443 };
    expect(parseNetworkAddress('localhost', defaults)).to.deep.include({
      network: 'udp',
      startPort: 443,
      endPort: 443,
    });
    expect(parseNetworkAddress('tcp/localhost:80', defaults)).to.deep.include({ network: 'tcp', startPort: 80 });
  });

  it('expandPorts expands a range into single ports', () => {
    const address = parseNetworkAddress('localhost:8000-8002');
    expect(portCount(address)).to.equal(3);
    expect(expandPorts(address).map(formatNetworkAddress)).to.deep.equal([
      'localhost:8000',
      'localhost:8001',
      'localhost:8002',
    ]);
    expect(expandPorts(parseNetworkAddress('unix//a'))).to.have.length(1);
  });

  const keys: [string, string][] = [
    [':80', 'tcp/:80'],
    ['tcp/:80', 'tcp/:80'],
    ['[::]:80', 'tcp/:80'],
    ['0.0.0.0:80', 'tcp/:80'],
    ['tcp4/:80', 'tcp4/:80'],
    ['127.0.0.1:80', 'tcp/127.0.0.1:80'],
    ['LocalHost:080', 'tcp/localhost:80'],
    ['[0:0::1]:80', 'tcp/[::1]:80'],
    ['[2001:DB8:0:0:1:0:0:1]:80', 'tcp/[2001:db8::1:0:0:1]:80'],
    ['[FE80::1%eth0]:80', 'tcp/[fe80::1%eth0]:80'],
    [':8000-8010', 'tcp/:8000-8010'],
    ['unix//run/A.sock|0222', 'unix//run/A.sock'],
    ['fd/03', 'fd/3'],
  ];
  for (const [text, key] of keys) {
    it(`listenerKey of ${text} is ${key}`, () => expect(listenerKey(parseNetworkAddress(text))).to.equal(key));
  }

  it("unixSocketPath returns Node's form of an abstract socket path", () => {
    expect(unixSocketPath(parseNetworkAddress('unix/@a'))).to.equal('\0a');
    expect(unixSocketPath(parseNetworkAddress('unix//a'))).to.equal('/a');
  });

  it('isDatagramNetwork recognizes datagram networks', () => {
    expect(['udp', 'udp6', 'unixgram', 'fdgram', 'tcp', 'unix', 'fd'].map(isDatagramNetwork)).to.deep.equal([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('parseNetworkAddress parses every address that formatNetworkAddress writes', () => {
    const host = fc.oneof(fc.constant(''), fc.ipV4(), fc.ipV6(), fc.domain());
    const network = fc.constantFrom('tcp', 'tcp4', 'tcp6', 'udp');
    const port = fc.nat(65535);
    fc.assert(
      fc.property(network, host, port, port, (network, host, a, b) => {
        const address = { network, host, startPort: Math.min(a, b), endPort: Math.max(a, b), mode: null };
        expect(parseNetworkAddress(formatNetworkAddress(address))).to.deep.equal(address);
      }),
    );
    for (const text of ['unix//run/a.sock|0222', 'unix/@a', 'fd/3']) {
      expect(formatNetworkAddress(parseNetworkAddress(text))).to.equal(text);
    }
  });

  it('parseNetworkAddress parses any text or fails with ERR_VALUE', () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom(
            'a',
            '1',
            ':',
            '/',
            '[',
            ']',
            '-',
            '%',
            '.',
            '|',
            '@',
            ' ',
            'unix/',
            'fd/',
            '::',
            'tcp/',
          ),
        }),
        (text) => {
          try {
            parseNetworkAddress(text);
          } catch (error) {
            expect(error).to.include({ code: 'ERR_VALUE' });
          }
        },
      ),
    );
  });
});

describe('splitHostPort and joinHostPort', () => {
  it('splitHostPort is the inverse of joinHostPort', () => {
    expect(splitHostPort('[::1]:80')).to.deep.equal({ host: '::1', port: '80' });
    expect(splitHostPort('example.com')).to.deep.equal({ host: 'example.com', port: '' });
    expect(joinHostPort('::1', 80)).to.equal('[::1]:80');
    expect(joinHostPort('', 80)).to.equal(':80');
  });
});
