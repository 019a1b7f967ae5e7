/**
 * Redis scripts, one per operation. Each starts with a write that changes nothing, so that a server that has become a
 * replica also rejects reads. No data is written before the last check that may fail. Times are those of the server.
 */

/** Parts of key names, in the order of script arguments. */
export const keyParts = ['none', 'head', 'log', 'op', 'snap', 'lease', 'due', 'value', 'bound', 'changes'] as const;

const begin = `
local none, head, log, op, snap, lease, due, value, bound, changes = unpack(KEYS)
redis.call('DEL', none)
`;

/** Leases, and the values bound to leases, expire on access. */
const expire = `${begin}
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function drop(name)
  local held = redis.call('HGET', lease, name)
  redis.call('HDEL', lease, name)
  redis.call('ZREM', due, name)
  if not held then return end
  local token = string.match(held, '^[^\\n]*')
  local all = redis.call('HGETALL', bound)
  for i = 1, #all, 2 do
    if all[i + 1] == token then
      redis.call('HDEL', value, all[i])
      redis.call('HDEL', bound, all[i])
    end
  end
end
for _, name in ipairs(redis.call('ZRANGEBYSCORE', due, '-inf', now)) do drop(name) end
local function holds(name, token)
  local held = redis.call('HGET', lease, name)
  return held and string.match(held, '^[^\\n]*') == token
end
`;

/** Returns the log head. */
export const headScript = `${begin} return redis.call('GET', head)`;

/** ARGV: `base` or '', the next head; for each entry, its revision, operation and text. */
export const swapScript = `${begin}
for i = 3, #ARGV, 3 do
  local known = redis.call('HGET', op, ARGV[i + 1])
  if known then return {'known', known} end
end
local current = redis.call('GET', head)
if (current or '') ~= ARGV[1] then return {'lost', current} end
for i = 3, #ARGV, 3 do
  redis.call('XADD', log, ARGV[i] .. '-0', 'op', ARGV[i + 1], 'entry', ARGV[i + 2])
  redis.call('HSET', op, ARGV[i + 1], ARGV[i])
end
redis.call('SET', head, ARGV[2])
redis.call('PUBLISH', changes, ARGV[#ARGV - 2])
return {'swapped'}`;

/** Returns the head, and entries from one revision to another. The third argument limits their number. */
export const readScript = `${begin}
local entries = {}
for i, item in ipairs(redis.call('XRANGE', log, ARGV[1] .. '-0', ARGV[2] .. '-0', 'COUNT', ARGV[3])) do
  entries[i] = item[2][4]
end
return {redis.call('GET', head), entries}`;

/** Returns the revision of an operation. */
export const findScript = `${begin} return redis.call('HGET', op, ARGV[1])`;

/** Removes some of the entries before a revision; returns their number. */
export const trimScript = `${begin}
local old = redis.call('XRANGE', log, '-', '(' .. ARGV[1] .. '-0', 'COUNT', 500)
for _, item in ipairs(old) do
  redis.call('HDEL', op, item[2][2])
  redis.call('XDEL', log, item[1])
end
return #old`;

export const snapshotScript = `${begin} return redis.call('HGET', snap, 'text')`;

/** Stores the snapshot of a revision, unless a newer snapshot exists. */
export const saveSnapshotScript = `${begin}
local known = redis.call('HGET', snap, 'rev')
if known and tonumber(known) >= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', snap, 'rev', ARGV[1], 'text', ARGV[2])
return 1`;

/** Acquires a lease: name, token, milliseconds, value. */
export const leaseScript = `${expire}
if redis.call('HEXISTS', lease, ARGV[1]) == 1 and not holds(ARGV[1], ARGV[2]) then return 0 end
redis.call('HSET', lease, ARGV[1], ARGV[2] .. '\\n' .. ARGV[4])
redis.call('ZADD', due, now + ARGV[3], ARGV[1])
return 1`;

/** Renews a lease: name, token, milliseconds. */
export const renewScript = `${expire}
if not holds(ARGV[1], ARGV[2]) then return 0 end
redis.call('ZADD', due, now + ARGV[3], ARGV[1])
return 1`;

/** Releases a lease: name, token. */
export const releaseScript = `${expire}
if holds(ARGV[1], ARGV[2]) then drop(ARGV[1]) end`;

/** Returns the names and values of active leases. */
export const leasesScript = `${expire}
local all = redis.call('HGETALL', lease)
for i = 2, #all, 2 do all[i] = string.gsub(all[i], '^[^\\n]*\\n', '') end
return all`;

/** Writes under a lease: name, token; for each key, the operation (\`set\`, \`bind\`, \`remove\`) and the value. */
export const transactionScript = `${expire}
if not holds(ARGV[1], ARGV[2]) then return 0 end
for i = 3, #ARGV, 3 do
  if ARGV[i + 1] == 'remove' then redis.call('HDEL', value, ARGV[i]) else redis.call('HSET', value, ARGV[i], ARGV[i + 2]) end
  if ARGV[i + 1] == 'bind' then redis.call('HSET', bound, ARGV[i], ARGV[2]) else redis.call('HDEL', bound, ARGV[i]) end
end
return 1`;

/** Returns keys and values. */
export const valuesScript = `${expire} return redis.call('HGETALL', value)`;
