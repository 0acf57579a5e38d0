import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RollStep } from '@tributary/core-server';
import { registration, summary } from './init.ts';
import { type Location, locationOf, type ServerFlags } from './locations.ts';

export interface RenewFlags extends ServerFlags {
  readonly ca?: true;
  readonly step?: RollStep;
}

/** Renews, and answers what to tell: above all what has to happen before the next step. */
export async function renewCertificates(flags: RenewFlags): Promise<string[]> {
  if (flags.step !== undefined && flags.ca !== true) {
    throw new Error('--step is about replacing the CA: add --ca');
  }
  const location = await locationOf(flags);
  refuseNothing(location);
  return flags.ca === true
    ? rollCa(location, flags.step ?? 'bundle', flags)
    : renewLeaves(location);
}

/** A directory without certificates is probably the wrong one. */
function refuseNothing({ directory }: Location): void {
  if (existsSync(join(directory, 'ca.crt'))) return;
  throw new Error(`there are no certificates in ${directory}: begin with "tributary pki init"`);
}

async function renewLeaves(location: Location): Promise<string[]> {
  const { extensionServerPki, renewControlPlane } = await import('@tributary/core-server');
  const nowMs = Date.now();
  const { directory } = location;
  if (location.kind === 'extension-server') {
    const options = { nowMs, renewLeaves: true };
    const { made } = await extensionServerPki(directory, location.server, options);
    return [
      summary(directory, made),
      `The CA is the same, so the registration stays as it is. Give the server its new pair:`,
      `  kubectl apply -f ${join(directory, 'secret.yaml')}`,
    ];
  }
  const { made } = await renewControlPlane(directory, { nowMs });
  return [
    summary(directory, made),
    'The CAs are the same: nobody else has to know. A running server takes the new ones within a minute.',
  ];
}

async function rollCa(location: Location, step: RollStep, flags: RenewFlags): Promise<string[]> {
  const { controlPlaneInventory, rollAuthorities, rollExtensionServer } = await import(
    '@tributary/core-server'
  );
  const { directory } = location;
  const options = { step, nowMs: Date.now() };
  if (location.kind === 'extension-server') {
    const { next, changed, caBundle } = await rollExtensionServer(
      directory,
      location.server,
      options,
    );
    const reported = next === 'drop' ? [] : registration(location, caBundle).slice(1);
    return [
      outcome(directory, step, changed),
      ...nextForServer(next, { directory, command: commandLine(flags) }),
      ...reported,
    ];
  }
  const { next, changed } = await rollAuthorities(directory, controlPlaneInventory({}), options);
  return [outcome(directory, step, changed), ...nextForControlPlane(next, commandLine(flags))];
}

function outcome(directory: string, step: RollStep, changed: readonly string[]): string {
  return changed.length === 0
    ? `${directory}: nothing to do for the step ${step}`
    : `${directory}: wrote ${changed.join(', ')}`;
}

function nextForServer(
  next: RollStep | undefined,
  { directory, command }: { directory: string; command: string },
): string[] {
  switch (next) {
    case 'bundle':
      return ['It was cut off. Repeat:', `  ${command} --step bundle`];
    case 'leaf':
      return [
        'The bundle below trusts the old and the new CA. Put it into the APIService, and into whatever else',
        'verifies this server; give it a minute. Then:',
        `  ${command} --step leaf`,
      ];
    case 'drop':
      return [
        'The new pair is signed by the new CA. Give it to every replica of the server:',
        `  kubectl apply -f ${join(directory, 'secret.yaml')}`,
        'and wait until all of them serve it. Then:',
        `  ${command} --step drop`,
      ];
    case undefined:
      return ['One CA is left. Put the bundle below into the APIService.'];
    default:
      return unreachable(next);
  }
}

function nextForControlPlane(next: RollStep | undefined, command: string): string[] {
  switch (next) {
    case 'bundle':
      return ['It was cut off. Repeat:', `  ${command} --step bundle`];
    case 'leaf':
      return [
        'Old and new CAs are trusted. Give everybody a kubeconfig that trusts both ("tributary kubeconfig"), and wait',
        'until extension servers have read the ConfigMap kube-system/extension-apiserver-authentication. Then:',
        `  ${command} --step leaf`,
      ];
    case 'drop':
      return [
        'The server and the front proxy have certificates of the new CAs. Give every user a new one',
        '("tributary kubeconfig --user …"): those of the old CA end with the next step. Then:',
        `  ${command} --step drop`,
      ];
    case undefined:
      return ['One CA of each kind is left. Kubeconfigs from before are of no use any more.'];
    default:
      return unreachable(next);
  }
}

/** The same command again, so that it can be pasted. */
function commandLine({ dataDir, server, out }: RenewFlags): string {
  const where = [
    ...(server === undefined ? [] : [`--server ${server}`]),
    ...(out === undefined ? [`--data-dir ${dataDir}`] : [`--out ${out}`]),
  ];
  return ['tributary pki renew --ca', ...where].join(' ');
}

function unreachable(step: never): never {
  throw new Error(`unknown step ${String(step)}`);
}
