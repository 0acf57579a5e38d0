/** What drivers of storage say of themselves. */
import { isDeepStrictEqual } from 'node:util';
import {
  CSIDriver,
  type CSIDriverSpec,
  CSINode,
  CSIStorageCapacity,
} from '@tributary/api/storage-v1';
import { type FieldError, fieldError, fieldImmutable, root } from '@tributary/apimachinery';
import type { AdmissionResult, UpdateReview } from '@tributary/server';
import { resetObjectMetaForStatus } from '@tributary/server/definition';
import { column, count, flag } from '../shared/pod-parts.ts';
import { storedKind } from '../shared/stored-kind.ts';
import { validateSubdomain } from '../shared/validate-names.ts';

const SPEC = root('spec');

export const csiDriverKind = storedKind<CSIDriver>({
  typed: CSIDriver,
  plural: 'csidrivers',
  scope: 'Cluster',
  allowUnconditionalUpdate: false,
  returnsDeletedObject: true,
  columns: [
    flag(
      'AttachRequired',
      'Whether volumes are attached',
      ({ spec }) => spec.attachRequired ?? true,
    ),
    flag('PodInfoOnMount', 'Whether it is told of pods', ({ spec }) => spec.podInfoOnMount),
    flag('StorageCapacity', 'Whether it says what fits', ({ spec }) => spec.storageCapacity),
    column('TokenRequests', 'For whom it gets tokens', ({ spec: { tokenRequests } }) =>
      tokenRequests ? tokenRequests.map(({ audience }) => audience).join(',') : '<unset>',
    ),
    flag('RequiresRepublish', 'Whether it is asked again', ({ spec }) => spec.requiresRepublish),
    column(
      'Modes',
      'How long volumes last',
      ({ spec }) => (spec.volumeLifecycleModes ?? []).join(',') || '<none>',
    ),
  ],
  applyDefaults: ({ spec }) => {
    spec.attachRequired ??= true;
    spec.podInfoOnMount ??= false;
    spec.storageCapacity ??= false;
    spec.fsGroupPolicy ??= 'ReadWriteOnceWithFSType';
    if (!spec.volumeLifecycleModes?.length) spec.volumeLifecycleModes = ['Persistent'];
    spec.requiresRepublish ??= false;
    spec.seLinuxMount ??= false;
    spec.preventPodSchedulingIfMissing ??= false;
  },
  // Upstream counts changes, and does not begin to count when a driver is created.
  prepareForUpdate: (next, live) => {
    if (isDeepStrictEqual(next.spec, live.spec)) return;
    next.metadata.generation = Number(live.metadata.generation ?? 0) + 1;
  },
  validate: ({ spec }) => validateDriver(spec),
  validateChange: ({ spec }, live) =>
    spec.attachRequired === live.spec.attachRequired
      ? []
      : [
          fieldError.invalid(
            SPEC.child('attachedRequired'),
            spec.attachRequired ?? null,
            fieldImmutable,
          ),
        ],
  warnings: ({ spec }) =>
    spec.tokenRequests?.length && spec.serviceAccountTokenInSecrets === undefined ? [TOKENS] : [],
});

const TOKENS =
  'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes';

export const csiNodeKind = storedKind<CSINode>({
  typed: CSINode,
  plural: 'csinodes',
  scope: 'Cluster',
  allowUnconditionalUpdate: false,
  returnsDeletedObject: true,
  status: true,
  statusResets: ['metadata', 'spec'],
  admit: { update: dropStorageHealth },
  columns: [count('Drivers', 'How many drivers it has', ({ spec }) => spec.drivers?.length)],
  validate: ({ spec }) =>
    (spec.drivers ?? []).flatMap(({ name, nodeID }, index) => {
      const at = SPEC.child('drivers').index(index);
      return [
        ...(name === '' ? [fieldError.required(at.child('name'))] : []),
        ...(nodeID === '' ? [fieldError.required(at.child('nodeID'))] : []),
      ];
    }),
});

export const csiStorageCapacityKind = storedKind<CSIStorageCapacity>({
  typed: CSIStorageCapacity,
  metadataOnUpdate: 'twice',
  plural: 'csistoragecapacities',
  allowUnconditionalUpdate: false,
  // Upstream has columns for it, and the server of them does not use them.
  allColumns: [],
  validate: (one) => [
    ...validateSubdomain(root('storageClassName'), one.storageClassName),
    ...(['capacity', 'maximumVolumeSize'] as const).flatMap((name) =>
      one[name]?.startsWith('-')
        ? [fieldError.invalid(root(name), one[name], 'must be greater than or equal to 0')]
        : [],
    ),
  ],
  immutable: ['nodeTopology', 'storageClassName'],
});

/** Upstream stores the health only with a feature gate that is off by default. */
function dropStorageHealth(review: UpdateReview<CSINode>): AdmissionResult {
  if (review.subresource === 'status') review.object.status = {};
  return resetObjectMetaForStatus(review);
}

const GROUP_POLICIES = ['File', 'None', 'ReadWriteOnceWithFSType'];
const LIFECYCLES = ['Persistent', 'Ephemeral'];

function validateDriver({
  fsGroupPolicy = '',
  volumeLifecycleModes = [],
}: CSIDriverSpec): FieldError[] {
  const modes = SPEC.child('volumeLifecycleModes');
  return [
    ...(GROUP_POLICIES.includes(fsGroupPolicy)
      ? []
      : [fieldError.notSupported(SPEC.child('fsGroupPolicy'), fsGroupPolicy, GROUP_POLICIES)]),
    ...volumeLifecycleModes
      .filter((mode) => !LIFECYCLES.includes(mode))
      .map((mode) => fieldError.notSupported(modes, mode, LIFECYCLES)),
  ];
}
