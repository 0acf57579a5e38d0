import {
  annotations,
  type Registration,
  readAnnotations,
} from '@tributary/aggregator/api-services';
import type { APIService } from '@tributary/api/apiregistration-v1';
import { readCaBundle } from '@tributary/proxy';
import { type CheckResult, type Fix, passed } from '../report/diagnosis.ts';
import { type CommandContext, caBundleFix, shellQuote } from '../report/fixes.ts';

/** The result when there is no APIService of that name. */
export function missingApiService(
  name: string,
  registered: readonly APIService[],
  { kubectlFlags }: CommandContext,
): CheckResult {
  const dot = name.indexOf('.');
  const [version, group] = [name.slice(0, dot), name.slice(dot + 1)];
  const message = `there is no APIService "${name}"`;
  if (dot < 1 || group === '') {
    const names = registered.flatMap(({ metadata }) => metadata.name ?? []);
    const similar = names.filter((one) => one.includes(name)).slice(0, 5);
    const hint = similar.length > 0 ? `; there are ${similar.join(', ')}` : '';
    return {
      status: 'failed',
      message: `${message}: the name is VERSION.GROUP${hint}`,
      impact: 'there is nothing to check under that name',
      fixes: [{ kind: 'kubectl', args: ['get', 'apiservices'] }],
    };
  }
  return {
    status: 'failed',
    message,
    impact: `the API server responds 404 to /apis/${group}/${version}`,
    fixes: [registrationFix({ group, version }, registered, kubectlFlags)],
  };
}

/** Copies the APIService of another version of the group, or creates everything. */
function registrationFix(
  { group, version }: { group: string; version: string },
  registered: readonly APIService[],
  kubectlFlags: readonly string[],
): Fix {
  const sibling = registered.find(({ spec }) => spec.group === group && spec.service !== undefined);
  if (sibling === undefined) {
    const kubectl = ['kubectl', ...kubectlFlags, 'create', '-f', '-'].map(shellQuote).join(' ');
    return { kind: 'script', script: `tributary bootstrap ${shellQuote(group)} | ${kubectl}` };
  }
  return { kind: 'kubectl', args: ['create', '-f', '-'], input: copyForVersion(sibling, version) };
}

/** The APIService of another version of the same server. */
export function copyForVersion({ metadata, spec }: APIService, version: string): object {
  const url = metadata.annotations?.[annotations.url];
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: {
      name: `${version}.${spec.group}`,
      ...(url !== undefined && { annotations: { [annotations.url]: url } }),
    },
    spec: { ...spec, version },
  };
}

/** Whether the annotations and the caBundle are valid. */
export function checkRegistration(
  { metadata }: APIService,
  { name, remote }: Registration,
  localCa: string | undefined,
): CheckResult {
  const { problems } = readAnnotations(metadata.annotations);
  const badUrl = problems.find(({ annotation }) => annotation === annotations.url);
  if (badUrl !== undefined) {
    return {
      status: 'failed',
      message: `the annotation ${badUrl.annotation} is "${badUrl.value}", which ${badUrl.detail}`,
      impact: 'the aggregator ignores the annotation and connects to the Service',
      fixes: [
        {
          kind: 'kubectl',
          args: ['annotate', 'apiservice', name, '--overwrite', `${annotations.url}=URL`],
          blanks: { URL: 'https://HOST:PORT of the API server' },
        },
      ],
      alternatives: [
        { kind: 'kubectl', args: ['annotate', 'apiservice', name, `${annotations.url}-`] },
      ],
    };
  }
  const ignored = problems.map(({ annotation, detail }) => `${annotation} ${detail}`);
  const note = ignored.length > 0 ? `; ignored: ${ignored.join('; ')}` : '';
  if (remote?.caBundle === undefined || remote.insecureSkipTlsVerify) {
    const trust = remote?.insecureSkipTlsVerify
      ? 'does not verify certificates'
      : 'trusts the CAs of the system';
    return passed(`${trust}${note}`);
  }
  try {
    const { length } = readCaBundle(remote.caBundle);
    return passed(`caBundle contains ${length} certificate${length === 1 ? '' : 's'}${note}`);
  } catch (error) {
    return {
      status: 'failed',
      message: `spec.caBundle is invalid: ${(error as Error).message}`,
      impact: 'the aggregator cannot verify any certificate, so it cannot connect',
      fixes: [caBundleFix(name, localCa)],
    };
  }
}
