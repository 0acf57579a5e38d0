import {
  badRequest,
  cloneJson,
  fieldError,
  formatGroupVersion,
  internalError,
  invalid,
  type KubeObject,
  root,
} from '@tributary/apimachinery';
import { scaleKind } from '../definition/served-versions.ts';
import type { ScalePaths } from '../definition/subresource.ts';
import { type LabelSelectorTerms, labelSelectorText } from './label-selector-text.ts';

/** The Scale of an object, as autoscalers read it. */
export interface Scale extends KubeObject {
  spec?: { replicas?: number };
  status?: { replicas: number; selector?: string };
}

/** The Scale of an object; an object without spec.replicas has none. */
export function scaleOf(object: KubeObject, paths: ScalePaths): Scale {
  if (!hasReplicas(object, paths)) {
    const path = JSON.stringify(paths.specReplicasPath);
    throw internalError(new Error(`the spec replicas field ${path} does not exist`));
  }
  return partialScaleOf(object, paths);
}

/** Marks an unset number; no client can send this value. */
const UNSET = -(2 ** 31);

/** The same for a write, which may be the first to set spec.replicas. */
export function partialScaleOf(object: KubeObject, paths: ScalePaths): Scale {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const wanted = fieldAt(object, paths.specReplicasPath) ?? UNSET;
  const selector = paths.labelSelectorPath && fieldAt(object, paths.labelSelectorPath);
  const metadata = { name, namespace, uid, resourceVersion, creationTimestamp };
  return {
    kind: scaleKind.kind,
    apiVersion: formatGroupVersion(scaleKind),
    metadata: Object.fromEntries(
      Object.entries(metadata).filter(([, value]) => value !== undefined),
    ),
    spec: wanted === 0 ? {} : { replicas: Number(wanted) },
    status: {
      replicas: Number(fieldAt(object, paths.statusReplicasPath) ?? 0),
      ...(selector ? { selector: selectorText(selector) } : {}),
    },
  };
}

/** The object with the requested replicas; a resourceVersion is a precondition, as with any update. */
export function scaled(
  live: KubeObject,
  { metadata, spec }: Scale,
  paths: ScalePaths,
  { custom = false }: { readonly custom?: boolean } = {},
): KubeObject {
  const replicas = spec?.replicas ?? 0;
  if (replicas === UNSET) {
    const path = JSON.stringify(paths.specReplicasPath);
    throw badRequest(`the spec replicas field ${path} cannot be empty`);
  }
  // For custom resources the error is about the object.
  if (replicas < 0 && !custom) {
    const path = root('spec').child('replicas');
    const error = fieldError.invalid(path, replicas, 'must be greater than or equal to 0');
    throw invalid(scaleKind, metadata.name ?? '', [error]);
  }
  const next = cloneJson(live) as KubeObject;
  if (metadata.resourceVersion) next.metadata.resourceVersion = metadata.resourceVersion;
  setFieldAt(next, paths.specReplicasPath, replicas);
  return next;
}

/** In the form of a query, whichever form the object has. */
function selectorText(selector: unknown): string {
  if (typeof selector !== 'object' || selector === null) return String(selector);
  return labelSelectorText(isLabels(selector) ? { matchLabels: selector } : selector);
}

/** No field of a `LabelSelector` is a string, and all values of a label map are. */
function isLabels(
  selector: LabelSelectorTerms | Readonly<Record<string, string>>,
): selector is Readonly<Record<string, string>> {
  return Object.values(selector).every((value) => typeof value === 'string');
}

function hasReplicas(object: KubeObject, { specReplicasPath }: ScalePaths): boolean {
  return fieldAt(object, specReplicasPath) !== undefined;
}

function fieldAt(object: object, path: string): unknown {
  let at: unknown = object;
  for (const name of path.slice(1).split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at ?? undefined;
}

function setFieldAt(object: object, path: string, value: number): void {
  const names = path.slice(1).split('.');
  const last = names.pop() ?? '';
  let at = object as Record<string, unknown>;
  for (const name of names) {
    if (typeof at[name] !== 'object' || at[name] === null) at[name] = {};
    at = at[name] as Record<string, unknown>;
  }
  at[last] = value;
}
