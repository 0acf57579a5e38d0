import type { KeyToPath, Volume } from '@tributary/api/core-v1';
import {
  type FieldError,
  type FieldPath,
  fieldError,
  parseQuantity,
} from '@tributary/apimachinery';
import { validateLabel } from '../../shared/validate-names.ts';

const MODE_DETAIL = 'must be a number between 0 and 0777 (octal), both inclusive';
const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

export interface ValidatedVolumes {
  /** Names of the valid volumes, which containers can mount. */
  readonly mountable: ReadonlySet<string>;
  readonly errors: FieldError[];
}

export function validateVolumes(volumes: readonly Volume[], path: FieldPath): ValidatedVolumes {
  const mountable = new Set<string>();
  const errors: FieldError[] = [];
  for (const [index, volume] of volumes.entries()) {
    const at = path.index(index);
    const { name } = volume;
    const wrong = [
      ...validateSource(volume, at),
      ...(name ? validateLabel(at.child('name'), name) : [fieldError.required(at.child('name'))]),
    ];
    if (mountable.has(name)) wrong.push(fieldError.duplicate(at.child('name'), name));
    if (wrong.length === 0) mountable.add(name);
    errors.push(...wrong);
  }
  return { mountable, errors };
}

/** In upstream's order: all sources but the first are errors. */
const SOURCES = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'flexVolume',
  'configMap',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
  'image',
] as const;

function validateSource(volume: Volume, path: FieldPath): FieldError[] {
  const [first, ...others] = SOURCES.filter((name) => volume[name] !== undefined);
  if (first === undefined) return [fieldError.required(path, 'must specify a volume type')];
  return [
    ...validateContent(volume, path),
    ...others.map((name) =>
      fieldError.forbidden(path.child(name), 'may not specify more than 1 volume type'),
    ),
  ];
}

/** Sources that the cluster itself provides. */
function validateContent(volume: Volume, path: FieldPath): FieldError[] {
  const { emptyDir, hostPath, secret, configMap, persistentVolumeClaim } = volume;
  if (emptyDir) return validateSize(emptyDir.sizeLimit, path.child('emptyDir', 'sizeLimit'));
  if (hostPath) return validateHostPath(hostPath, path.child('hostPath'));
  if (secret) return validateFiles(secret, { path: path.child('secret'), name: 'secretName' });
  if (persistentVolumeClaim) {
    const fieldPath = path.child('persistentVolumeClaim', 'claimName');
    return persistentVolumeClaim.claimName ? [] : [fieldError.required(fieldPath)];
  }
  if (configMap) return validateFiles(configMap, { path: path.child('configMap'), name: 'name' });
  return [];
}

function validateSize(limit: string | undefined, path: FieldPath): FieldError[] {
  if (limit === undefined) return [];
  const quantity = parseQuantity(limit);
  return quantity.ok && !limit.startsWith('-')
    ? []
    : [fieldError.forbidden(path, 'SizeLimit field must be a valid resource quantity')];
}

function validateHostPath(
  { path: target, type = '' }: NonNullable<Volume['hostPath']>,
  path: FieldPath,
): FieldError[] {
  if (!target) return [fieldError.required(path.child('path'))];
  const errors = backstepErrors(path.child('path'), target);
  if (!HOST_PATH_TYPES.includes(type)) {
    errors.push(fieldError.notSupported(path.child('type'), type, HOST_PATH_TYPES));
  }
  return errors;
}

interface FileSource {
  readonly name?: string;
  readonly secretName?: string;
  readonly defaultMode?: number;
  readonly items?: readonly KeyToPath[];
}

function validateFiles(
  source: FileSource,
  { path, name }: { readonly path: FieldPath; readonly name: 'name' | 'secretName' },
): FieldError[] {
  return [
    ...(source[name] ? [] : [fieldError.required(path.child(name))]),
    ...modeErrors(path.child('defaultMode'), source.defaultMode),
    ...(source.items ?? []).flatMap((item, index) => {
      const at = path.child('items').index(index);
      return [
        ...(item.key ? [] : [fieldError.required(at.child('key'))]),
        ...(item.path ? [] : [fieldError.required(at.child('path'))]),
        ...localPathErrors(at.child('path'), item.path),
        ...modeErrors(at.child('mode'), item.mode),
      ];
    }),
  ];
}

function modeErrors(path: FieldPath, mode: number | undefined): FieldError[] {
  if (mode === undefined || (mode >= 0 && mode <= 0o777)) return [];
  return [fieldError.invalid(path, mode, MODE_DETAIL)];
}

function localPathErrors(path: FieldPath, target: string): FieldError[] {
  const errors = descendingPathErrors(path, target);
  if (target.startsWith('..') && !target.startsWith('../')) {
    errors.push(fieldError.invalid(path, target, "must not start with '..'"));
  }
  return errors;
}

/** A relative path without `..`. */
export function descendingPathErrors(path: FieldPath, target: string): FieldError[] {
  return [
    ...(target.startsWith('/')
      ? [fieldError.invalid(path, target, 'must be a relative path')]
      : []),
    ...backstepErrors(path, target),
  ];
}

function backstepErrors(path: FieldPath, target: string): FieldError[] {
  return target.split('/').includes('..')
    ? [fieldError.invalid(path, target, "must not contain '..'")]
    : [];
}
