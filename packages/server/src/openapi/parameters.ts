/** Query and path parameters of the API, with our descriptions. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description: string;
}

export const namespaceParameter: Parameter = {
  name: 'namespace',
  in: 'path',
  type: 'string',
  description: 'The namespace of the objects.',
};

export function nameParameter(kind: string): Parameter {
  return { name: 'name', in: 'path', type: 'string', description: `Name of the ${kind}.` };
}

/** The path below that of a connect subresource. */
export const pathParameter: Parameter = {
  name: 'path',
  in: 'path',
  type: 'string',
  description: 'What follows the path of the connection.',
};

export const prettyParameter = text('pretty', 'true: the answer is indented, for people.');

export const listParameters: readonly Parameter[] = [
  flag('allowWatchBookmarks', 'Watch: events that only tell how far the watch has come.'),
  text('continue', 'The token of the previous page.'),
  text('fieldSelector', 'Only objects whose fields match.'),
  text('labelSelector', 'Only objects whose labels match.'),
  number('limit', 'At most this many objects in one answer.'),
  text('resourceVersion', 'From which version on the answer may, or must, be.'),
  text('resourceVersionMatch', 'How resourceVersion is applied: Exact or NotOlderThan.'),
  flag('sendInitialEvents', 'Watch: begin with events for the objects that are there.'),
  text(
    'shardSelector',
    'Only objects in a range of hashes; without effect where it is not enabled.',
  ),
  number('timeoutSeconds', 'How long the request may last.'),
  flag('watch', 'Watch for changes instead of listing.'),
];

export const writeParameters: readonly Parameter[] = [
  text('dryRun', 'All: nothing is stored, everything else is done.'),
  text('fieldManager', 'Name of who makes the change.'),
  text('fieldValidation', 'Unknown and duplicate fields: Ignore, Warn or Strict.'),
];

export const patchParameters: readonly Parameter[] = [
  ...writeParameters,
  flag('force', 'Apply: take over fields that others own.'),
];

export const deleteParameters: readonly Parameter[] = [
  text('dryRun', 'All: nothing is deleted, everything else is done.'),
  number('gracePeriodSeconds', 'Seconds before the object is removed; 0 is at once.'),
  flag(
    'ignoreStoreReadErrorWithClusterBreakingPotential',
    'Delete an object that cannot be read back from the store.',
  ),
  flag('orphanDependents', 'Deprecated: use propagationPolicy.'),
  text('propagationPolicy', 'What happens to dependents: Orphan, Background or Foreground.'),
];

/** A deletecollection selects like a list, but cannot watch. */
export const deleteCollectionParameters: readonly Parameter[] = [
  ...deleteParameters,
  ...listParameters.filter(({ name }) => name !== 'watch' && name !== 'allowWatchBookmarks'),
];

function text(name: string, description: string): Parameter {
  return { name, in: 'query', type: 'string', description };
}

function flag(name: string, description: string): Parameter {
  return { name, in: 'query', type: 'boolean', description };
}

function number(name: string, description: string): Parameter {
  return { name, in: 'query', type: 'integer', description };
}
