// Makes what servers of NATS know their users by when an operator vouches for them: keys of Ed25519 in NATS's letters,
// and claims that they sign. Usage: node credentials.mjs FOLDER. Writes operator.conf, for the servers, and user.creds.
import { generateKeyPairSync, sign } from "node:crypto";
import { writeFileSync } from "node:fs";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const kinds = { operator: 14 << 3, account: 0, user: 20 << 3 };
const seedKind = 18 << 3;

// Base 32 without padding, of bytes and their CRC-16.
function coded(bytes) {
  let check = 0;
  for (const byte of bytes) {
    check ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) check = ((check << 1) ^ (check & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  let text = "";
  let [bits, count] = [0, 0];
  for (const byte of [...bytes, check & 0xff, check >> 8]) {
    bits = (bits << 8) | byte;
    for (count += 8; count >= 5; count -= 5) text += letters[(bits >>> (count - 5)) & 31];
    bits &= (1 << count) - 1;
  }
  return count > 0 ? text + letters[(bits << (5 - count)) & 31] : text;
}

function makeKey(kind) {
  const { privateKey } = generateKeyPairSync("ed25519");
  const { x, d } = privateKey.export({ format: "jwk" });
  const seed = [seedKind | (kind >> 5), (kind & 31) << 3, ...Buffer.from(d, "base64url")];
  return { privateKey, name: coded([kind, ...Buffer.from(x, "base64url")]), seed: coded(seed) };
}

const encoded = (object) => Buffer.from(JSON.stringify(object)).toString("base64url");

// What one key says of another.
function claim(issuer, subject, nats) {
  const [iat, exp] = [0, 3600].map((later) => Math.floor(Date.now() / 1000) + later);
  const claims = { jti: subject.name, iat, exp, iss: issuer.name, sub: subject.name, name: "test", nats };
  const text = `${encoded({ typ: "JWT", alg: "ed25519-nkey" })}.${encoded(claims)}`;
  return `${text}.${sign(null, Buffer.from(text), issuer.privateKey).toString("base64url")}`;
}

const folder = process.argv[2];
const operator = makeKey(kinds.operator);
const [account, system] = [makeKey(kinds.account), makeKey(kinds.account)];
const user = makeKey(kinds.user);
const open = { subs: -1, data: -1, payload: -1, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
const store = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
const stated = (key, limits) => `${key.name}: ${claim(operator, key, { type: "account", version: 2, limits })}`;

writeFileSync(
  `${folder}/operator.conf`,
  `operator: ${claim(operator, operator, { type: "operator", version: 2, system_account: system.name })}
system_account: ${system.name}
resolver: MEMORY
resolver_preload: { ${stated(account, { ...open, ...store })}, ${stated(system, open)} }
`);
const limits = { subs: -1, data: -1, payload: -1 };
writeFileSync(
  `${folder}/user.creds`,
  `-----BEGIN NATS USER JWT-----
${claim(account, user, { type: "user", version: 2, ...limits })}
------END NATS USER JWT------

-----BEGIN USER NKEY SEED-----
${user.seed}
------END USER NKEY SEED------
`);
