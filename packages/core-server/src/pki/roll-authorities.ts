/**
 * Replaces the CAs of a directory without interrupting verification, in three steps with manual work in between:
 *
 *   bundle   <ca>.crt contains old + new. Distribute it to all clients of the old one.
 *   leaf     leaves are signed by the new CA, which all clients trust.
 *   drop     <ca>.crt contains the new CA alone.
 *
 * The files record the progress: the next key is in `<ca>-next.key`, and the certificate that belongs to `<ca>.key`
 * signs. Each step can be repeated, and resumes after a crash.
 */
import type { X509Certificate } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  createKey,
  issueLeaf,
  type KeyPair,
  parseCertificates,
  selfSign,
} from '@tributary/server/pki';
import { type AuthorityState, authorityState, keyState, signerOf } from './checks.ts';
import { authorityValidity, knownAuthority, leafValidity, preservedNames } from './ensure.ts';
import { fileNames, type Inventory, type LeafSpec } from './inventory.ts';
import { type PkiFiles, type PkiWrite, readPkiFiles, writePkiFiles } from './pki-files.ts';

export const ROLL_STEPS = ['bundle', 'leaf', 'drop'] as const;
export type RollStep = (typeof ROLL_STEPS)[number];

/** The stage of a CA: a single one, old and new trusted, or the new one signing with the old one still trusted. */
type RollStage = 'single' | 'bundled' | 'reissued';

export interface RollResult {
  /** The next step; undefined when the roll is complete. */
  readonly next: RollStep | undefined;
  /** Changed files; empty when the step was done before. */
  readonly changed: readonly string[];
}

export async function rollAuthorities(
  directory: string,
  inventory: Inventory,
  { step, nowMs }: { step: RollStep; nowMs: number },
): Promise<RollResult> {
  const names = [...fileNames(inventory), ...inventory.authorities.map(nextKeyName)];
  const roll = readRoll(inventory, await readPkiFiles(directory, names), nowMs);
  rejectOutOfOrder(step, roll);
  const writes = stepWrites(step, roll);
  if (writes.length > 0) await writePkiFiles(directory, writes);
  const removed = step === 'leaf' ? roll.authorities.map(({ spec }) => nextKeyName(spec)) : [];
  for (const name of removed) await rm(join(directory, name), { force: true });
  const after = readRoll(inventory, await readPkiFiles(directory, names), nowMs);
  return { next: nextStep(after), changed: writes.map(({ name }) => name) };
}

interface Roll {
  readonly authorities: readonly RollingAuthority[];
  readonly leaves: readonly LeafSpec[];
  readonly files: PkiFiles;
  readonly nowMs: number;
}

interface RollingAuthority extends AuthorityState {
  readonly stage: RollStage;
  readonly signer: X509Certificate;
  /** The key created for the next CA. */
  readonly nextKey: string | undefined;
  /** Its certificate in the bundle. */
  readonly nextCertificate: X509Certificate | undefined;
}

function readRoll(inventory: Inventory, files: PkiFiles, nowMs: number): Roll {
  const authorities = inventory.authorities.map((spec) =>
    rollingAuthority(authorityState(spec, files, nowMs), files),
  );
  return { authorities, leaves: inventory.leaves, files, nowMs };
}

function rollingAuthority(state: AuthorityState, files: PkiFiles): RollingAuthority {
  const { spec, certificates, signer } = state;
  if (signer === undefined) {
    throw new Error(
      state.certificates.length === 0
        ? `there is no usable ${spec.file}.crt: begin with "tributary pki init"`
        : `${spec.file}.key is not here or not the key of ${spec.file}.crt: only who has it can roll the CA`,
    );
  }
  const pem = files.get(nextKeyName(spec));
  const next = keyState(pem);
  const nextCertificate =
    next.kind === 'good'
      ? certificates.find((certificate) => certificate.checkPrivateKey(next.key))
      : undefined;
  // Killed between promoting the new key and deleting its file.
  const isLeftOver = nextCertificate === signer && nextCertificate !== undefined;
  const isBundled = nextCertificate !== undefined && !isLeftOver;
  const single: RollStage =
    certificates.length > 1 && next.kind === 'absent' ? 'reissued' : 'single';
  return {
    ...state,
    signer,
    nextKey: next.kind === 'good' && !isLeftOver ? pem : undefined,
    nextCertificate: isBundled ? nextCertificate : undefined,
    stage: isBundled ? 'bundled' : isLeftOver ? 'reissued' : single,
  };
}

function nextStep({ authorities }: Roll): RollStep | undefined {
  const stages = authorities.map(({ stage }) => stage);
  if (stages.includes('bundled')) return stages.includes('single') ? 'bundle' : 'leaf';
  return stages.includes('reissued') ? 'drop' : undefined;
}

function rejectOutOfOrder(step: RollStep, roll: Roll): void {
  const next = nextStep(roll);
  if (step === 'leaf' && (next === 'bundle' || next === undefined)) {
    throw new Error('nobody trusts a new CA yet: --step bundle comes first');
  }
  if (step !== 'drop') return;
  const late = roll.leaves.find((spec) => !isSignedBySigner(spec, roll));
  if (next === 'leaf' || next === 'bundle' || late !== undefined) {
    const what = late === undefined ? 'the leaves are' : `${late.file}.crt is`;
    throw new Error(`${what} still signed by the old CA: --step leaf comes first`);
  }
}

function stepWrites(step: RollStep, roll: Roll): PkiWrite[] {
  switch (step) {
    case 'bundle':
      // While old CAs remain in bundles, a repeated command must not begin the next roll.
      return nextStep(roll) === 'drop' ? [] : roll.authorities.flatMap((ca) => bundle(ca, roll));
    case 'leaf':
      return [
        ...roll.leaves.flatMap((spec) => reissue(spec, roll)),
        ...roll.authorities.flatMap(promote),
      ];
    case 'drop':
      return roll.authorities
        .filter(({ stage }) => stage === 'reissued')
        .map(({ spec, signer }) => ({ name: `${spec.file}.crt`, text: signer.toString() }));
    default:
      return unreachable(step);
  }
}

/** The key precedes its certificate, without which it is unused. */
function bundle(authority: RollingAuthority, { nowMs }: Roll): PkiWrite[] {
  const { spec, certificates, stage, nextKey } = authority;
  if (stage !== 'single') return [];
  const key = nextKey ?? createKey();
  const cert = selfSign(key, spec.commonName, authorityValidity(nowMs));
  return [
    { name: nextKeyName(spec), text: key },
    { name: `${spec.file}.crt`, text: [...certificates.map(String), cert].join('') },
  ];
}

function reissue(spec: LeafSpec, roll: Roll): PkiWrite[] {
  if (isSignedByNewest(spec, roll)) return [];
  const names = preservedNames(spec, roll.files.get(`${spec.file}.crt`));
  const pair = issueLeaf(newestPair(spec, roll), { ...spec, names }, leafValidity(roll.nowMs));
  return [
    { name: `${spec.file}.key`, text: pair.key },
    { name: `${spec.file}.crt`, text: pair.cert },
  ];
}

/** After the leaves, so that a repeated step after a crash finds them done. */
function promote({ spec, nextKey, nextCertificate }: RollingAuthority): PkiWrite[] {
  if (nextKey === undefined || nextCertificate === undefined) return [];
  return [{ name: `${spec.file}.key`, text: nextKey }];
}

function newestPair(spec: LeafSpec, roll: Roll): KeyPair {
  const authority = authorityOf(spec, roll);
  const { nextKey, nextCertificate, signer } = authority;
  if (nextKey !== undefined && nextCertificate !== undefined) {
    return { cert: nextCertificate.toString(), key: nextKey };
  }
  return { cert: signer.toString(), key: roll.files.get(`${spec.authority}.key`) ?? '' };
}

function isSignedByNewest(spec: LeafSpec, roll: Roll): boolean {
  const { nextCertificate, signer } = authorityOf(spec, roll);
  return isSignedBy(spec, roll, nextCertificate ?? signer);
}

function isSignedBySigner(spec: LeafSpec, roll: Roll): boolean {
  return isSignedBy(spec, roll, authorityOf(spec, roll).signer);
}

function isSignedBy(spec: LeafSpec, { files }: Roll, ca: X509Certificate): boolean {
  try {
    const [leaf] = parseCertificates(files.get(`${spec.file}.crt`) ?? '');
    return leaf !== undefined && signerOf(leaf, [ca]) !== undefined;
  } catch {
    return false; // Unreadable certificates are not signed.
  }
}

function authorityOf(spec: LeafSpec, { authorities }: Roll): RollingAuthority {
  const byFile = new Map(authorities.map((authority) => [authority.spec.file, authority]));
  return knownAuthority(byFile, spec.authority);
}

function nextKeyName({ file }: { readonly file: string }): string {
  return `${file}-next.key`;
}

function unreachable(step: never): never {
  throw new Error(`unknown step ${String(step)}`);
}
