import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Lease } from '@tributary/api/coordination-v1';
import { formatMicroTime, parseTime } from '@tributary/apimachinery';
import { LEASES } from '@tributary/client';
import {
  type ControllerDependencies,
  isNotFound,
  isWriteConflict,
  keyedController,
} from '@tributary/client/controller';

const NAMESPACE = 'kube-system';
const KIND = 'kube-apiserver';
const LABEL = 'apiserver.kubernetes.io/identity';
const DURATION_SECONDS = 3600;
const RENEW_MS = 10_000;
const COLLECT_MS = 3_600_000;

/** Renews the Lease of this server, by which running servers are distinguished from stopped ones. */
export function runIdentityLease(dependencies: ControllerDependencies): Promise<void> {
  const holder = `${serverIdentity(hostname())}_${randomUUID()}`;
  let collectAtMs = 0;
  const { queue, done } = keyedController(
    {
      name: 'apiserver-identity-lease',
      retryMsMax: RENEW_MS,
      reconcile: async (key) => {
        await renew(key, holder, dependencies);
        const { clock } = dependencies;
        if (clock.nowMs() >= collectAtMs) {
          await collectExpired(dependencies);
          collectAtMs = clock.nowMs() + COLLECT_MS;
        }
        queue.addAfter(key, RENEW_MS);
      },
    },
    dependencies,
  );
  queue.add(serverIdentity(hostname()));
  return done;
}

async function renew(
  name: string,
  holderIdentity: string,
  { client, clock, signal }: ControllerDependencies,
): Promise<void> {
  const all = client.resource<Lease>(LEASES).in(NAMESPACE);
  const renewTime = formatMicroTime(BigInt(Math.floor(clock.nowMs() * 1000)));
  const spec = { holderIdentity, leaseDurationSeconds: DURATION_SECONDS, renewTime };
  try {
    const live = await all.get(name, { signal });
    await all.update({ ...live, spec: { ...live.spec, ...spec } }, { signal });
  } catch (error) {
    if (isWriteConflict(error)) return; // Another server on this host; one of them keeps the Lease.
    if (!isNotFound(error)) throw error;
    const labels = { [LABEL]: KIND, 'kubernetes.io/hostname': hostname() };
    await all.create({ metadata: { name, namespace: NAMESPACE, labels }, spec }, { signal });
  }
}

/** Deletes Leases of stopped servers. */
async function collectExpired({ client, clock, signal }: ControllerDependencies): Promise<void> {
  const all = client.resource<Lease>(LEASES).in(NAMESPACE);
  const { items } = await all.listAll({ labelSelector: `${LABEL}=${KIND}`, signal });
  for (const { metadata, spec } of items) {
    const renewed = parseTime(spec.renewTime ?? '');
    const seconds = spec.leaseDurationSeconds ?? 0;
    if (renewed.ok && renewed.milliseconds + seconds * 1000 > clock.nowMs()) continue;
    const { uid, resourceVersion } = metadata;
    const preconditions = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
    await all.delete(metadata.name ?? '', { preconditions, signal }).catch((error: unknown) => {
      if (!isNotFound(error) && !isWriteConflict(error)) throw error;
    });
  }
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** As upstream derives it from the host name, so that a restarted server uses the same Lease. */
export function serverIdentity(host: string): string {
  const hash = createHash('sha256');
  for (const part of [host, KIND]) {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(Buffer.byteLength(part));
    hash.update(length).update(part);
  }
  return `apiserver-${base32(hash.digest().subarray(0, 16))}`;
}

/** Without padding, in lower case. */
function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += BASE32[(value >> (bits - 5)) & 31];
  }
  return bits > 0 ? text + BASE32[(value << (5 - bits)) & 31] : text;
}
