/**
 * Redis scripts of the fleet store, one per operation. Each script starts with a write that changes nothing. A server that has become a
 * replica therefore rejects reads as well. No data is written before the last check that may fail. All times are the server's.
 */

/** Suffixes of key names, in the order of the scripts' arguments. */
export const keyParts = ['none', 'head', 'log', 'op', 'snap', 'lease', 'due', 'value', 'bound', 'changes'] as const;

const begin = `
local none, head, log, op, snap, lease, due, value, bound, changes = unpack(KEYS)
redis.call('DEL', none)
`;

/** Removes expired leases, and the values bound to them. Runs at the start of a script. */
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

/** Returns the head of the configuration log. */
export const headScript = `${begin} return redis.call('GET', head)`;

/** Appends to the log. Arguments: the base or '', the next head; for each entry, its revision, operation and text. */
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

/** Returns the log head, and the entries in a range of revisions. The third argument limits the number of entries. */
export const readScript = `${begin}
local entries = {}
for i, item in ipairs(redis.call('XRANGE', log, ARGV[1] .. '-0', ARGV[2] .. '-0', 'COUNT', ARGV[3])) do
  entries[i] = item[2][4]
end
return {redis.call('GET', head), entries}`;

/** Returns the revision that an operation created. */
export const findScript = `${begin} return redis.call('HGET', op, ARGV[1])`;

/** Removes up to 500 log entries older than a revision. Returns the number of removed entries. */
export const trimScript = `${begin}
local old = redis.call('XRANGE', log, '-', '(' .. ARGV[1] .. '-0', 'COUNT', 500)
for _, item in ipairs(old) do
  redis.call('HDEL', op, item[2][2])
  redis.call('XDEL', log, item[1])
end
return #old`;

export const snapshotScript = `${begin} return redis.call('HGET', snap, 'text')`;

/** Stores a snapshot of the document at a revision, unless a newer snapshot exists. */
export const saveSnapshotScript = `${begin}
local known = redis.call('HGET', snap, 'rev')
if known and tonumber(known) >= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', snap, 'rev', ARGV[1], 'text', ARGV[2])
return 1`;

/** Acquires a lease. Arguments: name, token, milliseconds, value. */
export const leaseScript = `${expire}
if redis.call('HEXISTS', lease, ARGV[1]) == 1 and not holds(ARGV[1], ARGV[2]) then return 0 end
redis.call('HSET', lease, ARGV[1], ARGV[2] .. '\\n' .. ARGV[4])
redis.call('ZADD', due, now + ARGV[3], ARGV[1])
return 1`;

/** Renews a lease. Arguments: name, token, milliseconds. */
export const renewScript = `${expire}
if not holds(ARGV[1], ARGV[2]) then return 0 end
redis.call('ZADD', due, now + ARGV[3], ARGV[1])
return 1`;

/** Releases a lease. Arguments: name, token. */
export const releaseScript = `${expire}
if holds(ARGV[1], ARGV[2]) then drop(ARGV[1]) end`;

/** Returns the names and values of active leases. */
export const leasesScript = `${expire}
local all = redis.call('HGETALL', lease)
for i = 2, #all, 2 do all[i] = string.gsub(all[i], '^[^\\n]*\\n', '') end
return all`;

/** Writes values under a lease. Arguments: name, token; for each key, the operation (`set`, `bind` or `remove`) and the value. */
export const transactionScript = `${expire}
if not holds(ARGV[1], ARGV[2]) then return 0 end
for i = 3, #ARGV, 3 do
  if ARGV[i + 1] == 'remove' then redis.call('HDEL', value, ARGV[i]) else redis.call('HSET', value, ARGV[i], ARGV[i + 2]) end
  if ARGV[i + 1] == 'bind' then redis.call('HSET', bound, ARGV[i], ARGV[2]) else redis.call('HDEL', bound, ARGV[i]) end
end
return 1`;

/** Returns all keys and values. */
export const valuesScript = `${expire} return redis.call('HGETALL', value)`;
