/** Deliberate differences between our control plane and the original; counted with those of the sample API server. */

import type { Difference } from '../differential/compare.ts';
import { differences as wardle } from '../differential/differences.ts';
import type { Json } from '../differential/json.ts';
import type { DeliberateDifference } from '../differential/verdict.ts';

/** Decided once, for every server. */
const EVERYWHERE = ['list items say what they are'];
/** Decided once, and met by custom resources too. */
const OF_CUSTOM_RESOURCES = [
  'a failure is a Status, never plain text',
  'the document of a refused patch',
];

export const differences: readonly DeliberateDifference[] = [
  ...wardle.filter(({ id }) => EVERYWHERE.includes(id)),
  ...wardle
    .filter(({ id }) => OF_CUSTOM_RESOURCES.includes(id))
    .map((one) => ({ ...one, rows: /^custom resources: / })),
  {
    id: 'the newer version is stored',
    rows: [
      'discovery: resources of admissionregistration.k8s.io',
      'discovery: resources of apiextensions.k8s.io',
    ],
    path: /^body\.resources\[[01]\]\.storageVersionHash$/,
    benefit:
      'MutatingAdmissionPolicies, their bindings and CustomResourceDefinitions are stored as v1, which is what is served; the original still stores v1beta1 for the releases before it.',
  },
  {
    id: 'owners survive a version that knows fewer fields',
    rows: ['custom resources: versions: of different schemas'],
    path: /^body\.metadata\.managedFields\[[01]\]/,
    accepts: ({ step }) => step !== 'v2',
    benefit:
      'The owners of fields include those of a write in a version that does not have all fields; the original keeps the owners from before that write.',
  },
  {
    id: 'what cannot be read is named',
    rows: ['custom resources: stored versions: grow, and keep a version'],
    path: /^body\.(message|details\.causes\[0\]\.message)$/,
    accepts: ({ step }) => step === 'left',
    benefit:
      'Where the version of a stored object was taken out of its definition, the error says in one sentence which object cannot be read, by its whole key in the store.',
  },
  {
    id: 'a CEL expression has one syntax error',
    rows: ['customresourcedefinitions create: with a rule that is no expression'],
    path: /^body\.(message|details\.causes\[0\]\.message)$/,
    accepts: ({ ours, reference }) => `${reference}`.startsWith(`${ours}\nERROR: <input>:`),
    benefit:
      'The error says what is wrong first. The original continues with a guess of what was meant, and reports further errors that follow from the guess.',
  },
  {
    id: 'what is only stored says so',
    rows: /^(mutating|validating)(webhook|admission)\w+ (create|update|patch|delete|watch): /,
    path: /^headers\.warning(\[\d+\])?$/,
    accepts: ({ ours, reference }) =>
      reference === undefined && String(ours).includes('tributary stores this and does not'),
    benefit:
      'Who registers a webhook or a policy is told that the control plane does not call it, and does not take it for a guard that is not there.',
  },
  ...wardle
    .filter(({ id }) => id === 'only what is served is offered')
    .map((one) => ({
      ...one,
      rows: /^openapi: ([a-z]+\.k8s\.io|componentstatuses in both versions)$/,
      path: /\.(results\.\d+(\.content)?|produces)\[\d+\]$/,
      accepts: ({ ours, reference }: Difference) => [ours, reference].every(isMediaType),
    })),
  {
    id: 'errors of immutable fields show no internal structs',
    rows: [
      'persistentvolumeclaims update: of the access',
      'persistentvolumes update: of the place',
      'pods patch: a size of the whole pod',
      'pods patch: an ephemeral container changes',
      'pods patch: an ephemeral container of the whole pod',
      'pods update: of what a pod is',
      'statefulsets update: of all that stays',
    ],
    path: /^body\.(message|details\.causes\[\d+\]\.message)$/,
    accepts: ({ ours, reference }) => {
      const [expected = ''] = withoutStructs(reference).split(SHORTENED);
      return expected !== '' && withoutStructs(ours).startsWith(expected);
    },
    benefit:
      'The error of a change that is not allowed names the rule in one sentence; the original adds a diff of its internal Go structs, of many lines and with names of fields that no manifest has.',
  },
  {
    id: 'what deleting a Namespace answers is what is documented',
    rows: ['openapi: namespaces in both versions'],
    path: /^body\.paths\..+\{name\}\.delete\.results\.20[02]\.schema\.\$ref$/,
    benefit:
      'OpenAPI names the Namespace that is answered while it goes; the original documents a Status and sends the Namespace.',
  },
];

/** The end of a recorded text that was too long. */
const SHORTENED = /<… \d+ characters, sha256 \w+>$/;

/** A message without the diff of Go structs after it, and without the value of a list of objects. */
function withoutStructs(message: Json | undefined): string {
  const [text = ''] = String(message)
    .replace(/(?<=Invalid value: )\[\{.*\}\](?=: )/s, '')
    .split('\n');
  return text;
}

/** In a list without some of its elements, all others have another place. */
function isMediaType(value: Json | undefined): boolean {
  return value === undefined || /^application\/[a-z.]+(;stream=watch)?$/.test(String(value));
}
