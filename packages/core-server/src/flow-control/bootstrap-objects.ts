import type { FlowSchema, PriorityLevelConfiguration } from '@tributary/api/flowcontrol-v1';
import { bootstrapObjectsJson } from './bootstrap-objects.generated.ts';

export const FLOW_CONTROL_GROUP = 'flowcontrol.apiserver.k8s.io';
const API_VERSION = `${FLOW_CONTROL_GROUP}/v1`;

/** Clients cannot change these objects: without them a request would match no FlowSchema. */
const MANDATORY: ReadonlySet<string> = new Set(['exempt', 'catch-all']);

interface BootstrapObjects {
  readonly levels: readonly PriorityLevelConfiguration[];
  readonly schemas: readonly FlowSchema[];
}

/**
 * The FlowSchemas and PriorityLevelConfigurations of every server, as recorded from upstream. Callers may modify the
 * result.
 */
export function bootstrapObjects(): BootstrapObjects {
  const { prioritylevelconfigurations, flowschemas } = JSON.parse(bootstrapObjectsJson) as {
    prioritylevelconfigurations: PriorityLevelConfiguration[];
    flowschemas: FlowSchema[];
  };
  const complete = <T extends object>(kind: string, object: T): T => ({
    ...object,
    apiVersion: API_VERSION,
    kind,
    status: {},
  });
  return {
    levels: prioritylevelconfigurations.map((one) => complete('PriorityLevelConfiguration', one)),
    schemas: flowschemas.map((one) => complete('FlowSchema', one)),
  };
}

export function isMandatory(name: string): boolean {
  return MANDATORY.has(name);
}

export function mandatoryObjects(): BootstrapObjects {
  const { levels, schemas } = bootstrapObjects();
  const mandatory = (one: { metadata: { name?: string } }) => isMandatory(one.metadata.name ?? '');
  return { levels: levels.filter(mandatory), schemas: schemas.filter(mandatory) };
}
