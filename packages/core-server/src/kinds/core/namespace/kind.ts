import { Namespace } from '@tributary/api/core-v1';
import {
  type FieldError,
  type FieldPath,
  fieldError,
  qualifiedNameErrors,
  root,
  validateDnsLabelName,
} from '@tributary/apimachinery';
import { allow, type DeletionOptions, forbid } from '@tributary/server';
import { defineResource, version } from '@tributary/server/definition';
import {
  metadataErrors,
  metadataUpdateErrors,
  unknownFinalizerErrors,
} from '../../shared/object-metadata.ts';

/** These namespaces always exist and cannot be deleted. */
export const protectedNamespaces: readonly string[] = ['default', 'kube-system', 'kube-public'];

/** The label with the name, for label selectors of namespaces. */
export const namespaceNameLabel = 'kubernetes.io/metadata.name';

/** The finalizer in the spec that keeps a namespace until its content is deleted. */
export const namespaceFinalizer = 'kubernetes';

/** The finalizer of each propagation policy. */
const policyFinalizers: Partial<Record<string, string>> = {
  Orphan: 'orphan',
  Foreground: 'foregroundDeletion',
};
const dependents: readonly (string | undefined)[] = Object.values(policyFinalizers);

export const namespaceKind = defineResource({
  kind: 'Namespace',
  plural: 'namespaces',
  shortNames: ['ns'],
  scope: 'Cluster',
  names: 'dns-label',
  tracksGeneration: false,
  allowUnconditionalUpdate: true,
  returnsDeletedObject: true,
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  subresources: {
    status: true,
    parts: {
      finalize: {
        verbs: ['update'],
        prepareForUpdate: (next, live) => {
          next.status = live.status;
        },
        validateUpdate: validateFinalize,
        resetFields: ['status'],
      },
    },
  },
  lifecycle: {
    preconditionMismatch: ({ field, wanted, found }) =>
      `Precondition failed: ${field} in precondition: ${wanted}, ${field} in object meta: ${found}`,
    // The first delete only marks a namespace, even without finalizers.
    blocksDeletion: ({ metadata, spec }) =>
      !metadata.deletionTimestamp || (spec.finalizers ?? []).length > 0,
    markDeleted: (namespace, { live, options }) => {
      if (!live.metadata.deletionTimestamp) markTerminating(namespace, live, options);
      // Another delete changes nothing while the content is deleted.
      else if (live.spec.finalizers?.length) Object.assign(namespace, live);
    },
  },
  admit: {
    delete: ({ name }) =>
      protectedNamespaces.includes(name) ? forbid('this namespace may not be deleted') : allow,
  },
  versions: {
    v1: version({
      typed: Namespace,
      columns: [
        {
          name: 'Status',
          description: 'Active, or Terminating while the content is deleted',
          cell: ({ status }) => status?.phase ?? '',
        },
      ],
      restrictsFieldLabels: true,
      selectableFields: ['status.phase'],
      applyDefaults: (namespace) => {
        if (namespace.metadata.name) labelWithName(namespace);
        namespace.status = { ...namespace.status, phase: namespace.status?.phase || 'Active' };
      },
      prepareForCreate: (namespace) => {
        const finalizers = namespace.spec.finalizers ?? [];
        if (!finalizers.includes(namespaceFinalizer)) {
          namespace.spec.finalizers = [...finalizers, namespaceFinalizer];
        }
        namespace.status = { phase: 'Active' };
      },
      prepareForUpdate: (next, live) => {
        const { finalizers } = live.spec;
        next.spec = finalizers ? { finalizers } : {};
      },
      validate: validateNamespace,
      validateUpdate: (next, live) => [
        ...validateNamespace(next),
        ...metadataUpdateErrors(next, live),
        ...validatePhase(next),
      ],
      // Generated names are known only here.
      canonicalise: labelWithName,
    }),
  },
});

function markTerminating(namespace: Namespace, live: Namespace, options: DeletionOptions): void {
  const {
    deletionGracePeriodSeconds: _grace,
    finalizers: _usual,
    ...metadata
  } = namespace.metadata;
  const finalizers = finalizersAfter(live.metadata.finalizers ?? [], options);
  namespace.metadata = { ...metadata, ...(finalizers.length > 0 && { finalizers }) };
  namespace.status = { ...namespace.status, phase: 'Terminating' };
}

/** `orphanDependents: false` means Foreground for namespaces, not Background. */
function finalizersAfter(present: readonly string[], options: DeletionOptions): string[] {
  const { orphanDependents, propagationPolicy } = options;
  const policy =
    orphanDependents === undefined ? propagationPolicy : orphanDependents ? 'Orphan' : 'Foreground';
  if (policy === undefined) return [...present];
  const wanted = policyFinalizers[policy];
  const remaining = present.filter((name) => name === wanted || !dependents.includes(name));
  return wanted === undefined || remaining.includes(wanted) ? remaining : [...remaining, wanted];
}

function labelWithName({ metadata }: Namespace): void {
  metadata.labels = { ...metadata.labels, [namespaceNameLabel]: metadata.name ?? '' };
}

export function validateNamespace(namespace: Namespace): FieldError[] {
  const path = root('spec', 'finalizers');
  return [
    ...metadataErrors(namespace, { namespaced: false, validateName: validateDnsLabelName }),
    ...(namespace.spec.finalizers ?? []).flatMap((name) => validateFinalizer(path, name)),
  ];
}

function validateFinalize(next: Namespace, live: Namespace): FieldError[] {
  const path = root('spec', 'finalizers');
  return [
    ...metadataUpdateErrors(next, live),
    ...(next.spec.finalizers ?? []).flatMap((name, index) =>
      validateFinalizer(path.index(index), name),
    ),
  ];
}

function validateFinalizer(path: FieldPath, name: string): FieldError[] {
  const errors = qualifiedNameErrors(name).map((detail) => fieldError.invalid(path, name, detail));
  return [...errors, ...unknownFinalizerErrors(path, name)];
}

/** Runs for status updates; other updates keep a status that is valid already. */
function validatePhase({ metadata, status }: Namespace): FieldError[] {
  const phase = status?.phase ?? '';
  const [wanted, when] = metadata.deletionTimestamp
    ? ['Terminating', 'is not empty']
    : ['Active', 'is empty'];
  if (phase === wanted) return [];
  const detail = `may only be '${wanted}' if \`deletionTimestamp\` ${when}`;
  return [fieldError.invalid(root('status', 'Phase'), phase, detail)];
}
