/**
 * Reads the certificates of a directory and creates those that are missing, invalid or about to expire; others stay.
 */
import {
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  type X509Certificate,
} from 'node:crypto';
import {
  createKey,
  isServerName,
  issueLeaf,
  type KeyPair,
  namesOf,
  parseCertificates,
  selfSign,
  type Validity,
  validFor,
} from '@tributary/server/pki';
import {
  type AuthorityState,
  authorityProblems,
  authorityState,
  DAY_MS,
  leafProblems,
  publicPem,
  signingKeyProblems,
} from './checks.ts';
import { distinctNames, fileNames, type Inventory, type LeafSpec } from './inventory.ts';
import { type PkiFiles, type PkiWrite, readPkiFiles, writePkiFiles } from './pki-files.ts';

const LEAF_LIFETIME_MS = 365 * DAY_MS;
const AUTHORITY_LIFETIME_MS = 3650 * DAY_MS;

interface EnsureOptions {
  readonly nowMs: number;
  /** Renews valid leaves as well. */
  readonly renewLeaves?: boolean;
}

export interface EnsuredPki {
  /** The valid files on disk. */
  readonly files: PkiFiles;
  /** Files that were created. */
  readonly made: readonly string[];
}

/** Another process may write at the same time, which leaves files of both. */
const ATTEMPTS_MAX = 4;
/** A renewed certificate keeps up to this many names. */
const NAMES_MAX = 100;

export async function ensurePki(
  directory: string,
  inventory: Inventory,
  options: EnsureOptions,
): Promise<EnsuredPki> {
  const made = new Set<string>();
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const files = await readPkiFiles(directory, fileNames(inventory));
    const renewLeaves = options.renewLeaves === true && attempt === 1;
    const writes = missingWrites(inventory, files, { nowMs: options.nowMs, renewLeaves });
    if (writes.length === 0) return { files, made: [...made] };
    await writePkiFiles(directory, writes);
    for (const { name } of writes) made.add(name);
  }
  throw new Error(`${directory} changes while it is read: does another process write to it?`);
}

/**
 * In the order of writing. A key precedes its certificate, because a certificate without a key stands for a CA with an
 * external key.
 */
function missingWrites(
  inventory: Inventory,
  files: PkiFiles,
  options: { nowMs: number; renewLeaves: boolean },
): PkiWrite[] {
  const { nowMs, renewLeaves } = options;
  const after = new Map(files);
  const writes: PkiWrite[] = [];
  const write = (name: string, text: string): void => {
    after.set(name, text);
    writes.push({ name, text });
  };
  const authorities = new Map<string, AuthorityState>();
  for (const spec of inventory.authorities) {
    const found = authorityState(spec, after, nowMs);
    const writesBefore = writes.length;
    repairAuthority(found, nowMs, write);
    const isMended = writes.length > writesBefore;
    authorities.set(spec.file, isMended ? authorityState(spec, after, nowMs) : found);
  }
  rejectSharedAuthorities(authorities);
  for (const spec of inventory.leaves) {
    const authority = knownAuthority(authorities, spec.authority);
    const isGood = leafProblems(spec, { files: after, authority, nowMs }).length === 0;
    if (isGood && !renewLeaves) continue;
    const request = { ...spec, names: preservedNames(spec, after.get(`${spec.file}.crt`)) };
    const pair = issueLeaf(signingPair(authority, after, spec.file), request, leafValidity(nowMs));
    write(`${spec.file}.key`, pair.key);
    write(`${spec.file}.crt`, pair.cert);
  }
  if (inventory.signingKey !== undefined) repairSigningKey(inventory.signingKey, after, write);
  return writes;
}

type Write = (name: string, text: string) => void;

/**
 * A valid key is kept: its new certificate verifies the same leaves. When the key is lost, the new CA is added to the
 * bundle, so that leaves signed by the old one stay valid until they are renewed.
 */
function repairAuthority(state: AuthorityState, nowMs: number, write: Write): void {
  const { spec, key, signer } = state;
  const isSound = (certificate: X509Certificate): boolean =>
    authorityProblems(certificate, nowMs).length === 0;
  const trusted = state.certificates.filter(isSound);
  if (signer !== undefined && isSound(signer)) return;
  if (key.kind === 'absent' && trusted.length > 0) return;
  const pem = key.kind === 'good' ? exported(key.key) : createKey();
  if (key.kind !== 'good') write(`${spec.file}.key`, pem);
  const cert = selfSign(pem, spec.commonName, authorityValidity(nowMs));
  const others = trusted.filter((certificate) => certificate !== signer);
  write(`${spec.file}.crt`, [cert, ...others.map(String)].join(''));
}

function repairSigningKey(file: string, files: PkiFiles, write: Write): void {
  const problems = signingKeyProblems(file, files);
  if (problems.length === 0) return;
  // EC, because creating an RSA key takes a tenth of a second of the start.
  const isKeyGood = problems.every(({ code }) => code === 'key-mismatch');
  const key = isKeyGood ? (files.get(`${file}.key`) ?? '') : createKey();
  if (!isKeyGood) write(`${file}.key`, key);
  const own = publicPem(createPrivateKey(key));
  const older = publicKeysIn(files.get(`${file}.pub`) ?? '').filter((pem) => pem !== own);
  write(`${file}.pub`, [own, ...older].join(''));
}

/** Readable keys only: tokens of an older key are valid until they expire. */
function publicKeysIn(text: string): string[] {
  const blocks = text.match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g) ?? [];
  return blocks.flatMap((block) => {
    try {
      return [createPublicKey(block).export({ format: 'pem', type: 'spki' }).toString()];
    } catch {
      return [];
    }
  });
}

export function signingPair(authority: AuthorityState, files: PkiFiles, leaf: string): KeyPair {
  const { signer, spec } = authority;
  const key = files.get(`${spec.file}.key`);
  if (signer !== undefined && key !== undefined) return { cert: signer.toString(), key };
  throw new Error(
    `${leaf}.crt must be signed anew and ${spec.file}.key is not here: put the key back, ` +
      `or have ${leaf}.crt and ${leaf}.key made where it is kept, ` +
      `or remove ${spec.file}.crt to begin with a new CA`,
  );
}

/** With one CA for both, every client certificate could impersonate the front proxy. */
function rejectSharedAuthorities(authorities: ReadonlyMap<string, AuthorityState>): void {
  for (const state of authorities.values()) {
    const other = sharedWith(state, authorities);
    if (other !== undefined) {
      throw new Error(
        `${state.spec.file}.crt and ${other}.crt hold the same CA: ` +
          `whoever has a client certificate could pose as the front proxy; remove one of them`,
      );
    }
  }
}

export function sharedWith(
  { spec, certificates }: AuthorityState,
  authorities: ReadonlyMap<string, AuthorityState>,
): string | undefined {
  const other = spec.apartFrom === undefined ? undefined : authorities.get(spec.apartFrom);
  const isShared = certificates.some((certificate) =>
    other?.certificates.some(({ publicKey }) => publicKey.equals(certificate.publicKey)),
  );
  return isShared ? spec.apartFrom : undefined;
}

export function knownAuthority<T extends AuthorityState>(
  authorities: ReadonlyMap<string, T>,
  file: string,
): T {
  const authority = authorities.get(file);
  if (authority === undefined) throw new Error(`there is no authority ${file}`);
  return authority;
}

/** A renewal may not know the names that the server was started with. */
export function preservedNames(spec: LeafSpec, cert: string | undefined): string[] {
  const wanted = spec.names ?? [];
  if (wanted.length === 0) return [];
  return distinctNames([...wanted, ...readableNames(cert)]).slice(
    0,
    Math.max(NAMES_MAX, wanted.length),
  );
}

function readableNames(cert: string | undefined): string[] {
  try {
    const [leaf] = parseCertificates(cert ?? '');
    return leaf === undefined ? [] : namesOf(leaf).filter(isServerName);
  } catch {
    return []; // An unreadable certificate has no names.
  }
}

export function authorityValidity(nowMs: number): Validity {
  return validFor({ nowMs, lifetimeMs: AUTHORITY_LIFETIME_MS });
}

export function leafValidity(nowMs: number): Validity {
  return validFor({ nowMs, lifetimeMs: LEAF_LIFETIME_MS });
}

function exported(key: KeyObject): string {
  return key.export({ format: 'pem', type: 'pkcs8' }).toString();
}
