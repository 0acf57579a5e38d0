import type { APIService } from '@tributary/api/apiregistration-v1';
import { readCaBundle } from '../backend/ca-bundle.ts';
import { readAnnotations } from '../registrations/read-annotations.ts';
import { annotations, type Registration } from '../registrations/registration.ts';
import { type Fix, type Judgement, well } from './finding.ts';
import { caBundleFix, type Place, quoted } from './fixes.ts';

/** No APIService of that name. */
export function judgeMissing(
  name: string,
  registered: readonly APIService[],
  { kubectlFlags }: Place,
): Judgement {
  const dot = name.indexOf('.');
  const [version, group] = [name.slice(0, dot), name.slice(dot + 1)];
  const matters = `the API server knows nothing of /apis/${group}/${version}, and answers 404`;
  const words = `there is no APIService "${name}"`;
  if (dot < 1 || group === '') {
    const names = registered.flatMap(({ metadata }) => metadata.name ?? []);
    const similar = names.filter((one) => one.includes(name)).slice(0, 5);
    const hint = similar.length > 0 ? `; there are ${similar.join(', ')}` : '';
    return {
      outcome: 'broken',
      words: `${words}: it is called VERSION.GROUP${hint}`,
      matters: 'nothing can be examined under that name',
      fixes: [{ kind: 'kubectl', args: ['get', 'apiservices'] }],
    };
  }
  return {
    outcome: 'broken',
    words,
    matters,
    fixes: [registrationFix({ group, version }, registered, kubectlFlags)],
  };
}

/** As another version of the group is registered, or from nothing. */
function registrationFix(
  { group, version }: { group: string; version: string },
  registered: readonly APIService[],
  kubectlFlags: readonly string[],
): Fix {
  const sibling = registered.find(({ spec }) => spec.group === group && spec.service !== undefined);
  if (sibling === undefined) {
    const kubectl = ['kubectl', ...kubectlFlags, 'create', '-f', '-'].map(quoted).join(' ');
    return { kind: 'script', script: `tributary bootstrap ${quoted(group)} | ${kubectl}` };
  }
  return { kind: 'kubectl', args: ['create', '-f', '-'], input: sameFor(sibling, version) };
}

/** The registration of another version of the same server. */
export function sameFor({ metadata, spec }: APIService, version: string): object {
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

/** What the registration says of itself, before anything is asked for. */
export function judgeRegistration(
  { metadata }: APIService,
  { name, remote }: Registration,
  madeAuthority: string | undefined,
): Judgement {
  const { problems } = readAnnotations(metadata.annotations);
  const badUrl = problems.find(({ annotation }) => annotation === annotations.url);
  if (badUrl !== undefined) {
    return {
      outcome: 'broken',
      words: `the annotation ${badUrl.annotation} is "${badUrl.value}", which ${badUrl.detail}`,
      matters: 'the aggregator passes over it and dials the Service',
      fixes: [
        {
          kind: 'kubectl',
          args: ['annotate', 'apiservice', name, '--overwrite', `${annotations.url}=URL`],
          blanks: { URL: 'https://HOST:PORT of the API server' },
        },
      ],
      otherwise: [
        { kind: 'kubectl', args: ['annotate', 'apiservice', name, `${annotations.url}-`] },
      ],
    };
  }
  const unread = problems.map(({ annotation, detail }) => `${annotation} ${detail}`);
  const note = unread.length > 0 ? `; passed over: ${unread.join('; ')}` : '';
  if (remote?.caBundle === undefined || remote.insecureSkipTlsVerify) {
    const whom = remote?.insecureSkipTlsVerify
      ? 'whoever answers'
      : 'the authorities of the system';
    return well(`believes ${whom}${note}`);
  }
  try {
    const { length } = readCaBundle(remote.caBundle);
    return well(`caBundle holds ${length} certificate${length === 1 ? '' : 's'}${note}`);
  } catch (error) {
    return {
      outcome: 'broken',
      words: `spec.caBundle is no bundle of certificates: ${(error as Error).message}`,
      matters: "no connection can be made, because nobody's certificate would be believed",
      fixes: [caBundleFix(name, madeAuthority)],
    };
  }
}
