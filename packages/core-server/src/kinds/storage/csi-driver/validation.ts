import type { CSIDriverSpec } from '@tributary/api/storage-v1';
import { type FieldError, fieldError, root } from '@tributary/apimachinery';

const SPEC = root('spec');

const GROUP_POLICIES = ['File', 'None', 'ReadWriteOnceWithFSType'];

const LIFECYCLES = ['Persistent', 'Ephemeral'];

export function validateDriver({
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
