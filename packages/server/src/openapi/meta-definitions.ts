/** Definitions of the types that every API shares. Names and structure are upstream's, the descriptions are ours. */
import type { GroupVersion } from '@tributary/apimachinery';
import { scaleKind } from '../definition/served-versions.ts';
import type { SchemaObject } from '../schema/openapi-schema.ts';

/** Names of shared definitions that operations and kinds refer to. */
export const metaNames = {
  apiGroup: meta('APIGroup'),
  apiGroupList: meta('APIGroupList'),
  apiResourceList: meta('APIResourceList'),
  apiVersions: meta('APIVersions'),
  deleteOptions: meta('DeleteOptions'),
  listMeta: meta('ListMeta'),
  objectMeta: meta('ObjectMeta'),
  patch: meta('Patch'),
  scale: 'io.k8s.api.autoscaling.v1.Scale',
  status: meta('Status'),
  versionInfo: 'io.k8s.apimachinery.pkg.version.Info',
  watchEvent: meta('WatchEvent'),
} as const;

/** The shared definitions in a document of these group versions. */
export function metaDefinitions(
  groupVersions: readonly GroupVersion[],
): ReadonlyMap<string, SchemaObject> {
  const inEvery = (kind: string) => kinds([core, ...groupVersions], kind);
  const definitions = {
    ...discoveryDefinitions,
    ...objectDefinitions,
    ...statusDefinitions,
    [metaNames.deleteOptions]: { ...deleteOptions, ...inEvery('DeleteOptions') },
    [metaNames.watchEvent]: { ...watchEvent, ...inEvery('WatchEvent') },
  };
  return new Map([
    ...Object.entries(definitions).map(([name, one]) => [name, withZeroValues(one)] as const),
    ...Object.entries(scaleDefinitions),
  ]);
}

/** Upstream's Go types give required fields an empty default. */
function withZeroValues(definition: SchemaObject): SchemaObject {
  const { properties, required = [] } = definition;
  if (properties === undefined) return definition;
  const fields = Object.entries(properties).map(([name, field]): [string, SchemaObject] => {
    const zero = required.includes(name) ? ZERO_VALUES.get(String(field.type)) : undefined;
    return [name, zero === undefined ? field : { ...field, default: zero }];
  });
  return { ...definition, properties: Object.fromEntries(fields) };
}

const ZERO_VALUES: ReadonlyMap<string, string | boolean> = new Map<string, string | boolean>([
  ['string', ''],
  ['boolean', false],
]);

export function kinds(groupVersions: readonly GroupVersion[], kind: string): SchemaObject {
  return {
    'x-kubernetes-group-version-kind': groupVersions.map(({ group, version }) => ({
      group,
      kind,
      version,
    })),
  };
}

/** The two fields that identify the type of an object. */
export function typeMeta(): Record<'apiVersion' | 'kind', SchemaObject> {
  return {
    apiVersion: text('Group and version of this representation, such as "apps/v1".'),
    kind: text('What the object is, in CamelCase.'),
  };
}

function meta(name: string): string {
  return `io.k8s.apimachinery.pkg.apis.meta.v1.${name}`;
}

function text(description: string, rest: SchemaObject = {}): SchemaObject {
  return { description, type: 'string', ...rest };
}

function flag(description: string): SchemaObject {
  return { description, type: 'boolean' };
}

function int64(description: string): SchemaObject {
  return { description, type: 'integer', format: 'int64' };
}

function int32(description: string): SchemaObject {
  return { description, type: 'integer', format: 'int32' };
}

function list(description: string, items: SchemaObject): SchemaObject {
  return { description, type: 'array', items, 'x-kubernetes-list-type': 'atomic' };
}

function ref($ref: string, description: string): SchemaObject {
  return { description, $ref };
}

const core: GroupVersion = { group: '', version: 'v1' };

const objectDefinitions: Readonly<Record<string, SchemaObject>> = {
  [metaNames.objectMeta]: {
    description: 'Metadata that every stored object has.',
    type: 'object',
    properties: {
      annotations: {
        description: 'Free-form notes of tools and people; they select nothing.',
        type: 'object',
        additionalProperties: { type: 'string' },
      },
      creationTimestamp: ref(meta('Time'), 'When the server created the object. Read-only.'),
      deletionGracePeriodSeconds: int64(
        'Seconds between the request to delete the object and its removal. Read-only.',
      ),
      deletionTimestamp: ref(
        meta('Time'),
        'When the object was, or will be, deleted; it stays while it has finalizers. Read-only.',
      ),
      finalizers: {
        description: 'Who still has something to do before the object may go.',
        type: 'array',
        items: { type: 'string' },
        'x-kubernetes-list-type': 'set',
        'x-kubernetes-patch-strategy': 'merge',
      },
      generateName: text('Prefix from which the server makes a unique name when none is given.'),
      generation: int64('Counts changes of the desired state. Read-only.'),
      labels: {
        description: 'Keys and values by which objects are organised and selected.',
        type: 'object',
        additionalProperties: { type: 'string' },
      },
      managedFields: list('Which manager owns which fields; kept by the server.', {
        $ref: meta('ManagedFieldsEntry'),
      }),
      name: text('Unique among the objects of this kind in the namespace. Never changes.'),
      namespace: text('The namespace the object lives in; empty for cluster-wide objects.'),
      ownerReferences: {
        description: 'Objects this one depends on; it is collected when all of them are gone.',
        type: 'array',
        items: { $ref: meta('OwnerReference') },
        'x-kubernetes-list-map-keys': ['uid'],
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-patch-merge-key': 'uid',
        'x-kubernetes-patch-strategy': 'merge',
      },
      resourceVersion: text(
        'Opaque version of the object, for optimistic locking and watches. Read-only.',
      ),
      selfLink: text('No longer filled in.'),
      uid: text('Unique in time and space. Read-only.'),
    },
  },
  [meta('ManagedFieldsEntry')]: {
    description: 'The fields one manager set with one kind of operation.',
    type: 'object',
    properties: {
      apiVersion: text('The version in which the fields are named.'),
      fieldsType: text('The format of the field set; FieldsV1 is the only one.'),
      fieldsV1: ref(meta('FieldsV1'), 'The set of fields.'),
      manager: text('Name of the workflow that owns the fields.'),
      operation: text('Apply or Update.'),
      subresource: text('The subresource through which the fields were set.'),
      time: ref(meta('Time'), 'When the set of fields last changed.'),
    },
  },
  [meta('FieldsV1')]: {
    description: 'A set of fields, as a trie of path elements.',
    type: 'object',
  },
  [meta('OwnerReference')]: {
    description: 'An object that owns another one, in the same namespace or cluster-wide.',
    type: 'object',
    required: ['apiVersion', 'kind', 'name', 'uid'],
    properties: {
      apiVersion: text('API version of the owner.'),
      blockOwnerDeletion: flag('The owner cannot go in the foreground before this object is gone.'),
      controller: flag('Whether the owner is the managing controller.'),
      kind: text('Kind of the owner.'),
      name: text('Name of the owner.'),
      uid: text('UID of the owner.'),
    },
    'x-kubernetes-map-type': 'atomic',
  },
  [metaNames.listMeta]: {
    description: 'Metadata of a list.',
    type: 'object',
    properties: {
      continue: text('Given when there is more; send it back to get the next page.'),
      remainingItemCount: int64('How many objects follow this page, if the server knows.'),
      resourceVersion: text('Version of the collection; a watch can start from it. Read-only.'),
      selfLink: text('No longer filled in.'),
      shardInfo: ref(meta('ShardInfo'), 'Which part of the objects was asked for.'),
    },
  },
  [meta('ShardInfo')]: {
    description: 'The part of the objects that a list has.',
    type: 'object',
    required: ['selector'],
    properties: { selector: text('The selector as it was asked.') },
  },
  [meta('Time')]: {
    description: 'A moment, as RFC 3339 text.',
    type: 'string',
    format: 'date-time',
  },
  [metaNames.patch]: {
    description: 'A change to an object, in the format that its media type names.',
    type: 'object',
  },
  'io.k8s.apimachinery.pkg.runtime.RawExtension': {
    description: 'An object of any kind.',
    type: 'object',
  },
};

const deleteOptions: SchemaObject = {
  description: 'How an object is to be deleted.',
  type: 'object',
  properties: {
    ...typeMeta(),
    dryRun: list('All: nothing is changed, everything else is done.', { type: 'string' }),
    gracePeriodSeconds: int64('Seconds before the object is removed; 0 is at once.'),
    ignoreStoreReadErrorWithClusterBreakingPotential: flag(
      'Delete an object that cannot be read back from the store, without its finalizers.',
    ),
    orphanDependents: flag('Deprecated: use propagationPolicy.'),
    preconditions: ref(meta('Preconditions'), 'What must hold, or else nothing is deleted.'),
    propagationPolicy: text('What happens to dependents: Orphan, Background or Foreground.'),
  },
};

const watchEvent: SchemaObject = {
  description: 'One event of a watch.',
  type: 'object',
  required: ['type', 'object'],
  properties: {
    object: ref(
      'io.k8s.apimachinery.pkg.runtime.RawExtension',
      'The object after the change, or before its deletion; a Status when the type is ERROR.',
    ),
    type: text('ADDED, MODIFIED, DELETED, BOOKMARK or ERROR.'),
  },
};

const statusDefinitions: Readonly<Record<string, SchemaObject>> = {
  [metaNames.status]: {
    description: 'The outcome of a request that answers with no other object.',
    type: 'object',
    properties: {
      ...typeMeta(),
      code: int32('The HTTP status code.'),
      details: ref(meta('StatusDetails'), 'More about the reason.'),
      message: text('The outcome in words.'),
      metadata: { ...ref(metaNames.listMeta, 'Metadata of the answer.'), default: {} },
      reason: text('Why it failed, as one word for programs.'),
      status: text('Success or Failure.'),
    },
    ...kinds([core], 'Status'),
  },
  [meta('StatusDetails')]: {
    description: 'What a Status is about.',
    type: 'object',
    properties: {
      causes: list('The single problems behind a failure.', { $ref: meta('StatusCause') }),
      group: text('Group of the resource.'),
      kind: text('The resource, or the kind, that the request was about.'),
      name: text('Name of the object.'),
      retryAfterSeconds: int32('Seconds to wait before a new attempt.'),
      uid: text('UID of the object.'),
    },
  },
  [meta('StatusCause')]: {
    description: 'One problem behind a failure.',
    type: 'object',
    properties: {
      field: text('Path of the field that has the problem.'),
      message: text('The problem in words.'),
      reason: text('The problem as one word for programs.'),
    },
  },
  [meta('Preconditions')]: {
    description: 'What must hold before an object is deleted.',
    type: 'object',
    properties: {
      resourceVersion: text('The version the object must have.'),
      uid: text('The UID the object must have.'),
    },
  },
};

const discoveryDefinitions: Readonly<Record<string, SchemaObject>> = {
  [metaNames.apiVersions]: {
    description: 'The versions of the core group.',
    type: 'object',
    required: ['versions', 'serverAddressByClientCIDRs'],
    properties: {
      ...typeMeta(),
      serverAddressByClientCIDRs: list('Addresses of this server, by where a client is.', {
        $ref: meta('ServerAddressByClientCIDR'),
      }),
      versions: list('Versions, the preferred one first.', { type: 'string' }),
    },
    ...kinds([core], 'APIVersions'),
  },
  [metaNames.apiGroupList]: {
    description: 'The groups that are served.',
    type: 'object',
    required: ['groups'],
    properties: {
      ...typeMeta(),
      groups: list('One entry per group.', { $ref: metaNames.apiGroup }),
    },
    ...kinds([core], 'APIGroupList'),
  },
  [metaNames.apiGroup]: {
    description: 'One group and its versions.',
    type: 'object',
    required: ['name', 'versions'],
    properties: {
      ...typeMeta(),
      name: text('Name of the group.'),
      preferredVersion: {
        ...ref(meta('GroupVersionForDiscovery'), 'The version clients should use.'),
        default: {},
      },
      serverAddressByClientCIDRs: list('Addresses of this server, by where a client is.', {
        $ref: meta('ServerAddressByClientCIDR'),
      }),
      versions: list('Versions, the preferred one first.', {
        $ref: meta('GroupVersionForDiscovery'),
      }),
    },
    ...kinds([core], 'APIGroup'),
  },
  [meta('GroupVersionForDiscovery')]: {
    description: 'A group and a version, together and apart.',
    type: 'object',
    required: ['groupVersion', 'version'],
    properties: {
      groupVersion: text('Both, as "group/version".'),
      version: text('The version alone.'),
    },
  },
  [meta('ServerAddressByClientCIDR')]: {
    description: 'The address for clients of one network.',
    type: 'object',
    required: ['clientCIDR', 'serverAddress'],
    properties: {
      clientCIDR: text('The network.'),
      serverAddress: text('Host and port.'),
    },
  },
  [metaNames.apiResourceList]: {
    description: 'The resources of one group and version.',
    type: 'object',
    required: ['groupVersion', 'resources'],
    properties: {
      ...typeMeta(),
      groupVersion: text('The group and version of the list.'),
      resources: list('Resources and subresources.', { $ref: meta('APIResource') }),
    },
    ...kinds([core], 'APIResourceList'),
  },
  [meta('APIResource')]: {
    description: 'A resource and what can be done with it.',
    type: 'object',
    required: ['name', 'singularName', 'namespaced', 'kind', 'verbs'],
    properties: {
      categories: list('Names that stand for several resources, such as "all".', {
        type: 'string',
      }),
      group: text('Group of the kind, when it is not that of the list.'),
      kind: text('The kind of its objects.'),
      name: text('Plural name; "resource/subresource" for subresources.'),
      namespaced: flag('Whether its objects live in namespaces.'),
      shortNames: list('Abbreviations.', { type: 'string' }),
      singularName: text('Singular name, for people.'),
      storageVersionHash: text('Changes when objects are stored in another version.'),
      verbs: { description: 'What can be done.', type: 'array', items: { type: 'string' } },
      version: text('Version of the kind, when it is not that of the list.'),
    },
  },
  [metaNames.versionInfo]: {
    description: 'The version of the server program.',
    type: 'object',
    required: [
      'major',
      'minor',
      'gitVersion',
      'gitCommit',
      'gitTreeState',
      'buildDate',
      'goVersion',
      'compiler',
      'platform',
    ],
    properties: {
      buildDate: text('When the program was built.'),
      compiler: text('What compiled it.'),
      emulationMajor: text('Major version of the API behaviour.'),
      emulationMinor: text('Minor version of the API behaviour.'),
      gitCommit: text('The commit it was built from.'),
      gitTreeState: text('Whether the source tree had changes.'),
      gitVersion: text('The whole version.'),
      goVersion: text('Version of the language runtime.'),
      major: text('Major version.'),
      minCompatibilityMajor: text('Major version of the oldest compatible server.'),
      minCompatibilityMinor: text('Minor version of the oldest compatible server.'),
      minor: text('Minor version.'),
      platform: text('Operating system and architecture.'),
    },
  },
};

const scaleDefinitions: Readonly<Record<string, SchemaObject>> = {
  [metaNames.scale]: {
    description: 'How many instances an object has and should have.',
    type: 'object',
    properties: {
      ...typeMeta(),
      metadata: ref(metaNames.objectMeta, 'Metadata of the scaled object.'),
      spec: ref('io.k8s.api.autoscaling.v1.ScaleSpec', 'What is wanted.'),
      status: ref('io.k8s.api.autoscaling.v1.ScaleStatus', 'What is there. Read-only.'),
    },
    ...kinds([scaleKind], scaleKind.kind),
  },
  'io.k8s.api.autoscaling.v1.ScaleSpec': {
    description: 'The wanted scale.',
    type: 'object',
    properties: { replicas: int32('Wanted number of instances.') },
  },
  'io.k8s.api.autoscaling.v1.ScaleStatus': {
    description: 'The present scale.',
    type: 'object',
    required: ['replicas'],
    properties: {
      replicas: int32('Present number of instances.'),
      selector: text('Which objects are counted: a label selector in its text form.'),
    },
  },
};
